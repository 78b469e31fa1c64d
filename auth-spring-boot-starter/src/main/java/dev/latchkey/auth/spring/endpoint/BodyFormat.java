package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.json.JsonMembers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** The two ways in which the fields of a login arrive: the strings of a JSON object, or a form; both in UTF-8. */
enum BodyFormat {
    JSON("application/json") {
        @Override
        Map<String, String> parse(String text) {
            JsonMembers members = JsonMembers.of(text);
            Map<String, String> fields = new HashMap<>(members.texts());
            // A client writes JSON's own word for yes or no. Whatever else stands there must not be overlooked.
            Stream.concat(Stream.of(TokenRequest.REMEMBER), TokenRequest.REMEMBER_ME.stream())
                    .filter(members.others()::containsKey)
                    .forEach(name -> fields.put(name, members.others().get(name)));
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

    /** The format of a {@code Content-Type}; empty for all other types, and for encodings other than UTF-8. */
    static Optional<BodyFormat> of(@Nullable String contentType) {
        MediaType given;
        try {
            given = MediaType.parseMediaType(contentType == null ? "" : contentType);
            if (given.getCharset() != null && !given.getCharset().equals(StandardCharsets.UTF_8)) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // No media type, or a charset unknown to this JVM; the second exception comes from an open quote before
            // the slash.
            return Optional.empty();
        }
        for (BodyFormat format : values()) {
            if (format.type.equals(given.getType() + "/" + given.getSubtype())) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** The fields; empty for invalid UTF-8 or another format. Fields with other values than strings are left out. */
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
