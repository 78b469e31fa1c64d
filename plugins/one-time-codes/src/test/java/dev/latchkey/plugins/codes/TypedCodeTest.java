package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TypedCodeTest {

    @ParameterizedTest
    @ValueSource(strings = {"123456", "123 456", " 123-456\n"})
    void codeOfAnApp(String typed) {
        assertThat(TypedCode.of(typed)).contains(new TypedCode(false, "123456"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123-456a-BCDE-FGH1", "o123 456A bcde fghl", "O123456ABCDEFGHI"})
    void recoveryCode_whateverWayItIsTyped(String typed) {
        assertThat(TypedCode.of(typed)).contains(new TypedCode(true, "0123456ABCDEFGH1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "12345",
                "1234567",
                "\u0661\u0662\u0663\u0664\u0665\u0666",
                "0123-456A-BCDE-FGU1",
                "0123-456A-BCDE-FGH12",
                "\0\0\0\0\0\0"
            })
    void otherText_isNoCode(String typed) {
        assertThat(TypedCode.of(typed)).isEmpty();
        assertThat(TypedCode.of("1".repeat(6) + " ".repeat(100))).isEmpty();
    }

    @Test
    void longestText_has64Characters() {
        assertThat(TypedCode.of("123456" + " ".repeat(58))).isPresent();
        assertThat(TypedCode.of("123456" + " ".repeat(59))).isEmpty();
    }

    @Test
    void base32_isOfWholeGroups() {
        for (int length : new int[] {1, 4, 6, 9}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Base32.CROCKFORD.encode(new byte[length]));
        }
        assertThat(Base32.CROCKFORD.encode(new byte[0])).isEmpty();
    }

    @Test
    void randomRecoveryCode_isReadAsItIsShown() {
        TypedCode random = TypedCode.randomRecovery(new SecureRandom());
        assertThat(random.shown()).matches("([0-9A-Z]{4}-){3}[0-9A-Z]{4}");
        assertThat(TypedCode.of(random.shown())).contains(random);
        assertThat(TypedCode.randomRecovery(new SecureRandom())).isNotEqualTo(random);
        assertThat(random).asString().doesNotContain(random.text());
    }

    /** RFC 4648 section 10, where there is no padding. */
    @Test
    void base32_isThatOfTheRfc() {
        assertThat(Base32.RFC_4648.encode("fooba".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("MZXW6YTB");
        assertThat(Base32.RFC_4648.encode(new byte[] {-1, -1, -1, -1, -1, 0, 0, 0, 0, 1}))
                .isEqualTo("77777777AAAAAAAB");
    }
}
