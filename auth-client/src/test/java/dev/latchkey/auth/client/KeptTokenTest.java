package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a token is fetched anew, and when it is no longer sent. */
class KeptTokenTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private static KeptToken kept(long seconds, long random) {
        TokenAnswer answer = new TokenAnswer(
                Authorization.of(Secret.of("Bearer a")), seconds == 0 ? null : Duration.ofSeconds(seconds), null);
        return KeptToken.of(answer, NOON, () -> random);
    }

    /** The last tenth, and ten seconds at most, are for the way and for clocks that differ. */
    @ParameterizedTest
    @CsvSource({"10, 9", "99, 89.1", "100, 90", "101, 91", "3600, 3590"})
    void token_isNotSentInTheEndOfItsLifetime(long lifetime, double seconds) {
        KeptToken kept = kept(lifetime, 0);
        Instant end = NOON.plusMillis((long) (seconds * 1_000));
        assertThat(kept.endsAt()).isEqualTo(end);
        assertThat(kept.isGoodAt(end.minusNanos(1))).isTrue();
        assertThat(kept.isGoodAt(end)).isFalse();
    }

    @Test
    void token_isFetchedAnew_after70To85PercentOfItsLifetime() {
        assertThat(kept(1_000, 0).refreshAt()).isEqualTo(NOON.plusSeconds(700));
        assertThat(kept(1_000, Long.MIN_VALUE).refreshAt()).isBetween(NOON.plusMillis(774_999), NOON.plusSeconds(775));
        assertThat(kept(1_000, -1).refreshAt()).isBetween(NOON.plusMillis(849_999), NOON.plusSeconds(850));
        assertThat(kept(1_000, 0).isToBeRefreshedAt(NOON.plusMillis(699_999))).isFalse();
        assertThat(kept(1_000, 0).isToBeRefreshedAt(NOON.plusSeconds(700))).isTrue();
    }

    @Test
    void tokenWithoutALifetime_isSentForEver() {
        assertThat(kept(0, 0).isGoodAt(NOON.plus(Duration.ofDays(100_000)))).isTrue();
        assertThat(kept(0, 0).isToBeRefreshedAt(NOON.plus(Duration.ofDays(100_000))))
                .isFalse();
    }
}
