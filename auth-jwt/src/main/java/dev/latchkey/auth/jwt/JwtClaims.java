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
 * The claims of a token that is to be signed: its subject, its lifetime and more.
 *
 * <p>Immutable: each {@code with…} gives a new value. Each value is checked when it is set; an {@link IllegalArgumentException} names the claim. So no
 * token is signed that {@link JwtVerifier} refuses.
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
     * Claims about this subject, good for this long from the time of signing.
     *
     * @param subject {@code sub}: not blank
     * @param lifetime at least one second; fractions of a second are dropped
     * @return claims about this subject, without an issuer and an audience
     * @throws IllegalArgumentException if the subject is blank or has a lone surrogate, or the lifetime is too short or would end after the year 9999
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
     * Who issues the token: {@code iss}.
     *
     * @param issuer compared by verifiers character by character
     * @return other claims; these stay as they are
     */
    public JwtClaims withIssuer(String issuer) {
        text("iss", issuer);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * The token's audience, {@code aud}, written as one string.
     *
     * @param audience compared by verifiers character by character
     * @return other claims; these stay as they are
     */
    public JwtClaims withAudience(String audience) {
        text("aud", audience);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * The token's audiences, {@code aud}, written as a list.
     *
     * @param audiences one at least, in the order in which they are written
     * @return other claims; these stay as they are
     * @throws IllegalArgumentException if there is none
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
     * From when on the token is good: {@code nbf}; a fraction of a second is dropped, so that a token made for now is good now.
     *
     * @param notBefore may lie in the future
     * @return other claims; these stay as they are
     */
    public JwtClaims withNotBefore(Instant notBefore) {
        Instant second = wholeSecond("nbf", notBefore);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, second, issuedAt, id, others);
    }

    /**
     * When the token was issued, {@code iat}, in place of the time of signing; its lifetime counts from here.
     *
     * @param issuedAt within the years 1 to 9999; a fraction of a second is dropped
     * @return other claims; these stay as they are
     */
    public JwtClaims withIssuedAt(Instant issuedAt) {
        Instant second = wholeSecond("iat", issuedAt);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, second, id, others);
    }

    /**
     * The token's own id, {@code jti}, by which it can be revoked.
     *
     * @param id not to be used for another token
     * @return other claims; these stay as they are
     */
    public JwtClaims withId(String id) {
        text("jti", id);
        return new JwtClaims(subject, lifetimeSeconds, issuer, audience, notBefore, issuedAt, id, others);
    }

    /**
     * A claim of the service's own, in place of an earlier one of that name.
     *
     * @param name of the claim; compared character by character
     * @param value a string, a boolean, a number that is finite, a {@link Collection} or a {@link Map} with string keys of
     *     these, or {@link JsonNull}; copied
     * @return other claims; these stay as they are
     * @throws IllegalArgumentException if the value is anything else, or the name is one that RFC 7519 registers and a method
     *     here sets
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

    /** Writes the claims of a token that is signed at this second. */
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

    /** Only how long it lasts: the rest may be personal. */
    @Override
    public String toString() {
        return "JwtClaims[lifetime=" + Duration.ofSeconds(lifetimeSeconds) + "]";
    }
}
