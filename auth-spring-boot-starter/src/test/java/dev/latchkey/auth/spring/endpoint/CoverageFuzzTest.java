package dev.latchkey.auth.spring.endpoint;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A coverage-guided search from a few bodies; a build tries the found bodies, with {@link KeptInputsTest}. No body
 * throws, and an accepted body means the same to other readers.
 */
@Tag("fuzz")
class CoverageFuzzTest {

    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static List<byte[]> jsonBodies() {
        return bytes(
                "{\"username\":\"ann\",\"password\":\"right\"}",
                " { \"a\" : \"b\" ,\t\"n\":-1.5e+10,\"o\":{\"a\":\"c\"},\"l\":[1,\"x\",[],{}],\"t\":true,\"f\":false,\"z\":null }\r\n",
                "{\"\\u0061\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\udd11\u9375\"}",
                "{\"a\":\"\\ud800\",\"\\u0061\":1}",
                "{\"a\":\"\\ud800\",\"\\ud800\":1}",
                "{\"remember_device\":1}",
                "{\"a\":\"\\u091\u0346\"}");
    }

    static List<byte[]> forms() {
        return bytes("username=ann&password=right", "a=%C3%BC+b&&c&d=", "=&%3D=%26", "a=%8", "a=b&%61=c", "a=%ff");
    }

    static List<byte[]> contentTypes() {
        return bytes(
                "application/json",
                "Application/JSON; charset=\"utf-8\"",
                "application/x-www-form-urlencoded;charset=UTF-8",
                "application/json;charset=utf-16",
                "application/json;charset=\"",
                "\"a/b",
                "application/*+json;q=0.1");
    }

    private static List<byte[]> bytes(String... texts) {
        return List.of(texts).stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** What is taken is taken by Jackson too, with the same strings. It may be less: nesting has a bound here. */
    @MethodSource("jsonBodies")
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({"\\ud83d\\ude00", "\\u0000", "1E+9", "null", "true", "false", "[{\"\":[]}]", "\"username\":\""})
    void json(byte[] body) throws IOException {
        Optional<Map<String, String>> fields = BodyFormat.JSON.read(body);
        if (fields.isPresent()) {
            JsonNode theirs = STRICT.readTree(body);
            Map<String, String> ours = new HashMap<>(fields.get());
            if (!theirs.path(TokenRequest.REMEMBER).isTextual()) {
                // Here, the text of any value.
                ours.remove(TokenRequest.REMEMBER);
            }
            require(ours.equals(stringsOf(theirs)), "read otherwise than by Jackson");
            readLogin(fields.get());
        }
    }

    /** What is taken can be written and is taken again, the same. */
    @MethodSource("forms")
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({"username=", "&password=", "%C3%BC", "%00", "%ED%A0%80"})
    void form(byte[] body) {
        BodyFormat.FORM.read(body).ifPresent(fields -> {
            Map<String, String> again = BodyFormat.FORM
                    .read(written(fields).getBytes(StandardCharsets.UTF_8))
                    .orElseThrow();
            require(again.equals(fields), "written, and read otherwise");
            readLogin(fields);
        });
    }

    @MethodSource("contentTypes")
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({"charset=", "utf-8", "application/", "json", "x-www-form-urlencoded", ";q=", "\\\"", "*"})
    void contentType(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        BodyFormat.of(text)
                .ifPresent(format -> require(
                        BodyFormat.of(" " + text).equals(Optional.of(format)), "a blank in front changes the format"));
    }

    private static Map<String, String> stringsOf(JsonNode object) {
        Map<String, String> strings = new HashMap<>();
        object.properties().forEach(member -> {
            if (member.getValue().isTextual()) {
                strings.put(member.getKey(), member.getValue().textValue());
            }
        });
        return strings;
    }

    private static String written(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8) + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static void readLogin(Map<String, String> fields) {
        TokenRequest login = new TokenRequest(fields);
        login.response();
        login.grant();
        login.credentials()
                .ifPresent(given ->
                        require(given.account().equals(Optional.ofNullable(fields.get("username"))), "another name"));
    }

    private static void require(boolean promise, String otherwise) {
        if (!promise) {
            throw new AssertionError(otherwise);
        }
    }
}
