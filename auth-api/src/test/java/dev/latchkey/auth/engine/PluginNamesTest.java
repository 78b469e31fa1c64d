package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "jwt", "api-key", "a1", "a23456789012345678901234567890123456789012345678901234567890123"})
    void properPluginName_isItself(String name) {
        assertThat(PluginNames.require(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "1a",
                "-a",
                "A",
                "a b",
                "a_b",
                "a.b",
                "oauth2",
                "saml2",
                "\u00E9",
                "a\n",
                "a234567890123456789012345678901234567890123456789012345678901234"
            })
    void improperPluginName_isRefused(@Nullable String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> PluginNames.require(name));
    }

    @Test
    void improperPluginName_isPrintedShortAndOnOneLine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PluginNames.require("a\nb\u001b" + "c".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.getMessage()).contains("'a?b?ccc").hasSizeLessThan(300));
    }
}
