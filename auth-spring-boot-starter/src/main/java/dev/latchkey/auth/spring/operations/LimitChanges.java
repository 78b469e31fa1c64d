package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an operator changes of login limits, and what is said to have been done. */
final class LimitChanges {

    private LimitChanges() {}

    /**
     * Limits the failed logins of one bucket, in its window of this number.
     *
     * @param number may be left out where the bucket has one window
     * @throws IllegalArgumentException that says what is right
     */
    static Map<String, Object> limit(
            LoginLimits limits, String name, @Nullable Integer number, long tokens, Duration per) {
        LoginBucket bucket = LimitNames.bucket(name);
        int windows = limits.settings().policy(bucket).windows().size();
        if (number == null && windows > 1) {
            throw new IllegalArgumentException("The parameter 'window' is missing");
        }
        int window = number == null ? 0 : number;
        limits.change(bucket, window, LimitWindow.of(tokens, per));
        return Map.of("bucket", LimitNames.of(bucket), "window", window, "tokens", tokens, "per", per.toString());
    }
}
