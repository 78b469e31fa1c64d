package dev.latchkey.auth;

import java.io.Serializable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An authenticated account or service: a stable id, its authorities and a few attributes. A subject is not a user
 * record. Serializable, because stored sessions have a subject as their principal. Deserialization checks the values
 * like the constructor.
 *
 * @param id the {@code sub} of tokens and the key of revocations; 1 to 255 characters, no control characters, no half of a surrogate pair
 * @param authorities in the form of Spring Security, {@code ROLE_ADMIN} or {@code SCOPE_read}; unordered
 * @param claims attributes with a place in the subject's tokens: strings, whole numbers ({@code Long}),
 *     {@code Double}s, booleans and lists of strings. At most 32, with at most 2,048 characters in all. The names of a
 *     token's own claims ({@code sub}, {@code exp}, {@code authorities} and the like) are not allowed. Any holder of a
 *     token can read the claims
 */
public record Subject(String id, Set<String> authorities, Map<String, Object> claims) implements Serializable {

    /** The claim with the id of the account that acts as the subject: RFC 8693, section 4.1. */
    public static final String ACTOR_CLAIM = "act";

    /** The claim with the id of the key that was shown in place of the subject's own login. A key has fewer rights. */
    public static final String KEY_CLAIM = "api_key";

    private static final int MAX_ID_LENGTH = 255;

    /**
     * Checks and copies the values.
     *
     * @param id 1 to 255 characters, not blank, no control characters, no half of a surrogate pair
     * @param authorities not blank
     * @param claims allowed names, types and sizes
     * @throws IllegalArgumentException if the id is not as described, an authority is blank, or a claim is not allowed
     */
    public Subject {
        if (!isId(id)) {
            throw new IllegalArgumentException("A subject's id has 1 to " + MAX_ID_LENGTH
                    + " characters, is not blank, and has no control characters and no half of a surrogate pair");
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
     * Whether a text can be the id of a subject.
     *
     * @param text from any caller
     * @return {@code false} if {@link #Subject(String, Set, Map)} would reject the id
     */
    public static boolean isId(String text) {
        return !text.isBlank() && text.length() <= MAX_ID_LENGTH && isPlain(text);
    }

    /**
     * A subject without claims.
     *
     * @param id the plugin's name of the account; 1 to 255 characters
     * @param authorities of the subject; not blank
     */
    public Subject(String id, Set<String> authorities) {
        this(id, authorities, Map.of());
    }

    /**
     * A subject without authorities and claims.
     *
     * @param id the plugin's name of the account
     * @return a subject with this id
     * @throws IllegalArgumentException if the id is blank, too long, or has control characters or half of a surrogate pair
     */
    public static Subject of(String id) {
        return new Subject(id, Set.of());
    }

    /**
     * A copy with another id.
     *
     * @param id 1 to 255 characters, no control characters, no half of a surrogate pair
     * @return another subject
     * @throws IllegalArgumentException if the id is blank, too long, or has control characters or half of a surrogate pair
     */
    public Subject withId(String id) {
        return new Subject(id, authorities, claims);
    }

    /**
     * A copy with only these authorities.
     *
     * @param authorities not blank, in any order
     * @return another subject
     */
    public Subject withAuthorities(String... authorities) {
        return new Subject(id, Set.of(authorities), claims);
    }

    /**
     * A copy with only these authorities.
     *
     * @param authorities not blank, in any order
     * @return another subject
     */
    public Subject withAuthorities(Collection<String> authorities) {
        return new Subject(id, Set.copyOf(authorities), claims);
    }

    /**
     * A copy with this claim. An earlier claim of the same name is replaced.
     *
     * @param name a short name, also the name of the claim in tokens
     * @param value text, a number, a boolean, or a list of strings
     * @return another subject
     * @throws IllegalArgumentException if the name, type or size is not allowed
     */
    public Subject withClaim(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(claims);
        more.put(name, value);
        return new Subject(id, authorities, more);
    }

    /**
     * A copy with only these claims.
     *
     * @param claims with allowed names, types and sizes
     * @return another subject
     * @throws IllegalArgumentException if the name, type or size of a claim is not allowed
     */
    public Subject withClaims(Map<String, ?> claims) {
        return new Subject(id, authorities, SubjectClaims.copyOf(claims));
    }

    /**
     * A copy with only the allowed claims of this map, for foreign claims such as the claims of another issuer's token. If not
     * all claims fit, {@link #ACTOR_CLAIM} and {@link #KEY_CLAIM} are kept. A value of these two claims that is no id becomes an
     * empty text.
     *
     * @param claims from another party; forbidden claims are left out silently
     * @return another subject
     */
    public Subject withClaimsThatFit(Map<String, ?> claims) {
        return new Subject(id, authorities, SubjectClaims.fittingOf(claims));
    }

    /**
     * Like {@link #withClaimsThatFit}, with claims that are read at the first use. So claims cost nothing in a request
     * without use of claims.
     *
     * @param claims returns the same claims each time, throws nothing, and may be called by several threads
     * @return another subject
     */
    public Subject withClaimsOnDemand(Supplier<? extends Map<String, ?>> claims) {
        return new Subject(id, authorities, SubjectClaims.onDemand(Objects.requireNonNull(claims, "claims")));
    }

    /**
     * The account that acts as this subject, for example a supporter as a customer. Such an account manages none of the
     * subject's sessions and credentials.
     *
     * @return the id of the account; empty for a login of the subject itself
     */
    public Optional<String> actor() {
        return claims.get(ACTOR_CLAIM) instanceof String id ? Optional.of(id) : Optional.empty();
    }

    /**
     * Whether the subject itself logged in. Only then the request may manage the subject's sessions and credentials.
     *
     * @return {@code false} if a key was shown, or if another account acts as the subject
     */
    public boolean isOwnLogin() {
        return !claims.containsKey(KEY_CLAIM) && !claims.containsKey(ACTOR_CLAIM);
    }

    /**
     * The id alone. Spring Session takes this text for the name of a principal. Claims may be personal data, and logs have
     * many readers.
     */
    @Override
    public String toString() {
        return id;
    }

    /**
     * Whether a text has no control character and no half of a surrogate pair. A database driver may store such a half as a
     * question mark, and two ids would be equal in its tables. Each request creates a subject: a stream here would cost
     * more than the rest.
     */
    static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
