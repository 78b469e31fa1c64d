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

/**
 * Which attributes a subject may have: few, small, of types that JSON has, and none under a name that means something in a token.
 */
final class SubjectClaims {

    private static final int MOST = 32;
    private static final int MAX_NAME_LENGTH = 64;

    /** Of all names and values together, since they are sent with every request. */
    private static final int MAX_LENGTH = 2_048;

    private static final int LENGTH_OF_NUMBER = 20;

    /** RFC 7519 section 4.1, and what tokens of a login carry besides. */
    private static final Set<String> RESERVED =
            Set.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "authorities", "sid", "amr", "auth_time");

    private final Map<String, Object> claims = new LinkedHashMap<>();
    private int length;

    private SubjectClaims() {}

    /**
     * Claims that were checked: nobody changes them, and nobody needs to check them again. They are made when somebody looks at them, which
     * most requests do not. Threads that look at once may each make them, and they are equal.
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

        /** What was stored is checked as if it were made anew. */
        @Serial
        private Object writeReplace() {
            return new LinkedHashMap<>(claims());
        }
    }

    /**
     * A copy that nobody changes.
     *
     * @throws IllegalArgumentException if a subject cannot have all of them
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

    /** Those that a subject can have, the first of them where there are too many. */
    static Map<String, Object> fittingOf(Map<String, ?> given) {
        Map<String, Object> fitting = fitting(given);
        return new Checked(() -> fitting);
    }

    /** The same, of claims that are read when somebody looks at them. */
    static Map<String, Object> onDemand(Supplier<? extends Map<String, ?>> given) {
        return new Checked(() -> fitting(given.get()));
    }

    private static Map<String, Object> fitting(Map<String, ?> given) {
        SubjectClaims copy = new SubjectClaims();
        given.forEach(copy::add);
        return copy.claims;
    }

    /** Why this one cannot be added; null where it was. */
    private @Nullable String add(String name, Object value) {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || Subject.hasControl(name)) {
            return "A claim's name has 1 to " + MAX_NAME_LENGTH
                    + " characters, is not blank and has no control characters";
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
