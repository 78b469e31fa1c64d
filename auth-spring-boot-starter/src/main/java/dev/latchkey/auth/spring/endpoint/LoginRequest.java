package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginGrant;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a login: {@code username} and {@code password}; or {@code continuation} and {@code code}, where it goes on, and
 * {@code remember_device}, which is true or false; or those of another grant, with its {@code grant_type}.
 */
final class LoginRequest {

    /** JSON's words true and false are read for it too. */
    static final String REMEMBER = "remember_device";

    private static final String CONTINUATION = "continuation";

    private static final String GRANT_TYPE = "grant_type";

    /** RFC 6749 section 4.3.2. */
    private static final String PASSWORD_GRANT = "password";

    private final Map<String, String> fields;

    LoginRequest(Map<String, String> fields) {
        this.fields = fields;
    }

    boolean isContinuation() {
        return fields.containsKey(CONTINUATION);
    }

    String continuation() {
        return fields.getOrDefault(CONTINUATION, "");
    }

    /** The fields of the response to a step; empty where there is none, or a field is no text, or {@code remember_device} is neither word. */
    Optional<Map<String, Secret>> response() {
        String remember = fields.getOrDefault(REMEMBER, "false");
        if (!remember.equals("true") && !remember.equals("false")) {
            return Optional.empty();
        }
        Map<String, String> sent = new HashMap<>(fields);
        sent.keySet().removeAll(Set.of(CONTINUATION, REMEMBER));
        return sent.isEmpty() ? Optional.empty() : secrets(sent);
    }

    boolean isToBeRemembered() {
        return fields.getOrDefault(REMEMBER, "false").equals("true");
    }

    boolean isByPassword() {
        return fields.getOrDefault(GRANT_TYPE, PASSWORD_GRANT).equals(PASSWORD_GRANT);
    }

    /** The name and the password; empty where one of them is missing, or holds what no password can. */
    Optional<Credentials> credentials() {
        String username = fields.get("username");
        String password = fields.get("password");
        return username == null || password == null
                ? Optional.empty()
                : secret(password).map(secret -> new PasswordCredentials(username, secret));
    }

    /** The fields as a grant; empty where one of them holds what no text can. */
    Optional<LoginGrant> grant() {
        return secrets(fields).map(secrets -> LoginGrant.of(fields.getOrDefault(GRANT_TYPE, ""), secrets));
    }

    private static Optional<Map<String, Secret>> secrets(Map<String, String> fields) {
        Map<String, Secret> secrets = new HashMap<>();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            Optional<Secret> value = secret(field.getValue());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            secrets.put(field.getKey(), value.get());
        }
        return Optional.of(secrets);
    }

    private static Optional<Secret> secret(String text) {
        try {
            return Optional.of(Secret.of(text));
        } catch (IllegalArgumentException e) {
            // JSON can escape a lone surrogate, and UTF-8 cannot carry it.
            return Optional.empty();
        }
    }
}
