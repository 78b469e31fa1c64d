package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sessions of an account, under {@code latchkey.login.logins}.
 *
 * @param enabled whether a logged-in account can list its sessions and end each of them
 * @param recordAddress whether the client IP of a login is recorded and listed
 */
public record LoginsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("false") boolean recordAddress) {

    /** Stores keep a few more, for logins at the same time. */
    private static final int MOST_PER_ACCOUNT = 40;

    /** Rejects listing or counting of sessions without refresh tokens, because the store keeps no such session. */
    void requireLoginsThatAreKept(
            LatchkeyProperties.Refresh refresh, @Nullable Integer max, @Nullable WhenFull whenFull) {
        if (enabled && !refresh.enabled()) {
            throw withoutRefresh("latchkey.login.logins.enabled is true");
        }
        if (recordAddress && !refresh.enabled()) {
            throw withoutRefresh("latchkey.login.logins.record-address is true");
        }
        if (max == null) {
            if (whenFull != null) {
                throw new LatchkeyConfigurationException(
                        "latchkey.login.when-full is set, and latchkey.login.max-per-account is not",
                        "Set latchkey.login.max-per-account too, to as many logins as an account may have.");
            }
            return;
        }
        requireBetween("latchkey.login.max-per-account", max, 1, MOST_PER_ACCOUNT);
        if (!refresh.enabled()) {
            throw withoutRefresh("latchkey.login.max-per-account is set");
        }
    }

    private static LatchkeyConfigurationException withoutRefresh(String problem) {
        return new LatchkeyConfigurationException(
                problem + ", and latchkey.login.refresh.enabled is not true",
                "Set latchkey.login.refresh.enabled to true as well: of a login without a refresh token nothing is kept.");
    }

    /** The reaction to a login if the account has the maximum of sessions. */
    public enum WhenFull {
        /** The login is rejected. */
        REFUSE,
        /** The oldest session ends. */
        END_OLDEST,
        /** The oldest session on the same kind of device ends. The maximum counts for each kind. */
        END_OLDEST_OF_DEVICE
    }
}
