package dev.latchkey.auth.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;

/** The body of a login: an object with the strings {@code username} and {@code password}. */
final class LoginRequest {

    private LoginRequest() {}

    /** Empty for whatever is not such an object: bytes that are not UTF-8, text that is not JSON, other members' types. */
    static Optional<PasswordCredentials> parse(byte[] body) {
        Map<String, Object> members;
        try {
            // Spring Boot's port reads with whichever Jackson the service has, 2 or 3.
            members = JsonParserFactory.getJsonParser()
                    .parseMap(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(body))
                            .toString());
        } catch (CharacterCodingException | JsonParseException e) {
            return Optional.empty();
        }
        // One of the two Jacksons reads the literal null as no map at all.
        if (members != null
                && members.get("username") instanceof String username
                && members.get("password") instanceof String password) {
            return credentials(username, password);
        }
        return Optional.empty();
    }

    private static Optional<PasswordCredentials> credentials(String username, String password) {
        try {
            return Optional.of(new PasswordCredentials(username, Secret.of(password)));
        } catch (IllegalArgumentException e) {
            // JSON can escape a lone surrogate, and UTF-8 cannot carry it.
            return Optional.empty();
        }
    }
}
