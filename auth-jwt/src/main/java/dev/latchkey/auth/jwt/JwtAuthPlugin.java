package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Authenticates the bearer of a valid token that is not revoked. {@link JwtVerifier} verifies the token.
 *
 * <p>The subject's id is the token's {@code sub}. One claim contains the authorities, and other claims become the
 * attributes of the {@link Subject}. The factors come from {@code amr} (RFC 8176), with the time {@code auth_time}. The
 * verdict ends when the verifier no longer accepts the token: at {@code exp} plus the allowed skew.
 * {@link JwtRevocations} decides whether a token is revoked.
 *
 * <p>Immutable except for {@link #close}: each {@code with…} returns a new plugin. Safe for use by any number of
 * threads.
 */
public final class JwtAuthPlugin implements LoginSource<BearerToken>, CredentialsRevoker {

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

    /** The default claim for authorities, a list of strings. */
    public static final String AUTHORITIES_CLAIM = "authorities";

    /** The claim for the login's methods (RFC 8176). */
    public static final String METHODS_CLAIM = "amr";

    /** The claim for the login's time, in seconds since 1970: OpenID Connect Core 1.0, section 2. */
    public static final String TIME_CLAIM = "auth_time";

    private final String name;
    private final JwtVerifier verifier;
    private final String authoritiesClaim;
    private final RevocationStore store;
    private final JwtRevocations revocations;
    private volatile boolean closed;

    private JwtAuthPlugin(String name, JwtVerifier verifier, String authoritiesClaim, RevocationStore store) {
        this.name = name;
        this.verifier = verifier;
        this.authoritiesClaim = authoritiesClaim;
        this.store = store;
        this.revocations = JwtRevocations.in(store);
    }

    /**
     * A plugin with the name {@code jwt} that reads authorities from the claim {@link #AUTHORITIES_CLAIM}.
     *
     * @param verifier decides whether a token is valid
     * @param revocations asked about each valid token, and told of logouts
     * @return a plugin for bearer tokens
     */
    public static JwtAuthPlugin of(JwtVerifier verifier, RevocationStore revocations) {
        return new JwtAuthPlugin(
                "jwt",
                Objects.requireNonNull(verifier, "verifier"),
                AUTHORITIES_CLAIM,
                Objects.requireNonNull(revocations, "revocations"));
    }

    /**
     * Returns a copy with another name.
     *
     * @param name in the form of {@link dev.latchkey.auth.PluginNames#require}
     * @return a changed copy
     * @throws IllegalArgumentException if the name is invalid
     */
    public JwtAuthPlugin withName(String name) {
        return new JwtAuthPlugin(PluginNames.require(name), verifier, authoritiesClaim, store);
    }

    /**
     * Returns a copy with another claim for authorities, a list of strings. A token without the claim has no
     * authorities.
     *
     * @param claim the name of the claim
     * @return a changed copy
     */
    public JwtAuthPlugin withAuthoritiesClaim(String claim) {
        return new JwtAuthPlugin(name, verifier, Objects.requireNonNull(claim, "claim"), store);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<BearerToken> kind() {
        return BearerToken.class;
    }

    /** The check of a token needs only memory. A revocation store has its own time limits. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    /**
     * Decides about a token; never abstains.
     *
     * @throws AuthUnavailableException if the revocation store does not answer, or this plugin was closed
     */
    @Override
    public Decision authenticate(BearerToken bearer, RequestContext context) {
        requireOpen();
        JwtResult result = verify(bearer);
        return result instanceof JwtResult.Verified verified
                ? decide(verified.jwt())
                : Objects.requireNonNull(REJECTIONS.get(((JwtResult.Refused) result).defect()));
    }

    /**
     * Revokes this token by its {@code jti}.
     *
     * @return {@code false} for a token without a {@code jti}, and for an invalid token
     * @throws AuthUnavailableException if the revocation store does not answer, or this plugin was closed
     */
    @Override
    public boolean revoke(Credentials credentials) {
        if (!(credentials instanceof BearerToken bearer)) {
            return false;
        }
        requireOpen();
        VerifiedJwt jwt = verify(bearer).verified().orElse(null);
        return jwt != null && revocations.revoke(jwt, verifier.acceptedUntil(jwt));
    }

    /**
     * Revokes every earlier token of the subject; see {@link RevocationStore#revokeSubject}. A signer with a fast clock
     * dates tokens ahead: add the verifier's skew to the instant to revoke those tokens too.
     */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        requireOpen();
        store.revokeSubject(subjectId, notBefore);
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
        TokenSubject token;
        try {
            token = TokenSubject.of(jwt, authoritiesClaim);
        } catch (ClaimTypeException e) {
            return BAD_AUTHORITIES;
        }
        Subject subject;
        try {
            subject = token.named(jwt.subject().orElse(""));
        } catch (IllegalArgumentException e) {
            // A valid signature, but the subject's id is not usable in this service.
            return NO_SUBJECT;
        }
        return switch (revocations.scopeOf(jwt, subject.id(), token.session())) {
            case TOKEN -> TOKEN_REVOKED;
            case SUBJECT -> SUBJECT_REVOKED;
            case NOTHING -> new Authenticated(subject, verifier.acceptedUntil(jwt)).withFactors(token.factors());
        };
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
