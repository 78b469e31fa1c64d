package dev.latchkey.examples.directory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.latchkey.auth.PasswordCredentials;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The question, as JSON: {@code {"username": …, "password": …}}, in the body, since paths and queries end in logs. */
final class DirectoryRequest {

    static final int MAX_NAME_CHARS = 255;
    static final int MAX_PASSWORD_BYTES = 1024;

    private static final JsonMapper JSON = new JsonMapper();

    private DirectoryRequest() {}

    /**
     * Whether the directory can be asked at all. Any client can send a megabyte, or a name with broken Unicode. If the
     * directory had to refuse such names, attackers could make the directory look broken and open the circuit for all clients.
     */
    static boolean canHold(PasswordCredentials login) {
        return login.username().length() <= MAX_NAME_CHARS
                && login.password().length() <= MAX_PASSWORD_BYTES
                && StandardCharsets.UTF_8.newEncoder().canEncode(login.username());
    }

    static BodyPublisher bodyOf(PasswordCredentials login) throws JsonProcessingException {
        String password = login.password().withText(CharSequence::toString);
        return BodyPublishers.ofByteArray(
                JSON.writeValueAsBytes(Map.of("username", login.username(), "password", password)));
    }
}
