package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8259 over its grammar. */
class JsonScannerTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " {} ",
                "\t\r\n{\t\r\n}\t\r\n",
                "{\"\":1}",
                "{\"a\":1,\"b\":2}",
                "{ \"a\" : 1 , \"b\" : [ ] }",
                "{\"a\":[[],{}]}",
                "{\"a\":null,\"b\":true,\"c\":false}",
                "{\"a\":0}",
                "{\"a\":-0}",
                "{\"a\":-1}",
                "{\"a\":10}",
                "{\"a\":0.0}",
                "{\"a\":1.5e3}",
                "{\"a\":1E+3}",
                "{\"a\":1e-3}",
                "{\"a\":0e0}",
                "{\"a\":1e999}",
                "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABCD\\uabcd\"}",
                "{\"a\":\"\\ud83d\\ude00\"}",
                "{\"a\":\"\u007f\u0080\u07ff\u0800\uffff\ud7ff\ue000\ud83d\ude00\udbff\udfff\"}",
                "{\"a\":{\"a\":{\"a\":1}}}",
                "{\"a\":1,\"A\":2}",
                "{\"a\":{\"b\":1},\"c\":{\"b\":1}}",
                "{\"a\":[{\"b\":1},{\"b\":1}]}",
                "{\"Aa\":1,\"BB\":2}",
                "{\"exp\":1,\"Exp\":2}"
            })
    void legalObject_isAccepted(String json) {
        assertThat(isAccepted(json.getBytes(StandardCharsets.UTF_8))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "1",
                "\"a\"",
                "null",
                "true",
                "{}{}",
                "{},",
                "{}x",
                "{} 1",
                "{}\0",
                "\0{}",
                "\ufeff{}",
                "\u00a0{}",
                "\u000b{}",
                "\f{}",
                "{a:1}",
                "{'a':1}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\" 1}",
                "{\"a\"::1}",
                "{\"a\":1,}",
                "{,\"a\":1}",
                "{\"a\":1,,\"b\":2}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1;\"b\":2}",
                "{1:1}",
                "{null:1}",
                "{\"a\":1]",
                "{\"a\":[1}",
                "{\"a\":[1,]}",
                "{\"a\":[,1]}",
                "{\"a\":[1 2]}",
                "{\"a\":[1,,2]}",
                "{\"a\":[}",
                "{\"a\":[",
                "{\"a\":[1",
                "{\"a\":[1,",
                "{\"a\":01}",
                "{\"a\":-01}",
                "{\"a\":00}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":1.}",
                "{\"a\":1.e3}",
                "{\"a\":1e}",
                "{\"a\":1e+}",
                "{\"a\":-}",
                "{\"a\":--1}",
                "{\"a\":0x1}",
                "{\"a\":1_0}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":-Infinity}",
                "{\"a\":True}",
                "{\"a\":TRUE}",
                "{\"a\":tru}",
                "{\"a\":truee}",
                "{\"a\":nul}",
                "{\"a\":trux}",
                "{\"a\":txxx}",
                "{\"a\":falsy}",
                "{\"a\":nuke}",
                "{\"a\":nulll}",
                "{\"a\":fals}",
                "{\"a\":undefined}",
                "{\"a\":'b'}",
                "{\"a\":\"b}",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\0\"}",
                "{\"a\":\"\u001f\"}",
                "{\"a\":\"\\x41\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u123g\"}",
                "{\"a\":\"\\u 123\"}",
                "{\"a\":\"\\U0041\"}",
                "{\"a\":\"\\'\"}",
                "{\"a\":\"\\",
                "{\"a\":\"\\\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\":\"\\udc00\"}",
                "{\"a\":\"\\ud800\\ud800\"}",
                "{\"a\":\"\\udc00\\ud800\"}",
                "{\"a\":\"\\ud800x\"}",
                "{\"a\":\"\\ud800\\n\"}",
                "{\"a\":\"\\ud800\\u0041\"}",
                "{\"\\ud800\":1}",
                "{/**/}",
                "{}//x",
                "{\"a\":1/*x*/}",
                "#\n{}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"\\u0061\":2}",
                "{\"\\u0061\":1,\"\\u0061\":2}",
                "{\"\\u0061\":1,\"a\":2}",
                "{\"x\":{\"a\":1,\"a\":1}}",
                "{\"x\":[{\"a\":1,\"b\":2,\"a\":1}]}",
                "{\"\":1,\"\":2}",
                "{\"\u00e9\":1,\"\\u00e9\":2}",
                "{\"\ud83d\ude00\":1,\"\\ud83d\\ude00\":2}",
                "{\"/\":1,\"\\/\":2}",
                "{\"a\":1e1000}",
                "{\"a\":1e-1000}",
                "{\"a\":\u0661}"
            })
    void malformedJsonObject_isRefused(String json) {
        assertThat(isAccepted(json.getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "bf",
                "c0",
                "c080",
                "c1bf",
                "c2",
                "c220",
                "c2c2",
                "df",
                "e0",
                "e080",
                "e08080",
                "e09fbf",
                "e0a0",
                "e0a020",
                "eda080",
                "edbfbf",
                "ef",
                "efbf",
                "f0",
                "f0808080",
                "f08fbfbf",
                "f09080",
                "f0908020",
                "f4908080",
                "f5808080",
                "f8888080",
                "fe",
                "ff",
                "fffe"
            })
    void bytesThatAreNotUtf8_areRefused(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        byte[] json = ByteBuffer.allocate(8 + bytes.length)
                .put("{\"a\":\"".getBytes(StandardCharsets.US_ASCII))
                .put(bytes)
                .put("\"}".getBytes(StandardCharsets.US_ASCII))
                .array();
        assertThat(isAccepted(json)).isFalse();
        assertThat(isAccepted(bytes)).isFalse();
    }

    @Test
    void otherEncodings_areNotGuessed() {
        assertThat(isAccepted("{}".getBytes(StandardCharsets.UTF_16))).isFalse();
        assertThat(isAccepted("{}".getBytes(StandardCharsets.UTF_16LE))).isFalse();
        assertThat(isAccepted("{\"a\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .isFalse();
    }

    /** Wherever it ends, nothing behind the end is read. */
    @Test
    void everyBeginningOfAnObject_isRefused() {
        byte[] json =
                "{\"a\":\"\u00e9\u20ac\ud83d\ude00\\ud83d\\ude00\\n\",\"b\":[-1.5e+3,{\"c\":[true,false,null]}], \"d\" : 0 }"
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(isAccepted(json)).isTrue();
        for (int end = 0; end < json.length; end++) {
            assertThat(isAccepted(Arrays.copyOf(json, end))).as("end " + end).isFalse();
            assertThat(new JsonScanner().scan(json, end)).as("end " + end).isEqualTo(JsonPosition.DEFECT);
        }
    }

    @Test
    void nesting_hasALimit() {
        assertThat(isAccepted(nested("[", "]", 15))).isTrue();
        assertThat(isAccepted(nested("[", "]", 16))).isFalse();
        assertThat(isAccepted(nested("{\"a\":", "}", 15))).isTrue();
        assertThat(isAccepted(nested("{\"a\":", "}", 16))).isFalse();
        assertThat(isAccepted(nested("[", "]", 20_000))).isFalse();
    }

    @Test
    void members_haveALimit() {
        assertThat(isAccepted(members(256))).isTrue();
        assertThat(isAccepted(members(257))).isFalse();
        String inner = new String(members(100), StandardCharsets.UTF_8);
        assertThat(isAccepted(("{\"l\":[" + inner + "," + inner + "," + inner + "]}").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    @Test
    void digits_haveALimit() {
        assertThat(isAccepted(("{\"a\":" + "1".repeat(64) + "}").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(isAccepted(("{\"a\":" + "1".repeat(65) + "}").getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(isAccepted(("{\"a\":-0." + "1".repeat(61) + "}").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(isAccepted(("{\"a\":-0." + "1".repeat(62) + "}").getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    @Test
    void length_hasALimit() {
        assertThat(isAccepted(("{}" + " ".repeat(0xffff - 2)).getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(isAccepted(("{}" + " ".repeat(0xffff - 1)).getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    /** Each piece by itself, behind other text: a place to continue from would be unchecked. */
    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-", "01", "-01", "1.", "1.e3", "1e", "1e+", "1e1000", "1E-1000"})
    void textThatIsNoNumber_isADefect(String number) {
        byte[] json = (":" + number).getBytes(StandardCharsets.US_ASCII);
        assertThat(JsonNumber.scan(json, 1, json.length)).isEqualTo(JsonPosition.DEFECT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\",
                "\\x41",
                "\\u12",
                "\\u123g",
                "\\u123\u0661",
                "\\udc00",
                "\\ud800",
                "\\ud800\\",
                "\\ud800x",
                "\\ud800\\n1234",
                "\\ud800\\u0041",
                "\\ud800\\ud800"
            })
    void textThatIsNoEscape_isADefect(String escape) {
        byte[] json = ("\"" + escape).getBytes(StandardCharsets.UTF_8);
        assertThat(JsonText.escape(json, 1, json.length)).isEqualTo(JsonPosition.DEFECT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"80", "c1bf", "c2", "c220", "e0", "e0a0", "e09fbf", "eda080", "f09080", "f08fbfbf", "f4908080"})
    void bytesThatAreNoCharacter_areADefect(String hex) {
        byte[] json = HexFormat.of().parseHex("22" + hex);
        assertThat(JsonText.multiByte(json, 1, json.length)).isEqualTo(JsonPosition.DEFECT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a\t\"", "a\\", "a\\x\"", "a\\ud800\""})
    void textThatIsNoString_isADefect(String string) {
        byte[] json = (":\"" + string).getBytes(StandardCharsets.US_ASCII);
        assertThat(JsonScanner.string(json, 2, json.length)).isEqualTo(JsonPosition.DEFECT);
    }

    static boolean isAccepted(byte[] json) {
        return new JsonScanner().scan(json, json.length) != JsonPosition.DEFECT;
    }

    private static byte[] nested(String open, String close, int depth) {
        return ("{\"x\":" + open.repeat(depth) + (open.equals("[") ? "" : "1") + close.repeat(depth) + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] members(int count) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",").append("\"m").append(i).append("\":").append(i);
        }
        return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }
}
