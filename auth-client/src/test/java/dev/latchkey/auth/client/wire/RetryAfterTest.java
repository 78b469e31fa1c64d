package dev.latchkey.auth.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Retry-After} in all its forms. */
class RetryAfterTest {

    /** A Sunday. */
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "' 120 ', 120",
        "100000000, 100000000",
        "999999999, 999999999",
        "99999999999999999999, 999999999"
    })
    void seconds_areRead(String value, long seconds) {
        assertThat(RetryAfter.in(headers("Retry-After", value), NOW)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 22 Nov 2026 10:00:30 GMT",
                "Sunday, 22-Nov-26 10:00:30 GMT",
                "Sun Nov 22 10:00:30 2026",
            })
    void dateInEachForm_isReadAgainstTheClock(String value) {
        assertThat(RetryAfter.in(headers("Retry-After", value), NOW)).contains(Duration.ofSeconds(30));
    }

    @Test
    void dayOfOneDigit_isReadInTheOldestForm() {
        Instant sunday = Instant.parse("2026-11-01T10:00:00Z");
        assertThat(RetryAfter.in(headers("Retry-After", "Sun Nov  1 10:00:07 2026"), sunday))
                .contains(Duration.ofSeconds(7));
    }

    @Test
    void date_isReadAgainstTheAnswersOwnDate() {
        HttpHeaders headers = HttpHeaders.of(
                Map.of(
                        "Retry-After", List.of("Sun, 22 Nov 2026 12:00:05 GMT"),
                        "Date", List.of("Sun, 22 Nov 2026 12:00:00 GMT")),
                (name, value) -> true);
        assertThat(RetryAfter.in(headers, NOW)).contains(Duration.ofSeconds(5));
    }

    @Test
    void dateThatIsPast_meansAtOnce() {
        assertThat(RetryAfter.in(headers("Retry-After", "Sun, 22 Nov 2026 09:00:00 GMT"), NOW))
                .contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "1.5", "soon", "٣", "Mon, 22 Nov 2026 10:00:30 GMT", "Sun, 22 Nov 2026 10:00:30 CET"})
    void otherText_isNotRead(String value) {
        assertThat(RetryAfter.in(headers("Retry-After", value), NOW)).isEmpty();
    }

    @Test
    void twoFields_areNotRead() {
        HttpHeaders headers = HttpHeaders.of(Map.of("Retry-After", List.of("1", "2")), (name, value) -> true);
        assertThat(RetryAfter.in(headers, NOW)).isEmpty();
    }

    private static HttpHeaders headers(String name, String value) {
        return HttpHeaders.of(Map.of(name, List.of(value)), (key, each) -> true);
    }
}
