package dev.latchkey.auth.test;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Clears the state of the previous test.
 *
 * <p>Limits are not emptied. Instead the clock skips enough time for each limit to recover and each known client to be
 * forgotten. Therefore the limits need no reset, which a service could misuse. The credential cache keeps its entries:
 * a verified password is valid only for one stored hash, and a new hash in each test would only cost time.
 */
final class FreshState {

    /** Longer than the longest memory, 30 days for a known client. */
    private static final Duration LONG_ENOUGH = Duration.ofDays(33);

    private final TestClock clock;
    private final @Nullable TestGuardTime time;
    private final @Nullable TestRevocations revocations;
    private final @Nullable TestLogins logins;

    FreshState(
            TestClock clock,
            @Nullable TestGuardTime time,
            @Nullable TestRevocations revocations,
            @Nullable TestLogins logins) {
        this.clock = clock;
        this.time = time;
        this.revocations = revocations;
        this.logins = logins;
    }

    void begin() {
        clock.reset();
        if (time != null) {
            time.skip(LONG_ENOUGH);
        }
        if (revocations != null) {
            revocations.forget();
        }
        if (logins != null) {
            logins.forget();
        }
    }
}
