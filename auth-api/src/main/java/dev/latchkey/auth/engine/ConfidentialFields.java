package dev.latchkey.auth.engine;

import dev.latchkey.auth.Secret;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The members of a JSON object with possible secrets, in a request or an answer. At DEBUG, Spring prints bodies; this class prints
 * no content.
 *
 * @param <V> the type of the values
 */
public final class ConfidentialFields<V> extends LinkedHashMap<String, V> {

    /** A text with half of a surrogate pair, which JSON allows. */
    public static final class MalformedTextException extends IllegalArgumentException {

        private MalformedTextException() {
            super("A text has half of a surrogate pair");
        }
    }

    /** Without members. */
    public ConfidentialFields() {}

    /**
     * With these members.
     *
     * @param fields copied
     */
    public ConfidentialFields(Map<String, V> fields) {
        super(fields);
    }

    /**
     * A text as a secret.
     *
     * @param fields of a request
     * @param name of the field
     * @return an empty secret without such a field
     * @throws MalformedTextException if the text is malformed
     */
    public static Secret secretIn(Map<String, String> fields, String name) {
        try {
            return Secret.of(Objects.requireNonNullElse(fields.get(name), ""));
        } catch (IllegalArgumentException e) {
            throw new MalformedTextException();
        }
    }

    /**
     * The responses to the steps of all plugins: the fields besides the fields of a login.
     *
     * @param fields of a request
     * @param ofTheLogin names of fields that are no responses
     * @return the other fields, by their names
     * @throws MalformedTextException if a text is malformed
     */
    public static Map<String, Secret> responsesIn(Map<String, String> fields, Set<String> ofTheLogin) {
        Map<String, Secret> responses = new HashMap<>();
        for (String name : fields.keySet()) {
            if (!ofTheLogin.contains(name)) {
                responses.put(name, secretIn(fields, name));
            }
        }
        return responses;
    }

    @Override
    public String toString() {
        return "(not printed)";
    }
}
