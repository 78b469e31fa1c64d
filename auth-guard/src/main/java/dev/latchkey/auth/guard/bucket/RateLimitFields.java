package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * Values of the header fields that tell a client its limits. {@code RateLimit} and {@code RateLimit-Policy} follow
 * draft-ietf-httpapi-ratelimit-headers-11 as structured fields (RFC 9651), and {@code Retry-After} follows RFC 9110
 * section 10.2.3. Stateless.
 *
 * <p>For logins, send only the fields of a rejection: the number of remaining attempts would help an attacker.
 */
public final class RateLimitFields {

    /** The name of the field with the remaining units of a limit, see {@link #limit}. */
    public static final String RATE_LIMIT = "RateLimit";
    /** The name of the field with the limits themselves, see {@code policy}. */
    public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";
    /** The name of the field with the seconds until a useful retry, see {@link #retryAfter}. */
    public static final String RETRY_AFTER = "Retry-After";

    /** The type of an RFC 9457 problem for status 429. */
    public static final String QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    /** The type of an RFC 9457 problem for status 503. */
    public static final String REDUCED_CAPACITY =
            "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

    /** The quota unit of a throttle for bytes of bodies. */
    public static final String CONTENT_BYTES = "content-bytes";

    /** The largest integer of a structured field, RFC 9651 section 3.3.1. */
    private static final long MAX_INTEGER = 999_999_999_999_999L;

    private RateLimitFields() {}

    /**
     * A policy for requests: {@code "name";q=50;w=300}.
     *
     * @param name of the policy, in printable ASCII
     * @param quota requests in each window
     * @param window sent as whole seconds, rounded up and at least 1
     * @return a value of {@link #RATE_LIMIT_POLICY}
     * @throws IllegalArgumentException if the name has other characters
     */
    public static String policy(String name, long quota, Duration window) {
        return item(name) + ";q=" + integer(quota) + ";w=" + seconds(window);
    }

    /**
     * A policy for other units: {@code "name";q=20000;qu="content-bytes";w=1}.
     *
     * @param name of the policy, in printable ASCII
     * @param quota units in each window
     * @param unit such as {@link #CONTENT_BYTES}
     * @param window sent as whole seconds, rounded up and at least 1
     * @return a value of {@link #RATE_LIMIT_POLICY}
     * @throws IllegalArgumentException if the name or the unit has other characters
     */
    public static String policy(String name, long quota, String unit, Duration window) {
        return item(name) + ";q=" + integer(quota) + ";qu=" + item(unit) + ";w=" + seconds(window);
    }

    /**
     * The remaining units: {@code "name";r=3;t=60}. At most {@code remaining} units can be used within the window.
     *
     * @param name of the policy
     * @param remaining units; a negative number is sent as 0
     * @param window from now, sent as whole seconds, rounded up
     * @return a value of {@link #RATE_LIMIT}
     * @throws IllegalArgumentException if the name has other characters than printable ASCII
     */
    public static String limit(String name, long remaining, Duration window) {
        return item(name) + ";r=" + integer(remaining) + ";t=" + Durations.secondsRoundedUp(window);
    }

    /**
     * Whole seconds, rounded up and at least 1: a client that returns too early would be rejected again.
     *
     * @param duration until a useful retry
     * @return a value of {@link #RETRY_AFTER}
     */
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
