package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Logs in whoever bears a token that {@link JwtVerifier} verifies and nobody has revoked.
 *
 * <p>The subject is the token's {@code sub}, its authorities are those of a claim, and the answer holds until the token's
 * {@code exp}. A token is revoked alone by its {@code jti}, with all others of one login by its {@code sid}, and with all
 * others of its subject by its {@code iat}: a token that does not say when it was issued cannot be newer than a revocation,
 * so it is refused once its subject has one.
 *
 * <p>Immutable but for {@link #close}: each {@code with…} gives a new plugin. Safe for use by any number of threads.
 */
public final class JwtAuthPlugin implements AuthPlugin {

    private static final Map<JwtDefect, Rejected> REJECTIONS = new EnumMap<>(JwtDefect.class);
    private static final Rejected NO_SUBJECT =
            Rejected.because(RejectionReason.MALFORMED).withDetail("unusable_subject");
    private static final Rejected BAD_AUTHORITIES =
            Rejected.because(RejectionReason.MALFORMED).withDetail("unusable_authorities");
    private static final Rejected TOKEN_REVOKED =
            Rejected.because(RejectionReason.REVOKED).withDetail("token");
    private static final Rejected SUBJECT_REVOKED =
            Rejected.because(RejectionReason.REVOKED).withDetail("subject");

    static {
        for (JwtDefect defect : JwtDefect.values()) {
            REJECTIONS.put(defect, Rejected.because(reasonFor(defect)).withDetail(defect.code()));
        }
    }

    private static final String SESSION_CLAIM = "sid";

    private final String name;
    private final JwtVerifier verifier;
    private final String authoritiesClaim;
    private final RevocationStore revocations;
    private volatile boolean closed;

    private JwtAuthPlugin(String name, JwtVerifier verifier, String authoritiesClaim, RevocationStore revocations) {
        this.name = name;
        this.verifier = verifier;
        this.authoritiesClaim = authoritiesClaim;
        this.revocations = revocations;
    }

    /** A plugin named {@code jwt} that reads authorities from the claim {@code authorities}. */
    public static JwtAuthPlugin of(JwtVerifier verifier, RevocationStore revocations) {
        return new JwtAuthPlugin(
                "jwt",
                Objects.requireNonNull(verifier, "verifier"),
                "authorities",
                Objects.requireNonNull(revocations, "revocations"));
    }

    /**
     * Goes by this name.
     *
     * @throws IllegalArgumentException if it is no plugin name
     */
    public JwtAuthPlugin withName(String name) {
        return new JwtAuthPlugin(PluginNames.require(name), verifier, authoritiesClaim, revocations);
    }

    /** Reads authorities from this claim, a list of strings; a token without it has none. */
    public JwtAuthPlugin withAuthoritiesClaim(String claim) {
        return new JwtAuthPlugin(name, verifier, Objects.requireNonNull(claim, "claim"), revocations);
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Decides about a {@link BearerToken}, and abstains from all else.
     *
     * @throws AuthUnavailableException if the revocation store does not answer, or this plugin was closed
     */
    @Override
    public Decision authenticate(Credentials credentials) {
        if (!(credentials instanceof BearerToken bearer)) {
            return Decision.abstained();
        }
        requireOpen();
        JwtResult result = verify(bearer);
        return result instanceof JwtResult.Verified verified
                ? decide(verified.jwt())
                : Objects.requireNonNull(REJECTIONS.get(((JwtResult.Refused) result).defect()));
    }

    /**
     * Revokes this token by its {@code jti}.
     *
     * @return {@code false} for a token that has none, and for one that is not valid anyway
     * @throws AuthUnavailableException if the revocation store does not answer, or this plugin was closed
     */
    @Override
    public boolean revoke(Credentials credentials) {
        if (!(credentials instanceof BearerToken bearer)) {
            return false;
        }
        requireOpen();
        VerifiedJwt jwt = verify(bearer).verified().orElse(null);
        if (jwt == null || jwt.id().isEmpty()) {
            return false;
        }
        revocations.revokeToken(jwt.id().get(), acceptedUntil(jwt));
        return true;
    }

    /** Revokes every token of the subject that was issued before; see {@link RevocationStore#revokeSubject}. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        requireOpen();
        revocations.revokeSubject(subjectId, notBefore);
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }

    private JwtResult verify(BearerToken bearer) {
        return bearer.token().withBytes(verifier::verify);
    }

    private Decision decide(VerifiedJwt jwt) {
        List<String> authorities;
        try {
            authorities = jwt.texts(authoritiesClaim).orElse(List.of());
        } catch (ClaimTypeException e) {
            return BAD_AUTHORITIES;
        }
        Subject subject;
        try {
            subject = new Subject(jwt.subject().orElse(""), setOf(authorities));
        } catch (IllegalArgumentException e) {
            // Signed by us or by a trusted issuer, and still no subject that this service can name.
            return NO_SUBJECT;
        }
        if (jwt.id().filter(revocations::isTokenRevoked).isPresent()
                || sessionOf(jwt).filter(revocations::isTokenRevoked).isPresent()) {
            return TOKEN_REVOKED;
        }
        Instant notBefore = revocations.notBefore(subject.id());
        if (notBefore.isAfter(Instant.MIN) && jwt.issuedAt().orElse(Instant.MIN).isBefore(notBefore)) {
            return SUBJECT_REVOKED;
        }
        return new Authenticated(subject, jwt.expiresAt().orElse(Instant.MAX));
    }

    /** Another issuer may mean something else by the name. */
    private static Optional<String> sessionOf(VerifiedJwt jwt) {
        try {
            return jwt.text(SESSION_CLAIM);
        } catch (ClaimTypeException e) {
            return Optional.empty();
        }
    }

    /** {@code Set.copyOf} makes a hash set on the way, which for none or one, as most tokens have, is most of the cost. */
    private static Set<String> setOf(List<String> authorities) {
        return switch (authorities.size()) {
            case 0 -> Set.of();
            case 1 -> Set.of(authorities.get(0));
            default -> Set.copyOf(authorities);
        };
    }

    /** The verifier's skew keeps a token alive beyond its {@code exp}, and so it must keep its revocation. */
    private Instant acceptedUntil(VerifiedJwt jwt) {
        return jwt.expiresAt().map(expiry -> expiry.plus(verifier.skew())).orElse(Instant.MAX);
    }

    private void requireOpen() {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin '" + name + "' was closed");
        }
    }

    private static RejectionReason reasonFor(JwtDefect defect) {
        return switch (defect) {
            case TOO_LONG, MALFORMED, MALFORMED_HEADER, MALFORMED_CLAIMS, ILL_TYPED_CLAIM -> RejectionReason.MALFORMED;
            case EXPIRED, TOO_OLD -> RejectionReason.CREDENTIALS_EXPIRED;
            default -> RejectionReason.BAD_CREDENTIALS;
        };
    }
}
