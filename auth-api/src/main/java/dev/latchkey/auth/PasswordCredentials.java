package dev.latchkey.auth;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An account name and a password, from HTTP Basic or a login form.
 *
 * @param username from any caller, so possibly empty; the plugin compares names in the way of its store
 * @param password never printed
 */
public record PasswordCredentials(String username, Secret password) implements Credentials {

    /**
     * Unchecked credentials from a request.
     *
     * @param username possibly empty
     * @param password never printed
     */
    public PasswordCredentials {
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(password, "password");
    }

    @Override
    public Optional<String> account() {
        return Optional.of(username);
    }

    @Override
    public List<Secret> secrets() {
        return List.of(password);
    }
}
