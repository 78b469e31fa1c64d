package dev.latchkey.auth.spring.endpoint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** The two ways in which the fields of a login arrive: the strings of a JSON object, or a form; both in UTF-8. */
enum BodyFormat {
    JSON("application/json") {
        @Override
        Map<String, String> parse(String text) {
            return JsonFields.parse(text);
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
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // No media type, or a charset that this JVM does not know; the second where a quote stands open before the
            // slash.
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
