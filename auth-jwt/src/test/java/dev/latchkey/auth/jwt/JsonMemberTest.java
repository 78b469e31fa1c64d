package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One member among further members, in every spelling. */
class JsonMemberTest {

    private static String find(String json, String name) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        assertThat(JsonScannerTest.isAccepted(bytes)).as(json).isTrue();
        int span = JsonMember.spanOf(bytes, name);
        int start = JsonScanner.start(span);
        return new String(bytes, start, JsonScanner.end(span) - start, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"a\":1} | 1",
                " {\"a\" : -1.5e3\t} | -1.5e3",
                "{\"a\":1 } | 1",
                "{\"a\":true ,\"b\":2} | true",
                "{\"b\":2,\"a\":true} | true",
                "{\"b\":[1,[2],{\"a\":3}],\"a\":null} | null",
                "{\"b\":{\"a\":{\"a\":3}},\"a\":\"x\"} | \"x\"",
                "{\"b\":\"}],\\\"a\\\":1\",\"a\":[ 1 , \"]\" ]} | [ 1 , \"]\" ]",
                "{\"b\":false,\"\\u0061\":{\"c\":[]},\"d\":1} | {\"c\":[]}",
                "{\"ab\":1,\"\":2,\"b\":3,\"a\":4} | 4",
                "{\"b\":{},\"c\":[],\"d\":\"\",\"a\":5,\"e\":6} | 5"
            })
    void memberAmongOthers_isFound(String json, String value) {
        assertThat(find(json, "a")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " { } ",
                "{\"b\":1}",
                "{\"b\":{\"a\":1}}",
                "{\"b\":\"a\"}",
                "{\"aa\":1}",
                "{\"A\":1}",
                "{\"\\\\u0061\":1}",
                "{\"\":1}",
                "{\"\u00e9\":1}",
                "{\"a\\u0000\":1}"
            })
    void memberThatIsNotThere_isAbsent(String json) {
        assertThat(find(json, "a")).isEmpty();
        assertThat(JsonMember.spanOf(json.getBytes(StandardCharsets.UTF_8), "a"))
                .isEqualTo(JsonMember.ABSENT);
    }

    @Test
    void nameWithEscapes_isComparedByItsMeaning() {
        assertThat(find("{\"\u00e9\":1}", "\u00e9")).isEqualTo("1");
        assertThat(find("{\"\\u00e9\":1}", "\u00e9")).isEqualTo("1");
        assertThat(find("{\"\ud83d\ude00x\":1}", "\ud83d\ude00x")).isEqualTo("1");
        assertThat(find("{\"a\\\\b\":1}", "a\\b")).isEqualTo("1");
        assertThat(find("{\"a\\\\b\":1}", "a\\\\b")).isEmpty();
        assertThat(find("{\"\\\\\":1}", "\\")).isEqualTo("1");
        assertThat(find("{\"?\":1}", "\ud800")).isEmpty();
        assertThat(find("{\"\":1}", "")).isEqualTo("1");
    }

    @Test
    void blanksAnywhere_changeNoValue() {
        byte[] json = " { \"a\" : 1 , \"b\" : [ true , { \"\\\\\" : \"\\\\\\\\\" } ] , \"c\" : { } , \"d\" : [ ] } "
                .getBytes(StandardCharsets.UTF_8);
        assertThat(JsonScannerTest.isAccepted(json)).isTrue();
        assertThat(JsonReader.objectOf(json, json.length))
                .isEqualTo(Map.of("a", 1L, "b", List.of(true, Map.of("\\", "\\\\")), "c", Map.of(), "d", List.of()));
    }

    @Test
    void singleClaim_equalsTheClaimInTheMap() {
        String members = "\"o\":{\"a\":[1]},\"l\":[\"x\",\"y\"],\"t\":\"\\u0061\",\"n\":null,\"b\":true,\"d\":1.50";
        VerifiedJwt fresh = Forge.verifier().verifyOrThrow(Forge.token(Forge.claims(members)));
        VerifiedJwt made = Forge.verifier().verifyOrThrow(Forge.token(Forge.claims(members)));
        assertThat(made.claims()).hasSize(7);
        assertThat(fresh.object("o")).isEqualTo(made.object("o")).isPresent();
        assertThat(fresh.texts("l")).isEqualTo(made.texts("l")).isPresent();
        assertThat(fresh.text("t")).isEqualTo(made.text("t")).hasValue("a");
        assertThat(fresh.text("n")).isEqualTo(made.text("n")).isEmpty();
        assertThat(fresh.bool("b")).isEqualTo(made.bool("b")).hasValue(true);
        assertThat(fresh.decimal("d")).isEqualTo(made.decimal("d")).isPresent();
        assertThat(fresh.wholeNumber("exp")).isEqualTo(made.wholeNumber("exp")).isPresent();
        assertThat(fresh.text("absent")).isEqualTo(made.text("absent")).isEmpty();
    }
}
