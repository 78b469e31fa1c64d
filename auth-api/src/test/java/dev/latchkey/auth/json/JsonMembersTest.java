package dev.latchkey.auth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMembersTest {

    @Test
    void stringsAreDecoded_andAllElseIsKeptAsItStands() {
        JsonMembers members = JsonMembers.of(
                " { \"a\" : \"b\" ,\t\"n\":-1.5e+10,\"o\":{\"a\":\"c\"},\"l\":[1,\"x\",[],{}],\"t\":true,\"z\": null }\r\n");
        assertThat(members.texts()).isEqualTo(Map.of("a", "b"));
        assertThat(members.others())
                .isEqualTo(Map.of(
                        "n", "-1.5e+10", "o", "{\"a\":\"c\"}", "l", "[1,\"x\",[],{}]", "t", "true", "z", "null"));
        assertThat(JsonMembers.of("{}")).isEqualTo(new JsonMembers(Map.of(), Map.of()));
    }

    @Test
    void bytes_areUtf8_orRefused() {
        assertThat(JsonMembers.of("{\"a\":\"\u00fc\"}".getBytes(StandardCharsets.UTF_8))
                        .texts())
                .containsEntry("a", "\u00fc");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonMembers.of("{\"a\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .withMessage("Not UTF-8");
    }

    @Test
    void escapes_areUndone() {
        assertThat(JsonMembers.of("{\"\\u0061\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\udd11鍵\"}")
                        .texts())
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
    void malformedJson_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonMembers.of(text));
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
        assertThatIllegalArgumentException().isThrownBy(() -> JsonMembers.of(text));
    }

    @Test
    void depth_isBounded() {
        assertThat(JsonMembers.of("{\"a\":" + "[".repeat(15) + "]".repeat(15) + "}")
                        .others())
                .hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonMembers.of("{\"a\":" + "[".repeat(16) + "]".repeat(16) + "}"));
        assertThatIllegalArgumentException().isThrownBy(() -> JsonMembers.of("{\"a\":" + "{\"a\":".repeat(100_000)));
    }

    @Test
    void printedMembers_sayNothingOfTheText() {
        assertThat(JsonMembers.of("{\"password\":\"hunter2\",\"n\":1}")).hasToString("JsonMembers of 2");
    }

    @Test
    void refusal_saysNothingOfTheText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonMembers.of("{\"password\":\"hunter2\",\"password\":\"hunter2\"}"))
                .withMessageNotContaining("hunter2");
    }
}
