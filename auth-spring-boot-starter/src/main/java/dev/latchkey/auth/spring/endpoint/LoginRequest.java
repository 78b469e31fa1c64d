package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.util.Map;
import java.util.Optional;

/** The fields of a login: {@code username} and {@code password}. */
final class LoginRequest {

    private LoginRequest() {}

    /** Empty where one of the two is missing, or holds what no password can. */
    static Optional<PasswordCredentials> from(Map<String, String> fields) {
        String username = fields.get("username");
        String password = fields.get("password");
        if (username == null || password == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PasswordCredentials(username, Secret.of(password)));
        } catch (IllegalArgumentException e) {
            // JSON can escape a lone surrogate, and UTF-8 cannot carry it.
            return Optional.empty();
        }
    }
}
