package dev.latchkey.auth.jwt;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The subject's data in a verified token: authorities, factors, session, and the attributes of the {@link Subject}. One
 * walk reads the claims, and attributes are read on demand. Foreign claims that do not fit a subject are ignored.
 */
final class TokenSubject {

    private final VerifiedJwt jwt;
    private final AuthorityClaims claims;
    private @Nullable List<String> authorities;
    private @Nullable List<String> oldAuthorities;
    private List<String> methods = List.of();
    private long time;
    private @Nullable String session;
    private @Nullable String actor;
    private boolean hasAttributes;

    private TokenSubject(VerifiedJwt jwt, AuthorityClaims claims) {
        this.jwt = jwt;
        this.claims = claims;
    }

    /** @throws ClaimTypeException if the authorities are not a list of strings */
    static TokenSubject of(VerifiedJwt jwt, AuthorityClaims claims) {
        TokenSubject subject = new TokenSubject(jwt, claims);
        JsonMember member = jwt.beforeFirstClaim();
        while (member.next()) {
            if (!jwt.isRegisteredAt(member.valueStart())) {
                subject.read(member);
            }
        }
        return subject;
    }

    private void read(JsonMember claim) {
        if (claim.isNamed(JwtAuthPlugin.AUTHORITIES_CLAIM)) {
            authorities = authoritiesIn(claim.value());
        } else if (claims.isOld(claim)) {
            oldAuthorities = claims.oldIn(claim.value());
        } else if (claim.isNamed(JwtRevocations.SESSION_CLAIM)) {
            session = claim.value() instanceof String text ? text : null;
        } else if (claim.isNamed(JwtAuthPlugin.METHODS_CLAIM)) {
            methods = Objects.requireNonNullElse(textsIn(claim.value()), List.of());
        } else if (claim.isNamed(JwtAuthPlugin.TIME_CLAIM)) {
            time = claim.value() instanceof Long seconds ? seconds : 0;
        } else if (claim.isNamed(Subject.ACTOR_CLAIM)) {
            actor = JwtRevocations.actorIn(claim.value()).orElse(null);
            hasAttributes |= actor != null;
        } else {
            hasAttributes = true;
        }
    }

    /**
     * The subject with this id.
     *
     * @throws IllegalArgumentException if the id, the id of the actor or an authority is invalid
     */
    Subject named(String id) {
        if (actor != null && !Subject.isId(actor)) {
            throw new IllegalArgumentException("The id of the actor is invalid");
        }
        List<String> own = authorities == null ? oldAuthorities : authorities;
        Subject subject = new Subject(id, setOf(own == null ? List.of() : own));
        return hasAttributes ? subject.withClaimsOnDemand(() -> attributesOf(jwt)) : subject;
    }

    /** Whether the token has no claim for authorities. */
    boolean hasNoAuthorities() {
        return authorities == null && oldAuthorities == null;
    }

    /** Excludes claims with a special meaning in tokens, because a {@link Subject} cannot have them. */
    private static Map<String, Object> attributesOf(VerifiedJwt jwt) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        JsonMember claim = jwt.beforeFirstClaim();
        while (claim.next()) {
            if (!jwt.isRegisteredAt(claim.valueStart()) && !claim.isNamed(JwtAuthPlugin.AUTHORITIES_CLAIM)) {
                Object value = claim.value();
                if (claim.isNamed(Subject.ACTOR_CLAIM)) {
                    // The attribute is a text, because an attribute cannot be an object. A text in the token is not an
                    // actor, and does not become an attribute.
                    value = JwtRevocations.actorIn(value).orElse(null);
                }
                if (value != null) {
                    attributes.put(
                            claim.name(), value instanceof BigDecimal decimal ? (Object) decimal.doubleValue() : value);
                }
            }
        }
        return attributes;
    }

    /** The factors of the login; {@link Factors#none()} if the token has none, or in another form. */
    Factors factors() {
        if (methods.isEmpty()) {
            return Factors.none();
        }
        try {
            return new Factors(setOf(methods), Instant.ofEpochSecond(time));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Factors.none();
        }
    }

    /** The token's session. */
    @Nullable
    String session() {
        return session;
    }

    /** The account that acts as the subject. */
    @Nullable
    String actor() {
        return actor;
    }

    /**
     * {@code Set.copyOf} builds a temporary hash set. For zero or one element, as in most tokens, that set would be
     * most of the cost.
     */
    private static Set<String> setOf(List<String> texts) {
        return switch (texts.size()) {
            case 0 -> Set.of();
            case 1 -> Set.of(texts.get(0));
            default -> Set.copyOf(texts);
        };
    }

    private static List<String> authoritiesIn(Object value) {
        if (value instanceof JsonNull) {
            return List.of();
        }
        List<String> texts = textsIn(value);
        if (texts == null) {
            throw new ClaimTypeException(JwtAuthPlugin.AUTHORITIES_CLAIM, "a list of strings", value);
        }
        return texts;
    }

    /** Null if the value is not a list of strings. */
    @SuppressWarnings("unchecked")
    static @Nullable List<String> textsIn(Object value) {
        if (!(value instanceof List<?> list)) {
            return null;
        }
        for (Object element : list) {
            if (!(element instanceof String)) {
                return null;
            }
        }
        return (List<String>) list;
    }
}
