package dev.latchkey.auth;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The current state of an account, looked up by its name without any credentials. A session is refreshed with this
 * state.
 *
 * @param state {@link Authenticated} with the present authorities if the account may log in now, otherwise
 *     {@link Rejected}; never {@link Challenged}
 * @param stamp a secret, such as the stored hash, with a new value after each change of the account's credentials;
 *     empty if the source has no such value
 * @param created the creation of the account; null if the source has no such time. Older API keys and passkeys belong
 *     to a deleted account of the same name, and are rejected
 */
public record Account(Verdict state, Secret stamp, @Nullable Instant created) {

    /**
     * The current state of an account.
     *
     * @param state {@link Authenticated} or {@link Rejected}
     * @param stamp changes with the account's credentials; empty if the source has no such value
     * @param created the creation of the account; null if the source has no such time
     */
    public Account {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(stamp, "stamp");
    }

    /**
     * The current state of an account, without the time of its creation.
     *
     * @param state {@link Authenticated} or {@link Rejected}
     * @param stamp changes with the account's credentials; empty if the source has no such value
     */
    public Account(Verdict state, Secret stamp) {
        this(state, stamp, null);
    }

    /**
     * Whether a credential of this time belongs to a deleted account of the same name.
     *
     * @param issued the time of issue of an API key, for example; compared to the millisecond
     * @return {@code false} if the creation of the account is unknown
     */
    public boolean isYoungerThan(Instant issued) {
        return created != null && issued.isBefore(created.truncatedTo(ChronoUnit.MILLIS));
    }
}
