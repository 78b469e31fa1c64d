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
     * Whether it can be asked at all. Anybody can send a megabyte, or a name that is no Unicode; were that left to the directory to refuse,
     * strangers could make it look broken and open the circuit for all.
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
