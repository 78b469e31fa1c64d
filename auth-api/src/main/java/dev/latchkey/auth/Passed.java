package dev.latchkey.auth;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A step that the caller has passed, and what the step adds to the login. The chain adds the step's {@linkplain Challenged#method() method} to the factors.
 *
 * @param factors further authentication methods that the step has proved, as {@link Factors} names them
 * @param authorities authorities that the login has in addition; unordered
 * @param claims attributes that the subject has in addition, as {@link Subject#claims()}; an attribute that the login has already stays as it is
 * @param validUntil when the login ends at the latest; {@link Instant#MAX} where the step sets no end
 */
public record Passed(Set<String> factors, Set<String> authorities, Map<String, Object> claims, Instant validUntil)
        implements StepResult {

    private static final Passed STEP = new Passed(Set.of(), Set.of(), Map.of(), Instant.MAX);

    /**
     * @param factors further authentication methods that the step has proved, as {@link Factors} names them
     * @param authorities authorities that the login has in addition; unordered
     * @param claims attributes that the subject has in addition, as {@link Subject#claims()}
     * @param validUntil when the login ends at the latest; {@link Instant#MAX} where the step sets no end
     * @throws IllegalArgumentException if the name, type or size of a claim is not allowed
     */
    public Passed {
        factors = Set.copyOf(factors);
        authorities = Set.copyOf(authorities);
        claims = SubjectClaims.copyOf(claims);
        Objects.requireNonNull(validUntil, "validUntil");
    }

    /**
     * A step that adds nothing but its method.
     *
     * @return always the same value
     */
    public static Passed step() {
        return STEP;
    }

    /**
     * The same with these factors besides the step's method.
     *
     * @param factors as {@link Factors} names them
     * @return another value
     */
    public Passed withFactors(String... factors) {
        return new Passed(Set.of(factors), authorities, claims, validUntil);
    }

    /**
     * The same with these authorities for the login.
     *
     * @param authorities as {@link Subject#authorities()}
     * @return another value
     */
    public Passed withAuthorities(Collection<String> authorities) {
        return new Passed(factors, Set.copyOf(authorities), claims, validUntil);
    }

    /**
     * The same with these claims for the subject.
     *
     * @param claims as {@link Subject#claims()}
     * @return another value
     * @throws IllegalArgumentException if the name, type or size of a claim is not allowed
     */
    public Passed withClaims(Map<String, Object> claims) {
        return new Passed(factors, authorities, claims, validUntil);
    }

    /**
     * The same with an end of the login.
     *
     * @param end when the login ends at the latest
     * @return another value
     */
    public Passed until(Instant end) {
        return new Passed(factors, authorities, claims, end);
    }
}
