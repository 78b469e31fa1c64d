package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {

    @Test
    void stringsOfTheObject_areRead_andAllElseIsLeftOut() {
        assertThat(
                        JsonFields.parse(
                                " { \"a\" : \"b\" ,\t\"n\":-1.5e+10,\"o\":{\"a\":\"c\"},\"l\":[1,\"x\",[],{}],\"t\":true,\"f\":false,\"z\":null }\r\n"))
                .isEqualTo(Map.of("a", "b"));
        assertThat(JsonFields.parse("{}")).isEmpty();
    }

    /** A client writes JSON's word for it, and what it writes instead must not be overlooked. */
    @Test
    void wishForADevice_isReadWhateverItIs() {
        assertThat(JsonFields.parse("{\"remember_device\":true}")).isEqualTo(Map.of("remember_device", "true"));
        assertThat(JsonFields.parse("{\"remember_device\": null }")).isEqualTo(Map.of("remember_device", "null"));
        assertThat(JsonFields.parse("{\"remember_device\":{\"a\":1}}"))
                .isEqualTo(Map.of("remember_device", "{\"a\":1}"));
        assertThat(JsonFields.parse("{\"o\":{\"remember_device\":true}}")).isEmpty();
    }

    @Test
    void escapes_areUndone() {
        assertThat(JsonFields.parse("{\"\\u0061\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\udd11鍵\"}"))
                .isEqualTo(Map.of("a", "\"\\/\b\f\n\r\tü🔑鍵"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[]",
                "\"a\"",
                "null",
                "{}{}",
                "{} x",
                "\ufeff{}",
                "{a:1}",
                "{'a':1}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":1.}",
                "{\"a\":1e}",
                "{\"a\":NaN}",
                "{\"a\":nul}",
                "{\"a\":[1,]}",
                "{\"a\":[1}",
                "{\"a\":\"b}",
                "{\"a\":\"b\\\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u00g0\"}",
                "{\"a\":\"\\ud83d\"}",
                "{\"a\":\"\\ude00\\ud83d\"}",
                "{\"\\ud83d\":1}",
                "{\"o\":{\"\\ud83d.\":1}}",
                "{\"a\":\"\\u٠٠٠٠\"}",
                "{\"a\":\"\n\"}",
                "{/**/\"a\":1}",
                "{\"a\":1}\u00a0"
            })
    void whatIsNoJson_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonFields.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"b\",\"a\":\"b\"}",
                "{\"a\":1,\"a\":\"b\"}",
                "{\"a\":\"b\",\"\\u0061\":\"b\"}",
                "{\"o\":{\"a\":1,\"a\":1}}",
                "{\"l\":[{\"a\":1,\"a\":1}]}"
            })
    void memberThatComesTwice_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonFields.parse(text));
    }

    @Test
    void depth_isBounded() {
        assertThat(JsonFields.parse("{\"a\":" + "[".repeat(15) + "]".repeat(15) + "}"))
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonFields.parse("{\"a\":" + "[".repeat(16) + "]".repeat(16) + "}"));
        assertThatIllegalArgumentException().isThrownBy(() -> JsonFields.parse("{\"a\":" + "{\"a\":".repeat(100_000)));
    }

    @Test
    void refusal_saysNothingOfTheText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonFields.parse("{\"password\":\"hunter2\",\"password\":\"hunter2\"}"))
                .withMessageNotContaining("hunter2");
    }
}
