package dev.latchkey.auth.client.wire;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code Retry-After} (RFC 9110 section 10.2.3): seconds, or a date in one of three forms (section 5.6.7). */
public final class RetryAfter {

    /**
     * A number with this many digits never overflows. A longer number counts as the largest such number, because the
     * settings limit the pause anyway.
     */
    private static final int MOST_DIGITS = 9;

    private static final DateTimeFormatter RFC_850 = new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, 2000)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.US);

    private static final List<DateTimeFormatter> FORMS = List.of(
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US),
            RFC_850,
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US));

    private RetryAfter() {}

    /**
     * The time to wait; empty if the field is missing, repeated or malformed. A date is compared with the answer's own
     * {@code Date}, because clocks differ. Without a valid {@code Date}, the caller's time is used. A past date means
     * zero.
     *
     * @param headers of the answer
     * @param now the caller's time
     * @return zero or more
     */
    public static Optional<Duration> in(HttpHeaders headers, Instant now) {
        List<String> values = headers.allValues("Retry-After");
        if (values.size() != 1) {
            return Optional.empty();
        }
        String value = values.get(0).strip();
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            String digits = value.length() > MOST_DIGITS ? "9".repeat(MOST_DIGITS) : value;
            return Optional.of(Duration.ofSeconds(Long.parseLong(digits)));
        }
        Instant sent = headers.firstValue("Date").flatMap(RetryAfter::date).orElse(now);
        return date(value)
                .map(until -> Duration.between(sent, until))
                .map(wait -> wait.isNegative() ? Duration.ZERO : wait);
    }

    private static Optional<Instant> date(String text) {
        for (DateTimeFormatter form : FORMS) {
            try {
                return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
            } catch (DateTimeException e) {
                // Try the next form.
            }
        }
        return Optional.empty();
    }
}
