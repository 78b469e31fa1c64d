package dev.latchkey.auth.jwt;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * Seconds since the epoch, as RFC 7519 section 2 defines them: fractions allowed, leap seconds not counted.
 *
 * <p>Compared from the text, exactly, whatever the fraction or the exponent. A range stands in place of an overflow: the years 1
 * to 9999.
 */
final class NumericDate {

    static final long MIN_SECOND = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    static final long MAX_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private static final BigDecimal MIN = BigDecimal.valueOf(MIN_SECOND);
    private static final BigDecimal AFTER_MAX = BigDecimal.valueOf(MAX_SECOND + 1);
    private static final int NANO_DIGITS = 9;

    private NumericDate() {}

    /** Whether this value, which was scanned, is a number within the range. */
    static boolean isValid(byte[] json, int start, int end) {
        if (json[start] != '-' && (json[start] < '0' || json[start] > '9')) {
            return false;
        }
        if (JsonNumber.isPlain(json, start, end)) {
            long seconds = JsonNumber.longOf(json, start, end);
            return seconds >= MIN_SECOND && seconds <= MAX_SECOND;
        }
        BigDecimal seconds = JsonNumber.decimalOf(json, start, end);
        return seconds.compareTo(MIN) >= 0 && seconds.compareTo(AFTER_MAX) < 0;
    }

    /** Negative, zero or positive as this valid date lies before, at or after the instant. */
    static int compare(byte[] json, int start, int end, Instant instant) {
        if (JsonNumber.isPlain(json, start, end)) {
            int seconds = Long.compare(JsonNumber.longOf(json, start, end), instant.getEpochSecond());
            return seconds != 0 ? seconds : Integer.compare(0, instant.getNano());
        }
        BigDecimal exact =
                BigDecimal.valueOf(instant.getEpochSecond()).add(BigDecimal.valueOf(instant.getNano(), NANO_DIGITS));
        return JsonNumber.decimalOf(json, start, end).compareTo(exact);
    }

    /** The instant of this valid date; digits beyond the nanosecond are cut off, towards the past. */
    static Instant instantOf(byte[] json, int start, int end) {
        if (JsonNumber.isPlain(json, start, end)) {
            return Instant.ofEpochSecond(JsonNumber.longOf(json, start, end));
        }
        BigDecimal exact = JsonNumber.decimalOf(json, start, end).setScale(NANO_DIGITS, RoundingMode.FLOOR);
        BigDecimal seconds = exact.setScale(0, RoundingMode.FLOOR);
        long nanos = exact.subtract(seconds).unscaledValue().longValueExact();
        return Instant.ofEpochSecond(seconds.longValueExact(), nanos);
    }
}
