package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {

    @Test
    void policiesAreStructuredFieldsOfTheDraft() {
        assertThat(RateLimitFields.policy("default", 100, Duration.ofSeconds(10)))
                .isEqualTo("\"default\";q=100;w=10");
        assertThat(RateLimitFields.policy("peruser", 65_535, RateLimitFields.CONTENT_BYTES, Duration.ofSeconds(10)))
                .isEqualTo("\"peruser\";q=65535;qu=\"content-bytes\";w=10");
        assertThat(RateLimitFields.policy("one", 1, Duration.ofMillis(100))).isEqualTo("\"one\";q=1;w=1");
    }

    @Test
    void limitSaysTheRemainingTokens() {
        assertThat(RateLimitFields.limit("default", 50, Duration.ofSeconds(30))).isEqualTo("\"default\";r=50;t=30");
        assertThat(RateLimitFields.limit("default", -1, Duration.ZERO)).isEqualTo("\"default\";r=0;t=0");
        assertThat(RateLimitFields.limit("default", Long.MAX_VALUE, Duration.ofSeconds(1)))
                .isEqualTo("\"default\";r=999999999999999;t=1");
    }

    @Test
    void nameIsQuoted_andNothingUnprintableGetsIntoAHeader() {
        assertThat(RateLimitFields.limit("a\"b\\c", 1, Duration.ZERO)).isEqualTo("\"a\\\"b\\\\c\";r=1;t=0");
        assertThatThrownBy(() -> RateLimitFields.limit("a\r\nSet-Cookie: b", 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(RateLimitFields.limit(" ~", 1, Duration.ZERO)).isEqualTo("\" ~\";r=1;t=0");
        for (String name : new String[] {"\u001f", "\u007f"}) {
            assertThatThrownBy(() -> RateLimitFields.limit(name, 1, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"PT0S,1", "PT0.000000001S,1", "PT1S,1", "PT1.000000001S,2", "PT59.5S,60", "PT1M,60", "-PT1S,1"})
    void retryAfterIsWholeSecondsRoundedUp_andAtLeastOne(Duration duration, String seconds) {
        assertThat(RateLimitFields.retryAfter(duration)).isEqualTo(seconds);
    }
}
