package dev.latchkey.auth.jwt;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims for a new token: its subject, its lifetime and more.
 *
 * <p>Immutable: each {@code with…} returns a new object and checks its value. An {@link IllegalArgumentException} names
 * the claim. Therefore no claim of a signed token is malformed for a {@link JwtVerifier}.
 */
public final class JwtClaims {

    private static final Set<String> REGISTERED = Set.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti");

    private final String subject;
    private final long lifetimeSeconds;

    @Nullable
    private final String issuer;

    /** A string or a list of strings. */
    @Nullable
    private final Object audience;

    @Nullable
    private final Instant notBefore;

    @Nullable
    private final Instant issuedAt;

    @Nullable
    private final String id;

    private final Map<String, Object> others;

    private JwtClaims(
            String subject,
            long lifetimeSeconds,
            @Nullable String issuer,
            @Nullable Object audience,
            @Nullable Instant notBefore,
            @Nullable Instant issuedAt,
            @Nullable String id,
            Map<String, Object> others) {
        this.subject = subject;
        this.lifetimeSeconds = lifetimeSeconds;
        this.issuer = issuer;
        this.audience = audience;
        this.notBefore = notBefore;
        this.issuedAt = issuedAt;
        this.id = id;
        this.others = others;
    }

    /**
     * Claims for this subject, with a lifetime from the time of signing.
     *
     * @param subject {@code sub}: not blank
     * @param lifetime at least one second; fractions of a second are dropped
     * @return claims without an issuer and an audience
     * @throws IllegalArgumentException if the subject is blank or has a lone surrogate, or the lifetime is too short or
     *     would end after the year 9999
     */
    public static JwtClaims forSubject(String subject, Duration lifetime) {
        if (subject.isBlank()) {
            throw new IllegalArgumentException("Claim 'sub' must not be blank");
        }
        long seconds = lifetime.toSeconds();
        if (seconds < 1 || seconds > NumericDate.MAX_SECOND) {
            throw new IllegalArgumentException(
                    "A token's lifetime must be at least one second and end before the year 10000");
        }
        return new JwtClaims(text("sub", subject), seconds, null, null, null, null, null, Map.of());
    }

    /**
     * Sets the issuer: {@code iss}.
     *
     * @param issuer verifiers compare each character
     * @return a changed copy
     */
    public JwtClaims withIssuer(String issuer) {
        text("iss", issuer);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * Sets the token's audience, {@code aud}, as one string.
     *
     * @param audience verifiers compare each character
     * @return a changed copy
     */
    public JwtClaims withAudience(String audience) {
        text("aud", audience);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * Sets the token's audiences, {@code aud}, as a list.
     *
     * @param audiences at least one, written in this order
     * @return a changed copy
     * @throws IllegalArgumentException if the collection is empty
     */
    public JwtClaims withAudiences(Collection<String> audiences) {
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException(
                    "Claim 'aud' must not be an empty list: the token would be meant for nobody");
        }
        audiences.forEach(audience -> text("aud", audience));
        List<String> audience = List.copyOf(audiences);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * Sets the start of the token's validity: {@code nbf}. Fractions of a second are dropped, so that a token for now
     * is valid now.
     *
     * @param notBefore may be in the future
     * @return a changed copy
     */
    public JwtClaims withNotBefore(Instant notBefore) {
        Instant second = wholeSecond("nbf", notBefore);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, second, issuedAt, id, others);
    }

    /**
     * Sets the time of issue, {@code iat}, instead of the time of signing. The lifetime starts at this time.
     *
     * @param issuedAt within the years 1 to 9999; fractions of a second are dropped
     * @return a changed copy
     */
    public JwtClaims withIssuedAt(Instant issuedAt) {
        Instant second = wholeSecond("iat", issuedAt);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, second, id, others);
    }

    /**
     * Sets the token's own id, {@code jti}. With a unique id, the token can be revoked alone.
     *
     * @param id unique for each token
     * @return a changed copy
     */
    public JwtClaims withId(String id) {
        text("jti", id);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * Sets a custom claim and replaces an earlier claim with the same name.
     *
     * @param name of the claim; compared character by character
     * @param value a string, a boolean, a finite number, a {@link Collection} or a {@link Map} with string keys of
     *     these values, or {@link JsonNull}; copied
     * @return a changed copy
     * @throws IllegalArgumentException if the value has another type or too many levels, a text has a lone surrogate, or
     *     another method here sets the claim with this name
     */
    public JwtClaims with(String name, Object value) {
        if (REGISTERED.contains(name)) {
            throw new IllegalArgumentException("Claim '" + name + "' has its own meaning and is set by its own method");
        }
        JsonText.requireWellFormed(name, "A claim's name");
        Map<String, Object> more = new LinkedHashMap<>(others);
        more.put(name, JsonValues.copyOf(name, value, 1));
        Map<String, Object> all = Collections.unmodifiableMap(more);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, all);
    }

    boolean hasId() {
        return id != null;
    }

    /** Writes the claims for a token signed at this second. */
    void writeTo(JsonWriter json, long now) {
        long issued = issuedAt == null ? now : issuedAt.getEpochSecond();
        if (issued > NumericDate.MAX_SECOND - lifetimeSeconds) {
            throw new IllegalArgumentException("The token's lifetime would end after the year 9999");
        }
        json.begin();
        if (issuer != null) {
            json.member(ClaimName.ISS, issuer);
        }
        json.member(ClaimName.SUB, subject);
        if (audience != null) {
            json.member(ClaimName.AUD, audience);
        }
        json.member(ClaimName.IAT, issued);
        if (notBefore != null) {
            json.member(ClaimName.NBF, notBefore.getEpochSecond());
        }
        json.member(ClaimName.EXP, issued + lifetimeSeconds);
        if (id != null) {
            json.member(ClaimName.JTI, id);
        }
        if (!others.isEmpty()) {
            others.forEach(json::member);
        }
        json.end();
    }

    private static String text(String claim, String value) {
        JsonText.requireWellFormed(value, "Claim '" + claim + "'");
        return value;
    }

    private static Instant wholeSecond(String claim, Instant instant) {
        long second = instant.getEpochSecond();
        if (second < NumericDate.MIN_SECOND || second > NumericDate.MAX_SECOND) {
            throw new IllegalArgumentException("Claim '" + claim + "' must lie within the years 1 to 9999");
        }
        return Instant.ofEpochSecond(second);
    }

    /** Prints only the lifetime: the other claims may be personal. */
    @Override
    public String toString() {
        return "JwtClaims[lifetime=" + Duration.ofSeconds(lifetimeSeconds) + "]";
    }
}
