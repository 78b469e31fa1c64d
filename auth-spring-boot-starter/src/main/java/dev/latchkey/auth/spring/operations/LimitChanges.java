package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of login limits by an operator. */
final class LimitChanges {

    private LimitChanges() {}

    /**
     * Changes one window of one bucket.
     *
     * @param number may be null for a bucket with one window
     * @throws IllegalArgumentException if a value is wrong; the message names the right values
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
