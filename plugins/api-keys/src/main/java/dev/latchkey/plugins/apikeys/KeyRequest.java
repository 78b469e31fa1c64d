package dev.latchkey.plugins.apikeys;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What key is wanted.
 *
 * @param name for people: 1 to 100 characters, not blank, no control characters
 * @param scopes what it may do, {@code SCOPE_<scope>} each; may be empty, which still proves the account
 * @param lifetime how long it is good; null for no end
 */
public record KeyRequest(
        String name, Set<String> scopes, @Nullable Duration lifetime) {

    private static final int LONGEST_NAME = 100;
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(36_500);

    /**
     * @param name for people: 1 to 100 characters, not blank, no control characters
     * @param scopes what it may do, {@code SCOPE_<scope>} each; may be empty, which still proves the account
     * @param lifetime how long it is good; null for no end
     * @throws IllegalArgumentException if there can be no such key; the message says why, and repeats nothing of it
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
     * @param scopes what the key may do; may be none
     * @return a request to be changed or used
     */
    public static KeyRequest named(String name, String... scopes) {
        return new KeyRequest(name, Set.of(scopes), null);
    }

    /**
     * The same, good for so long.
     *
     * @param lifetime from the issue on
     * @return another one; this one stays as it is
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
            throw new IllegalArgumentException("A key is good for a time between a millisecond and a hundred years");
        }
    }
}
