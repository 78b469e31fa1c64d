package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Values of the header fields that tell a client its limits: {@code RateLimit} and {@code RateLimit-Policy} of
 * draft-ietf-httpapi-ratelimit-headers-11, structured fields (RFC 9651), and {@code Retry-After} (RFC 9110 section 10.2.3).
 *
 * <p>For logins, send only what a refusal itself says: to tell how many attempts are left tells an attacker too.
 */
public final class RateLimitFields {

    public static final String RATE_LIMIT = "RateLimit";
    public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";
    public static final String RETRY_AFTER = "Retry-After";

    /** The type of an RFC 9457 problem that goes with status 429. */
    public static final String QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    /** The type of an RFC 9457 problem that goes with status 503. */
    public static final String REDUCED_CAPACITY =
            "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

    /** The quota unit of a throttle that counts bytes of bodies. */
    public static final String CONTENT_BYTES = "content-bytes";

    /** The largest integer of a structured field, RFC 9651 section 3.3.1. */
    private static final long MAX_INTEGER = 999_999_999_999_999L;

    private RateLimitFields() {}

    /** A policy that counts requests: {@code "name";q=50;w=300}. */
    public static String policy(String name, long quota, Duration window) {
        return item(name) + ";q=" + integer(quota) + ";w=" + seconds(window);
    }

    /** A policy that counts other units than requests: {@code "name";q=20000;qu="content-bytes";w=1}. */
    public static String policy(String name, long quota, String unit, Duration window) {
        return item(name) + ";q=" + integer(quota) + ";qu=" + item(unit) + ";w=" + seconds(window);
    }

    /** All windows of a policy; more than one are told apart by their seconds, {@code "login-300"} and so on. */
    public static String policy(BucketPolicy policy) {
        List<String> items = new ArrayList<>();
        for (LimitWindow window : policy.windows()) {
            String name = policy.windows().size() == 1 ? policy.name() : policy.name() + "-" + seconds(window.per());
            items.add(policy(name, window.tokens(), window.per()));
        }
        return String.join(", ", items);
    }

    /** What is left: {@code "name";r=3;t=60}, of which no more than {@code remaining} can be used within the window. */
    public static String limit(String name, long remaining, Duration window) {
        return item(name) + ";r=" + integer(remaining) + ";t=" + Durations.secondsRoundedUp(window);
    }

    /** Whole seconds, rounded up and at least 1: who comes back a moment early would be refused again. */
    public static String retryAfter(Duration duration) {
        return Long.toString(seconds(duration));
    }

    private static long seconds(Duration duration) {
        return Math.max(1, integer(Durations.secondsRoundedUp(duration)));
    }

    private static long integer(long value) {
        return Math.max(0, Math.min(value, MAX_INTEGER));
    }

    /** A String, RFC 9651 section 3.3.3. */
    private static String item(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e) {
                throw new IllegalArgumentException("A name in a header field is printable ASCII");
            }
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c);
        }
        return quoted.append('"').toString();
    }
}
