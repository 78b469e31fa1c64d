package dev.latchkey.auth;

import java.io.Serializable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An authenticated account or service: a stable id, its authorities and a few attributes. It is not a user record. Serializable, since stored sessions
 * have it as their principal; deserialization checks it like the constructor.
 *
 * @param id what tokens carry as {@code sub} and revocation refers to; 1 to 255 characters, no control characters
 * @param authorities as Spring Security writes them, {@code ROLE_ADMIN} or {@code SCOPE_read}; unordered
 * @param claims attributes that become claims of the subject's tokens and come back from them: strings, whole numbers ({@code Long}), {@code Double}s,
 *     booleans and lists of strings. At most 32, with at most 2,048 characters in all. Names that tokens use themselves ({@code sub}, {@code exp},
 *     {@code authorities} and the like) are not allowed. Anybody who has a token can read them
 */
public record Subject(String id, Set<String> authorities, Map<String, Object> claims) implements Serializable {

    private static final int MAX_ID_LENGTH = 255;

    /**
     * @param id what tokens carry as {@code sub} and revocation refers to; 1 to 255 characters, no control characters
     * @param authorities as Spring Security writes them, {@code ROLE_ADMIN} or {@code SCOPE_read}; unordered
     * @param claims attributes that become claims of the subject's tokens and come back from them: strings, whole numbers ({@code Long}), {@code
     *     Double}s, booleans and lists of strings. 32 at most, of 2,048 characters in all; not under the names that tokens use themselves ({@code
     *     sub}, {@code exp}, {@code authorities} and the like). Whoever has a token can read them
     * @throws IllegalArgumentException if the id is blank, too long or has control characters, if an authority is blank, or if the name, type or size of
     *     a claim is not allowed
     */
    public Subject {
        if (!isId(id)) {
            throw new IllegalArgumentException("A subject's id has 1 to " + MAX_ID_LENGTH
                    + " characters, is not blank and has no control characters");
        }
        authorities = Set.copyOf(authorities);
        for (String authority : authorities) {
            if (authority.isBlank()) {
                throw new IllegalArgumentException("An authority must not be blank");
            }
        }
        claims = SubjectClaims.copyOf(claims);
    }

    /**
     * Whether this can be the id of a subject.
     *
     * @param text whatever somebody sent
     * @return {@code false} for what {@link #Subject(String, Set, Map)} would refuse as an id
     */
    public static boolean isId(String text) {
        return !text.isBlank() && text.length() <= MAX_ID_LENGTH && !hasControl(text);
    }

    /**
     * A subject without claims.
     *
     * @param id as the plugin names the account; 1 to 255 characters
     * @param authorities what the subject may do; none of them blank
     */
    public Subject(String id, Set<String> authorities) {
        this(id, authorities, Map.of());
    }

    /**
     * A subject without authorities and claims.
     *
     * @param id as the plugin names the account
     * @return a subject of this id
     * @throws IllegalArgumentException if the id is blank, too long or has control characters
     */
    public static Subject of(String id) {
        return new Subject(id, Set.of());
    }

    /**
     * The same under another id.
     *
     * @param id 1 to 255 characters, no control characters
     * @return another subject; this one stays as it is
     * @throws IllegalArgumentException if the id is blank, too long or has control characters
     */
    public Subject withId(String id) {
        return new Subject(id, authorities, claims);
    }

    /**
     * The same with these authorities in place of all others.
     *
     * @param authorities none of them blank; the order does not matter
     * @return another subject; this one stays as it is
     */
    public Subject withAuthorities(String... authorities) {
        return new Subject(id, Set.of(authorities), claims);
    }

    /**
     * The same with these authorities in place of all others.
     *
     * @param authorities none of them blank; the order does not matter
     * @return another subject; this one stays as it is
     */
    public Subject withAuthorities(Collection<String> authorities) {
        return new Subject(id, Set.copyOf(authorities), claims);
    }

    /**
     * The same with this claim, in place of one of its name.
     *
     * @param name a short name, under which tokens show the claim
     * @param value text, a number, a boolean, or a list or map of these
     * @return another subject; this one stays as it is
     * @throws IllegalArgumentException if its name, type or size is not allowed
     */
    public Subject withClaim(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(claims);
        more.put(name, value);
        return new Subject(id, authorities, more);
    }

    /**
     * The same with these claims in place of all others.
     *
     * @param claims each of a name, a type and a size that a claim may have
     * @return another subject; this one stays as it is
     */
    public Subject withClaims(Map<String, ?> claims) {
        return new Subject(id, authorities, SubjectClaims.copyOf(claims));
    }

    /**
     * The same with those of these claims that are allowed, for claims of somebody else such as another issuer's token.
     *
     * @param claims what does not fit among them is left out without a word
     * @return another subject; this one stays as it is
     */
    public Subject withClaimsThatFit(Map<String, ?> claims) {
        return new Subject(id, authorities, SubjectClaims.fittingOf(claims));
    }

    /**
     * The same with those of these claims that are allowed. They are read when they are first asked for, so they cost nothing in a request that needs none.
     *
     * @param claims returns the same claims each time, throws nothing, and may be called by several threads at once
     * @return another subject; this one stays as it is
     */
    public Subject withClaimsOnDemand(Supplier<? extends Map<String, ?>> claims) {
        return new Subject(id, authorities, SubjectClaims.onDemand(Objects.requireNonNull(claims, "claims")));
    }

    /** Without the claims, which may be personal, where a log is read by many. */
    @Override
    public String toString() {
        return "Subject[id=" + id + ", authorities=" + authorities + "]";
    }

    /** A subject is made for each request: a stream here would cost more than the rest. */
    static boolean hasControl(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (Character.isISOControl(id.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
