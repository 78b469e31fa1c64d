package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One text for each value, and no value for other texts. */
class Base64UrlTest {

    @Test
    void bytesOfEachLength_comeBack() {
        Random random = new Random(7);
        for (int length = 1; length < 100; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(Base64Url.decode(Base64Url.encode(bytes)))
                    .hasValueSatisfying(decoded -> assertThat(decoded).isEqualTo(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "AAAAA", "AA==", "AB", "AAB", "A A", "AA+A", "AA/A", "AAÄA", "AA\nA", "\uff21AAA"})
    void otherText_isNone(String text) {
        assertThat(Base64Url.decode(text)).isEmpty();
    }

    @Test
    void longerText_isNone() {
        assertThat(Base64Url.decode(Secret.of("AAAA"), 3)).isPresent();
        assertThat(Base64Url.decode(Secret.of("AAAAAA"), 3)).isEmpty();
        assertThat(Base64Url.decode(Secret.of(""), 3)).isEmpty();
    }
}
