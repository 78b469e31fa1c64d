package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceNameTest {

    @Test
    void nameOfLettersDigitsDotsUnderscoresAndHyphens_isOne() {
        assertThat(new ServiceName("Shop-2.de_DE")).hasToString("Shop-2.de_DE");
        assertThat(new ServiceName("s".repeat(ServiceName.LONGEST)).value()).hasSize(100);
    }

    /** A colon or a brace would reach into the keys of another service, and an asterisk into its rights. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "my shop", "shop:login", "{shop}", "shop*", "sh\u00f6p", "shop\n"})
    void anythingElse_isNone(String text) {
        assertThat(ServiceName.isName(text)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new ServiceName(text));
    }

    @Test
    void nameThatIsTooLong_isNone() {
        assertThat(ServiceName.isName("s".repeat(ServiceName.LONGEST + 1))).isFalse();
    }
}
