package dev.latchkey.auth;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A passed step, with the additions to the login. The chain adds the step's {@linkplain Challenged#method() method} to
 * the factors.
 *
 * @param factors further proved authentication methods, as {@link Factors} names them
 * @param authorities additional authorities of the login; unordered
 * @param claims additional attributes of the subject, as {@link Subject#claims()}. If the login already has an attribute
 *     of the same name, the login keeps its own value
 * @param validUntil the latest end of the login; {@link Instant#MAX} if the step sets no end
 */
public record Passed(Set<String> factors, Set<String> authorities, Map<String, Object> claims, Instant validUntil)
        implements StepResult {

    private static final Passed STEP = new Passed(Set.of(), Set.of(), Map.of(), Instant.MAX);

    /**
     * Checks and copies the values.
     *
     * @param factors further proved authentication methods, as {@link Factors} names them
     * @param authorities additional authorities of the login
     * @param claims additional attributes of the subject, as {@link Subject#claims()}
     * @param validUntil the latest end of the login; {@link Instant#MAX} if the step sets no end
     * @throws IllegalArgumentException if the name, type or size of a claim is not allowed
     */
    public Passed {
        factors = Set.copyOf(factors);
        authorities = Set.copyOf(authorities);
        claims = SubjectClaims.copyOf(claims);
        Objects.requireNonNull(validUntil, "validUntil");
    }

    /**
     * A step without additions except its method.
     *
     * @return always the same value
     */
    public static Passed step() {
        return STEP;
    }

    /**
     * A copy with these factors besides the step's method.
     *
     * @param factors as {@link Factors} names them
     * @return another value
     * @throws IllegalArgumentException if a factor occurs twice
     */
    public Passed withFactors(String... factors) {
        return new Passed(Set.of(factors), authorities, claims, validUntil);
    }

    /**
     * A copy with these authorities for the login.
     *
     * @param authorities as {@link Subject#authorities()}
     * @return another value
     */
    public Passed withAuthorities(Collection<String> authorities) {
        return new Passed(factors, Set.copyOf(authorities), claims, validUntil);
    }

    /**
     * A copy with these claims for the subject.
     *
     * @param claims as {@link Subject#claims()}
     * @return another value
     * @throws IllegalArgumentException if the name, type or size of a claim is not allowed
     */
    public Passed withClaims(Map<String, Object> claims) {
        return new Passed(factors, authorities, claims, validUntil);
    }

    /**
     * A copy with an end of the login.
     *
     * @param end the latest end of the login
     * @return another value
     */
    public Passed until(Instant end) {
        return new Passed(factors, authorities, claims, end);
    }
}
