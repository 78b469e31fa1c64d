package dev.latchkey.auth.engine;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.json.JsonMembers;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The body of a request, which can be read once: a JSON object with possible secrets. */
@FunctionalInterface
public interface JsonBody {

    /** A body is no JSON object, is too long, or has a malformed text. The message has none of the body. */
    final class MalformedBodyException extends IllegalArgumentException {

        private MalformedBodyException(String why) {
            super(why);
        }
    }

    /**
     * Opens the body.
     *
     * @return the bytes
     * @throws IOException if the connection broke
     */
    InputStream open() throws IOException;

    /**
     * Reads the body. A framework's reader of JSON quotes the body in its messages, and the messages reach the log.
     *
     * @return the members of the JSON object
     * @throws MalformedBodyException if the body is no JSON object in UTF-8, or has more than 64 KB
     */
    default JsonMembers read() {
        int most = 1 << 16;
        byte[] bytes;
        try (InputStream opened = open()) {
            bytes = opened.readNBytes(most + 1);
        } catch (IOException e) {
            throw new MalformedBodyException("The body has no end");
        }
        if (bytes.length > most) {
            throw new MalformedBodyException("The body has more than 64 KB");
        }
        try {
            return JsonMembers.of(bytes);
        } catch (IllegalArgumentException e) {
            throw new MalformedBodyException("The body is no JSON object");
        }
    }

    /**
     * A text as a secret.
     *
     * @param fields of a request
     * @param name of the field
     * @return an empty secret without such a field
     * @throws MalformedBodyException if the text is malformed
     */
    static Secret secretIn(Map<String, String> fields, String name) {
        try {
            return Secret.of(Objects.requireNonNullElse(fields.get(name), ""));
        } catch (IllegalArgumentException e) {
            throw new MalformedBodyException("A text has half of a surrogate pair");
        }
    }

    /**
     * The responses to the steps of all plugins: the fields besides the fields of a login.
     *
     * @param fields of a request
     * @param ofTheLogin names of fields that are no responses
     * @return the other fields, by their names
     * @throws MalformedBodyException if a text is malformed
     */
    static Map<String, Secret> responsesIn(Map<String, String> fields, Set<String> ofTheLogin) {
        Map<String, Secret> responses = new HashMap<>();
        for (String name : fields.keySet()) {
            if (!ofTheLogin.contains(name)) {
                responses.put(name, secretIn(fields, name));
            }
        }
        return responses;
    }
}
