package dev.latchkey.auth;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rules for a subject's attributes: few, small, of JSON types, and without the names of a token's own claims. */
final class SubjectClaims {

    private static final int MOST = 32;
    private static final int MAX_NAME_LENGTH = 64;

    /** The limit for all names and values together, because each request sends the claims. */
    private static final int MAX_LENGTH = 2_048;

    private static final int LENGTH_OF_NUMBER = 20;

    /** RFC 7519 section 4.1, the other claims of a login's tokens, and RFC 7800: a token with cnf is no bearer token. */
    private static final Set<String> RESERVED =
            Set.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "authorities", "sid", "amr", "auth_time", "cnf");

    /** Without these claims, the subject would count as logged in itself. */
    private static final List<String> DECIDING = List.of(Subject.ACTOR_CLAIM, Subject.KEY_CLAIM);

    private final Map<String, Object> claims = new LinkedHashMap<>();
    private int length;

    private SubjectClaims() {}

    /**
     * Checked, unmodifiable claims, with no need for a second check. The claims are created at the first use, because
     * most requests do not use claims. Concurrent threads may each create the claims, with equal results.
     */
    private static final class Checked extends AbstractMap<String, Object> implements Serializable {

        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Supplier<Map<String, Object>> source;
        private transient volatile @Nullable Map<String, Object> made;

        Checked(Supplier<Map<String, Object>> source) {
            this.source = source;
        }

        private Map<String, Object> claims() {
            Map<String, Object> claims = made;
            if (claims == null) {
                claims = source.get();
                made = claims;
            }
            return claims;
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return Collections.unmodifiableMap(claims()).entrySet();
        }

        @Override
        public @Nullable Object get(Object name) {
            return claims().get(name);
        }

        @Override
        public boolean containsKey(Object name) {
            return claims().containsKey(name);
        }

        /** Deserialized claims pass the checks of new claims. */
        @Serial
        private Object writeReplace() {
            return new LinkedHashMap<>(claims());
        }
    }

    /**
     * An unmodifiable copy.
     *
     * @throws IllegalArgumentException if a claim is not allowed
     */
    static Map<String, Object> copyOf(Map<String, ?> given) {
        if (given instanceof Checked checked) {
            return checked;
        }
        if (given.isEmpty()) {
            return Map.of();
        }
        SubjectClaims copy = new SubjectClaims();
        given.forEach((name, value) -> {
            String fault = copy.add(name, value);
            if (fault != null) {
                throw new IllegalArgumentException(fault);
            }
        });
        return new Checked(() -> copy.claims);
    }

    /**
     * The allowed claims; with too many claims, the first of them. The actor and the key come before all other claims.
     * If an actor or a key is not an id, the claim is an empty text.
     */
    static Map<String, Object> fittingOf(Map<String, ?> given) {
        Map<String, Object> fitting = fitting(given);
        return new Checked(() -> fitting);
    }

    /** Like {@link #fittingOf}, for claims created at the first use. */
    static Map<String, Object> onDemand(Supplier<? extends Map<String, ?>> given) {
        return new Checked(() -> fitting(given.get()));
    }

    private static Map<String, Object> fitting(Map<String, ?> given) {
        SubjectClaims copy = new SubjectClaims();
        for (String name : DECIDING) {
            Object value = given.get(name);
            if (value != null) {
                copy.add(name, value instanceof String id && Subject.isId(id) ? id : "");
            }
        }
        given.forEach((name, value) -> {
            if (!DECIDING.contains(name)) {
                copy.add(name, value);
            }
        });
        return copy.claims;
    }

    /** The reason against this claim; null if the claim was added. */
    private @Nullable String add(String name, Object value) {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || !Subject.isPlain(name)) {
            return "A claim's name has 1 to " + MAX_NAME_LENGTH
                    + " characters, is not blank, and has no control characters and no half of a surrogate pair";
        }
        if (RESERVED.contains(name)) {
            return "The claim '" + name + "' has a meaning of its own in tokens";
        }
        Object kept = keptFormOf(value);
        if (kept == null) {
            return "The claim '" + name
                    + "' must be a string, a whole number in the range of long, a finite double, a boolean or a list "
                    + "of strings";
        }
        int more = name.length() + lengthOf(kept);
        if (claims.size() == MOST || length + more > MAX_LENGTH) {
            return "A subject has at most " + MOST + " claims, of " + MAX_LENGTH + " characters in all, names included";
        }
        length += more;
        claims.put(name, kept);
        return null;
    }

    private static @Nullable Object keptFormOf(Object value) {
        if (value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        return value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)
                ? List.copyOf(list)
                : null;
    }

    private static int lengthOf(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().mapToInt(SubjectClaims::lengthOf).sum();
        }
        return value instanceof String text ? text.length() : LENGTH_OF_NUMBER;
    }
}
