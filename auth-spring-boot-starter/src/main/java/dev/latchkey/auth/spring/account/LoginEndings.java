package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Ends logins.
 *
 * <p>The access tokens of a login are revoked first, by the id that they all name, and the login is forgotten afterwards. If this is cut off in
 * between, it leaves a login that can be ended again, and no access token that outlives it.
 */
final class LoginEndings {

    private final LoginStore store;
    private final RevocationStore revocations;
    private final Duration accessLifetime;
    private final InstantSource clock;
    private final LoginListener listener;

    LoginEndings(
            LoginStore store,
            RevocationStore revocations,
            Duration accessLifetime,
            InstantSource clock,
            LoginListener listener) {
        this.store = store;
        this.revocations = revocations;
        this.accessLifetime = accessLifetime;
        this.clock = clock;
        this.listener = listener;
    }

    /** The same, asked in the time of one request. */
    LoginEndings during(StoreTime time) {
        return new LoginEndings(time.of(store), time.of(revocations), accessLifetime, clock, listener);
    }

    /** Makes all that was issued to this subject before now worthless, whichever login it is of, or of none. */
    void revokeAll(String subjectId) {
        revocations.revokeSubject(subjectId, clock.instant());
    }

    /** Ends the login of this id, whose access tokens are this subject's; one that has ended may be ended again. */
    void end(String id, String subjectId, LoginListener.Cause cause) {
        Instant lastExpiry = clock.instant().plus(accessLifetime).plus(LatchkeyJwtAutoConfiguration.SKEW_ALLOWANCE);
        revocations.revokeTokenOf(subjectId, id, lastExpiry);
        if (store.end(id)) {
            listener.ended(subjectId, cause);
        }
    }
}
