package dev.latchkey.auth.test;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one test leaves behind and the next must not find.
 *
 * <p>Limits are not emptied, they recover: so much time is skipped that each of them is full again and each known place forgotten. So
 * the limits need no way to be switched back, which a service would have, too. What the credential cache knows stays: a verified
 * password is good for one stored hash alone, and to hash it anew in each test would only cost time.
 */
final class FreshState {

    /** Longer than a place that has logged in is remembered, which is the longest of all: 30 days. */
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
