package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;
import static dev.latchkey.auth.spring.settings.PropertyRules.requirePath;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The logins of an account, under {@code latchkey.login.logins}.
 *
 * @param enabled whether somebody who is logged in can list the logins of the account and end them one by one
 * @param path the path where they are listed; each of them is ended at its id below that
 * @param recordAddress whether the address that a login comes from is recorded, and listed
 */
public record LoginsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/auth/logins") String path,
        @DefaultValue("false") boolean recordAddress) {

    /** Stores keep a few more, for logins that are started at once. */
    private static final int MOST_PER_ACCOUNT = 40;

    /**
     * Refuses what is no path.
     *
     * @param enabled needs refresh tokens
     * @param path begins with a slash, and holds no pattern
     * @param recordAddress needs refresh tokens
     * @throws LatchkeyConfigurationException if the path is none
     */
    public LoginsProperties {
        requirePath("latchkey.login.logins.path", path);
    }

    /** Refuses to list or count logins that no refresh token prolongs: of these nothing is kept. */
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

    private static LatchkeyConfigurationException withoutRefresh(String what) {
        return new LatchkeyConfigurationException(
                what + ", and latchkey.login.refresh.enabled is not true",
                "Set latchkey.login.refresh.enabled to true as well: of a login without a refresh token nothing is kept.");
    }

    /** What becomes of a login to an account that has as many as it may have. */
    public enum WhenFull {
        /** It is refused. */
        REFUSE,
        /** It ends the oldest. */
        END_OLDEST,
        /** It ends the oldest of those on its kind of device; each kind may have as many. */
        END_OLDEST_OF_DEVICE
    }
}
