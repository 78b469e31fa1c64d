package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Jackson with the strictest settings, as the judge of {@link JsonScanner}.
 *
 * <p>There are three differences: Jackson does not check pairs of escaped surrogates, reads UTF-16, UTF-32 and a byte order
 * mark, and has other bounds on digits, exponents and members. This class adds the missing rules. A text of {@link #MAX_LENGTH}
 * bytes has no room for too many members.
 */
final class StrictJackson {

    /** Each member takes at least four bytes, and {@link JsonScanner#MAX_OPEN_MEMBERS} of them need as many names. */
    static final int MAX_LENGTH = 4 * JsonScanner.MAX_OPEN_MEMBERS;

    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(16).build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private StrictJackson() {}

    /** The result of strict Jackson with the added rules; {@code null} after a rejection. */
    static JsonNode read(byte[] json) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(json))
                    .toString();
            // With U+0000 it would take the bytes for UTF-16.
            if (text.startsWith("\ufeff") || text.indexOf('\0') >= 0 || !isWithinDigits(json)) {
                return null;
            }
            // From bytes: Jackson's reader of characters accepts U+0346 as the hexadecimal digit F, because the lower
            // byte is
            // equal.
            JsonNode node = STRICT.readTree(json);
            return node != null && node.isObject() && isWellFormed(node) ? node : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static boolean isWithinDigits(byte[] json) throws IOException {
        try (JsonParser parser = STRICT.createParser(json)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken().isNumeric()
                        && (parser.getText().length() > 64 || parser.getText().matches(".*[eE][+-]?[0-9]{4,}"))) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean isWellFormed(JsonNode node) {
        List<String> texts = new ArrayList<>();
        collect(node, texts);
        return texts.stream()
                .allMatch(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text));
    }

    private static void collect(JsonNode node, List<String> texts) {
        if (node.isTextual()) {
            texts.add(node.textValue());
        }
        node.properties().forEach(member -> {
            texts.add(member.getKey());
            collect(member.getValue(), texts);
        });
        if (node.isArray()) {
            node.forEach(element -> collect(element, texts));
        }
    }

    static void assertSame(Object ours, JsonNode theirs) {
        if (ours instanceof Map<?, ?> map) {
            assertThat(map).hasSameSizeAs(theirs.properties());
            map.forEach((name, value) -> assertSame(value, theirs.get((String) name)));
        } else if (ours instanceof List<?> list) {
            assertThat(list).hasSize(theirs.size());
            for (int i = 0; i < list.size(); i++) {
                assertSame(list.get(i), theirs.get(i));
            }
        } else if (ours instanceof Long || ours instanceof BigDecimal) {
            assertThat(new BigDecimal(ours.toString())).isEqualByComparingTo(theirs.decimalValue());
        } else if (ours instanceof Boolean) {
            assertThat(ours).isEqualTo(theirs.booleanValue());
        } else if (ours instanceof String) {
            assertThat(ours).isEqualTo(theirs.textValue());
        } else {
            assertThat(ours).isEqualTo(JsonNull.NULL);
            assertThat(theirs.isNull()).isTrue();
        }
    }
}
