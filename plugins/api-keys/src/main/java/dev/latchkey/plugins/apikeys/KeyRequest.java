package dev.latchkey.plugins.apikeys;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for a key.
 *
 * @param name for people: 1 to 100 characters, not blank, no control characters
 * @param scopes the permissions, each {@code SCOPE_<scope>}; a key without scopes still proves the account
 * @param lifetime of the key; null for no end
 */
public record KeyRequest(
        String name, Set<String> scopes, @Nullable Duration lifetime) {

    private static final int LONGEST_NAME = 100;
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(36_500);

    /**
     * Checks the values.
     *
     * @param name 1 to 100 characters, not blank, no control characters
     * @param scopes the permissions; possibly empty
     * @param lifetime of the key; null for no end
     * @throws IllegalArgumentException if such a key is not possible; the message names the reason without the values
     */
    public KeyRequest {
        requireName(name);
        scopes = KeyScopes.requireScopes(scopes);
        if (lifetime != null) {
            requireLifetime(lifetime);
        }
    }

    /**
     * A key without an end.
     *
     * @param name for people: 1 to 100 characters, not blank, no control characters
     * @param scopes the permissions; possibly empty
     * @return a request
     */
    public static KeyRequest named(String name, String... scopes) {
        return new KeyRequest(name, Set.of(scopes), null);
    }

    /**
     * A copy with this lifetime.
     *
     * @param lifetime from the issue on
     * @return another request
     */
    public KeyRequest lasting(Duration lifetime) {
        return new KeyRequest(name, scopes, lifetime);
    }

    static void requireName(String name) {
        if (name.isBlank()
                || name.length() > LONGEST_NAME
                || name.chars().anyMatch(Character::isISOControl)
                || name.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new IllegalArgumentException("A key's name has 1 to " + LONGEST_NAME
                    + " characters, is not blank and has no control characters");
        }
    }

    static void requireLifetime(Duration lifetime) {
        if (lifetime.compareTo(Duration.ofMillis(1)) < 0 || lifetime.compareTo(LONGEST_LIFETIME) > 0) {
            throw new IllegalArgumentException("A key's lifetime is a millisecond to a hundred years");
        }
    }
}
