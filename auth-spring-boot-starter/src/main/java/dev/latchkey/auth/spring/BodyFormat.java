package dev.latchkey.auth.spring;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.http.MediaType;

/** The ways in which the fields of a login arrive: the strings of a JSON object, or a form; in UTF-8 both. */
enum BodyFormat {
    JSON("application/json") {
        @Override
        Map<String, String> parse(String text) {
            // Spring Boot's port reads with whichever Jackson the service has, 2 or 3.
            Map<String, Object> members = JsonParserFactory.getJsonParser().parseMap(text);
            Map<String, String> fields = new HashMap<>();
            // One of the two Jacksons reads the literal null as no map at all.
            if (members != null) {
                members.forEach((name, value) -> {
                    if (value instanceof String string) {
                        fields.put(name, string);
                    }
                });
            }
            return fields;
        }
    },
    FORM("application/x-www-form-urlencoded") {
        @Override
        Map<String, String> parse(String text) throws CharacterCodingException {
            return FormFields.parse(text);
        }
    };

    private final String type;

    BodyFormat(String type) {
        this.type = type;
    }

    /** The format that a {@code Content-Type} names; empty for all others, and for other encodings than UTF-8. */
    static Optional<BodyFormat> of(@Nullable String contentType) {
        MediaType given;
        try {
            given = MediaType.parseMediaType(contentType == null ? "" : contentType);
            if (given.getCharset() != null && !given.getCharset().equals(StandardCharsets.UTF_8)) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            // No media type, or a charset that this JVM does not know.
            return Optional.empty();
        }
        for (BodyFormat format : values()) {
            if (format.type.equals(given.getType() + "/" + given.getSubtype())) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** The fields; empty for bytes that are not UTF-8 or not of this format. Fields that are no strings are left out. */
    Optional<Map<String, String>> read(byte[] body) {
        try {
            return Optional.of(parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString()));
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    abstract Map<String, String> parse(String text) throws CharacterCodingException;
}
