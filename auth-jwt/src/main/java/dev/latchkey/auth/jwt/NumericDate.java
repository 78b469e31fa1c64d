package dev.latchkey.auth.jwt;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * Seconds since the epoch, as defined by RFC 7519 section 2: fractions allowed, leap seconds not counted.
 *
 * <p>The text is compared exactly, with any fraction and exponent. A date outside the years 1 to 9999 is invalid, so no
 * calculation overflows.
 */
final class NumericDate {

    static final long MIN_SECOND = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    static final long MAX_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    /** Marks a date that is not a plain number of seconds; far outside the range. */
    private static final long NOT_PLAIN = Long.MIN_VALUE;

    private static final BigDecimal MIN = BigDecimal.valueOf(MIN_SECOND);
    private static final BigDecimal AFTER_MAX = BigDecimal.valueOf(MAX_SECOND + 1);
    private static final int MILLI_DIGITS = 3;
    private static final int NANO_DIGITS = 9;
    private static final long MILLIS = 1000;

    private NumericDate() {}

    /** The whole seconds of this scanned value; {@link #NOT_PLAIN} for all but a plain number in the range. */
    private static long plainSecond(byte[] json, int start, int end) {
        long second = JsonNumber.plainOf(json, start, end);
        return second >= MIN_SECOND && second <= MAX_SECOND ? second : NOT_PLAIN;
    }

    /** Whether this scanned value is a number within the range. */
    static boolean isValid(byte[] json, int start, int end) {
        if (plainSecond(json, start, end) != NOT_PLAIN) {
            return true;
        }
        if (json[start] != '-' && (json[start] < '0' || json[start] > '9')) {
            return false;
        }
        BigDecimal seconds = JsonNumber.decimalOf(json, start, end);
        return seconds.compareTo(MIN) >= 0 && seconds.compareTo(AFTER_MAX) < 0;
    }

    /** Negative, zero or positive if this valid date is before, at or after the instant. */
    static int compare(byte[] json, int start, int end, long epochMillis) {
        long second = plainSecond(json, start, end);
        if (second != NOT_PLAIN) {
            return Long.compare(second * MILLIS, epochMillis);
        }
        return JsonNumber.decimalOf(json, start, end).compareTo(BigDecimal.valueOf(epochMillis, MILLI_DIGITS));
    }

    /** The instant of this valid date; digits after the nanosecond are cut off, towards the past. */
    static Instant instantOf(byte[] json, int start, int end) {
        long plain = plainSecond(json, start, end);
        if (plain != NOT_PLAIN) {
            return Instant.ofEpochSecond(plain);
        }
        BigDecimal exact = JsonNumber.decimalOf(json, start, end).setScale(NANO_DIGITS, RoundingMode.FLOOR);
        BigDecimal seconds = exact.setScale(0, RoundingMode.FLOOR);
        long nanos = exact.subtract(seconds).unscaledValue().longValueExact();
        return Instant.ofEpochSecond(seconds.longValueExact(), nanos);
    }
}
