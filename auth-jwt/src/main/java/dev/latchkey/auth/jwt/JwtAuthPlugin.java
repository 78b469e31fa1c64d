package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the bearer of a valid token that is not revoked. {@link JwtVerifier} verifies the token.
 *
 * <p>The subject's id is the token's {@code sub}. One claim contains the authorities, and other claims become the
 * attributes of the {@link Subject}. The factors come from {@code amr} (RFC 8176), with the time {@code auth_time}. The
 * verdict ends when the verifier no longer accepts the token: at {@code exp} plus the allowed skew, or at the maximum
 * age. {@link JwtRevocations} decides whether a token is revoked.
 *
 * <p>A token that is bound to a key is no bearer token, and is rejected ({@link JwtVerifier#rejectingBoundTokens}).
 *
 * <p>The {@code sub} of a token is the service's own id of the subject. A plugin over the keys of another issuer would
 * therefore let this issuer name every local account. A chain has at most one such plugin.
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
    private static final Rejected UNKNOWN_ACCOUNT =
            Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("token");
    private static final Rejected TOKEN_REVOKED =
            Rejected.because(RejectionReason.REVOKED).withDetail("token");
    private static final Rejected SUBJECT_REVOKED =
            Rejected.because(RejectionReason.REVOKED).withDetail("subject");

    static {
        for (JwtDefect defect : JwtDefect.values()) {
            REJECTIONS.put(defect, Rejected.because(reasonFor(defect)).withDetail(defect.code()));
        }
    }

    /** The claim for authorities, a list of strings. */
    public static final String AUTHORITIES_CLAIM = "authorities";

    /** The claim for the login's methods (RFC 8176). */
    public static final String METHODS_CLAIM = "amr";

    /** The claim for the login's time, in seconds since 1970: OpenID Connect Core 1.0, section 2. */
    public static final String TIME_CLAIM = "auth_time";

    private final String name;
    private final JwtVerifier verifier;
    private final AuthorityClaims claims;
    private final @Nullable Function<String, Optional<Verdict>> accounts;
    private final RevocationStore store;
    private final JwtRevocations revocations;
    private volatile boolean closed;

    private JwtAuthPlugin(
            String name,
            JwtVerifier verifier,
            AuthorityClaims claims,
            @Nullable Function<String, Optional<Verdict>> accounts,
            RevocationStore store) {
        this.name = name;
        this.verifier = verifier;
        this.claims = claims;
        this.accounts = accounts;
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
                verifier.rejectingBoundTokens(),
                AuthorityClaims.NONE,
                null,
                Objects.requireNonNull(revocations, "revocations"));
    }

    /**
     * Returns a copy with another name.
     *
     * @param name in the form of {@link dev.latchkey.auth.engine.PluginNames#require}
     * @return a changed copy
     * @throws IllegalArgumentException if the name is invalid
     */
    public JwtAuthPlugin withName(String name) {
        return new JwtAuthPlugin(PluginNames.require(name), verifier, claims, accounts, store);
    }

    /**
     * Returns a copy that reads the authorities of older tokens from another claim, if {@link #AUTHORITIES_CLAIM} is
     * absent. The claim is a list of strings, a list of objects with the member
     * {@code authority}, or a text separated by spaces or commas.
     *
     * @param claim the claim in older tokens
     * @param prefix stands before each authority of this claim; may be empty
     * @return a changed copy
     */
    public JwtAuthPlugin withOldAuthoritiesClaim(String claim, String prefix) {
        AuthorityClaims changed =
                new AuthorityClaims(Objects.requireNonNull(claim, "claim"), Objects.requireNonNull(prefix, "prefix"));
        return new JwtAuthPlugin(name, verifier, changed, accounts, store);
    }

    /**
     * Returns a copy that looks the account up if a token has no claim for authorities. The subject then has the
     * account's authorities. The plugin rejects the token of a rejected or unknown account.
     *
     * @param accounts finds the present state of an account by the token's {@code sub}; may wait, and throws
     *     {@link AuthUnavailableException} during an outage
     * @return a changed copy
     */
    public JwtAuthPlugin withAccountsOfTokensWithoutAuthorities(Function<String, Optional<Verdict>> accounts) {
        return new JwtAuthPlugin(name, verifier, claims, Objects.requireNonNull(accounts, "accounts"), store);
    }

    /**
     * Whether the decision about a token may wait for a store of accounts.
     *
     * @return {@code false} unless {@link #withAccountsOfTokensWithoutAuthorities} was called
     */
    public boolean looksAccountsUp() {
        return accounts != null;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<BearerToken> kind() {
        return BearerToken.class;
    }

    /** If no accounts are looked up, a check waits only for the revocation store. The store has its own time limits. */
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
     * Revokes this token alone; see {@link JwtRevocations#revoke}. A revoked token gets no second record, because every
     * node would have to read the second record.
     *
     * @return {@code false} for an invalid token, and for other credentials
     * @throws AuthUnavailableException if the revocation store does not answer, or this plugin was closed
     */
    @Override
    public boolean revoke(Credentials credentials) {
        if (!(credentials instanceof BearerToken bearer)) {
            return false;
        }
        requireOpen();
        VerifiedJwt jwt = verify(bearer).verified().orElse(null);
        if (jwt == null) {
            return false;
        }
        if (!revocations.isRevoked(jwt)) {
            revocations.revoke(jwt, verifier.claimsAcceptedUntil(jwt));
        }
        return true;
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
    public boolean isRevoked(String subjectId, Instant provedAt) {
        requireOpen();
        return store.isSubjectRevoked(subjectId, provedAt);
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
            token = TokenSubject.of(jwt, claims);
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
        return switch (revocations.scopeOf(jwt, subject.id(), token.session(), token.actor())) {
            case TOKEN -> TOKEN_REVOKED;
            case SUBJECT -> SUBJECT_REVOKED;
            case NOTHING -> {
                Authenticated login =
                        new Authenticated(subject, verifier.acceptedUntil(jwt)).withFactors(token.factors());
                yield accounts != null && token.hasNoAuthorities() ? withRightsOf(accounts, login) : login;
            }
        };
    }

    private static Decision withRightsOf(Function<String, Optional<Verdict>> accounts, Authenticated login) {
        String id = login.subject().id();
        Verdict account = accounts.apply(id).orElse(null);
        if (account == null) {
            return UNKNOWN_ACCOUNT;
        }
        if (!(account instanceof Authenticated present)) {
            return account instanceof Rejected rejected ? rejected : UNKNOWN_ACCOUNT;
        }
        return present.subject().id().equals(id)
                ? login.withSubject(login.subject()
                                .withAuthorities(present.subject().authorities()))
                        .until(present.validUntil())
                : UNKNOWN_ACCOUNT;
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
