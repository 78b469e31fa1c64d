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
 * What a verified token says of who bears it, read in one walk over its claims: authorities, how it was proved, the login it belongs to,
 * and the attributes that a {@link Subject} can have, which are read when somebody asks for them. What another issuer wrote and no subject can
 * have is left out.
 */
final class TokenSubject {

    private final VerifiedJwt jwt;
    private final String authoritiesClaim;
    private List<String> authorities = List.of();
    private List<String> methods = List.of();
    private long time;
    private @Nullable String session;
    private boolean hasAttributes;

    private TokenSubject(VerifiedJwt jwt, String authoritiesClaim) {
        this.jwt = jwt;
        this.authoritiesClaim = authoritiesClaim;
    }

    /** @throws ClaimTypeException if the authorities are no list of strings */
    static TokenSubject of(VerifiedJwt jwt, String authoritiesClaim) {
        TokenSubject subject = new TokenSubject(jwt, authoritiesClaim);
        JsonMember member = jwt.beforeFirstClaim();
        while (member.next()) {
            if (!jwt.isRegisteredAt(member.valueStart())) {
                subject.read(member);
            }
        }
        return subject;
    }

    private void read(JsonMember claim) {
        if (claim.isNamed(authoritiesClaim)) {
            authorities = authoritiesIn(authoritiesClaim, claim.value());
        } else if (claim.isNamed(JwtRevocations.SESSION_CLAIM)) {
            session = claim.value() instanceof String text ? text : null;
        } else if (claim.isNamed(JwtAuthPlugin.METHODS_CLAIM)) {
            methods = Objects.requireNonNullElse(textsIn(claim.value()), List.of());
        } else if (claim.isNamed(JwtAuthPlugin.TIME_CLAIM)) {
            time = claim.value() instanceof Long seconds ? seconds : 0;
        } else {
            hasAttributes = true;
        }
    }

    /**
     * The subject of this id.
     *
     * @throws IllegalArgumentException if that is no id, or an authority is none
     */
    Subject named(String id) {
        Subject subject = new Subject(id, setOf(authorities));
        return hasAttributes ? subject.withClaimsOnDemand(() -> attributesOf(jwt, authoritiesClaim)) : subject;
    }

    /** What else has a meaning of its own in tokens, no {@link Subject} can have. */
    private static Map<String, Object> attributesOf(VerifiedJwt jwt, String authoritiesClaim) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        JsonMember claim = jwt.beforeFirstClaim();
        while (claim.next()) {
            if (!jwt.isRegisteredAt(claim.valueStart()) && !claim.isNamed(authoritiesClaim)) {
                Object value = claim.value();
                attributes.put(
                        claim.name(), value instanceof BigDecimal decimal ? (Object) decimal.doubleValue() : value);
            }
        }
        return attributes;
    }

    /** How it was proved; nothing is known where the token does not say, or says it in another way. */
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

    /** The login that the token belongs to. */
    @Nullable
    String session() {
        return session;
    }

    /** {@code Set.copyOf} makes a hash set on the way, which for none or one, as most tokens have, is most of the cost. */
    private static Set<String> setOf(List<String> texts) {
        return switch (texts.size()) {
            case 0 -> Set.of();
            case 1 -> Set.of(texts.get(0));
            default -> Set.copyOf(texts);
        };
    }

    private static List<String> authoritiesIn(String claim, Object value) {
        if (value instanceof JsonNull) {
            return List.of();
        }
        List<String> texts = textsIn(value);
        if (texts == null) {
            throw new ClaimTypeException(claim, "a list of strings", value);
        }
        return texts;
    }

    /** Null where it is no list of strings. */
    @SuppressWarnings("unchecked")
    private static @Nullable List<String> textsIn(Object value) {
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
