package dev.latchkey.auth;

import java.util.Objects;
import java.util.Optional;

/**
 * An account name and a password, as HTTP Basic and login forms carry them.
 *
 * @param username compared by the plugin as its store does; may be empty, since anybody can send that
 * @param password never printed
 */
public record PasswordCredentials(String username, Secret password) implements Credentials {

    /**
     * Credentials as somebody sent them; nothing of them is checked.
     *
     * @param username compared by the plugin as its store does; may be empty, since anybody can send that
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
}
