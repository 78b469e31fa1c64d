package dev.latchkey.auth;

import java.io.Serializable;
import java.util.Collection;
import java.util.Set;

/**
 * Who was authenticated: a stable id and the authorities that go with it. Not a user record. Serializable, since it is the principal of
 * sessions that are stored; what is read is checked as if it were made anew.
 *
 * @param id what tokens carry as {@code sub} and revocation refers to; 1 to 255 characters, no control characters
 * @param authorities as Spring Security writes them, {@code ROLE_ADMIN} or {@code SCOPE_read}; unordered
 */
public record Subject(String id, Set<String> authorities) implements Serializable {

    private static final int MAX_ID_LENGTH = 255;

    /** @throws IllegalArgumentException if the id is blank, too long or has control characters, or an authority is blank */
    public Subject {
        if (id.isBlank() || id.length() > MAX_ID_LENGTH || hasControl(id)) {
            throw new IllegalArgumentException("A subject's id has 1 to " + MAX_ID_LENGTH
                    + " characters, is not blank and has no control characters");
        }
        authorities = Set.copyOf(authorities);
        for (String authority : authorities) {
            if (authority.isBlank()) {
                throw new IllegalArgumentException("An authority must not be blank");
            }
        }
    }

    public static Subject of(String id) {
        return new Subject(id, Set.of());
    }

    public Subject withAuthorities(String... authorities) {
        return new Subject(id, Set.of(authorities));
    }

    public Subject withAuthorities(Collection<String> authorities) {
        return new Subject(id, Set.copyOf(authorities));
    }

    /** A subject is made for each request: a stream here would cost more than the rest. */
    private static boolean hasControl(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (Character.isISOControl(id.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
