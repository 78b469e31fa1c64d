package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.TokenRule;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens of the service. Issues tokens according to {@code latchkey.jwt}, the service's customizers and the options of
 * a single call. Reads tokens, and knows their revocations. Safe for use by any number of threads.
 */
final class AccessTokens {

    /** RFC 8693 section 4.3. */
    static final String CLIENT_CLAIM = "client_id";

    private final JwtSigner signer;
    private final JwtVerifier verifier;
    private final RevocationStore revocations;
    private final LatchkeyProperties.Jwt settings;
    private final List<TokenCustomizer> customizers;
    private final TokenRule rule;

    AccessTokens(
            JwtSigner signer,
            JwtVerifier verifier,
            RevocationStore revocations,
            LatchkeyProperties.Jwt settings,
            List<TokenCustomizer> customizers,
            TokenRule rule) {
        this.signer = signer;
        this.verifier = verifier.rejectingBoundTokens();
        this.revocations = StoreTime.of(revocations);
        this.settings = settings;
        this.customizers = List.copyOf(customizers);
        this.rule = rule;
    }

    JwtVerifier verifier() {
        return verifier;
    }

    RevocationStore revocations() {
        return revocations;
    }

    /**
     * Reads a token.
     *
     * @return empty for an invalid and for a revoked token
     * @throws AuthUnavailableException if the store of revocations does not answer
     */
    Optional<VerifiedJwt> read(String accessToken) {
        return verifier.verify(accessToken)
                .verified()
                .filter(jwt -> !JwtRevocations.in(revocations).isRevoked(jwt));
    }

    /**
     * Reads a token that the endpoints accept in place of a filter chain: the rules of the resource server hold too.
     *
     * @return empty for an invalid token, for a revoked token, and for a token that the resource server rejects
     * @throws AuthUnavailableException if the store of revocations does not answer, or a rule reaches no decision
     */
    Optional<VerifiedJwt> readByRule(String accessToken) {
        return read(accessToken).filter(jwt -> rule.accepts(accessToken, jwt));
    }

    /** The options of the customizers for this login. Options of the call win. */
    TokenOptions optionsOf(TokenContext login, TokenOptions ofTheCall) {
        TokenOptions options = TokenOptions.defaults();
        for (TokenCustomizer customizer : customizers) {
            options = customizer.customize(login, options);
        }
        return options.and(ofTheCall);
    }

    /**
     * A token for this subject.
     *
     * @param factors the proofs of the login
     * @param end the end of the verdict; the token expires no later
     * @param session the session of the token, if there is a refresh token
     * @return empty if less than a second is left
     * @throws IllegalArgumentException if the options contain an invalid lifetime or a reserved claim
     */
    Optional<AccessToken> issue(
            Subject subject,
            Factors factors,
            Instant issuedAt,
            Instant end,
            @Nullable String session,
            TokenOptions options) {
        // A single method is left out of the token: a password is the usual case, and each request would carry the
        // claim.
        return issue(
                subject,
                issuedAt,
                end,
                session,
                options,
                factors.methods().size() > 1 ? proofOf(factors) : UnaryOperator.identity());
    }

    /**
     * A further token of a login.
     *
     * @param present the end of this session ends the token
     * @param claims of this token only
     * @return empty if less than a second is left
     */
    Optional<AccessToken> issueFurther(
            TokenContext login, Instant issuedAt, Instant end, PresentLogin present, UnaryOperator<JwtClaims> claims) {
        TokenOptions options = optionsOf(login, TokenOptions.defaults().ofClient(present.client()));
        return issue(login.subject(), issuedAt, end, present.session(), options, claims);
    }

    /** The methods and the time of the proof, as claims. */
    static UnaryOperator<JwtClaims> proofOf(Factors factors) {
        return claims -> claims.with(JwtAuthPlugin.METHODS_CLAIM, new TreeSet<>(factors.methods()))
                .with(JwtAuthPlugin.TIME_CLAIM, factors.at().getEpochSecond());
    }

    private Optional<AccessToken> issue(
            Subject subject,
            Instant issuedAt,
            Instant end,
            @Nullable String session,
            TokenOptions options,
            UnaryOperator<JwtClaims> more) {
        Duration wanted = options.lifetimeBy(settings);
        Duration lifetime = end.isBefore(issuedAt.plus(wanted)) ? Duration.between(issuedAt, end) : wanted;
        if (lifetime.compareTo(TokenOptions.SHORTEST) < 0) {
            return Optional.empty();
        }
        JwtClaims claims = JwtClaims.forSubject(subject.id(), lifetime)
                .withIssuedAt(issuedAt)
                .with(JwtAuthPlugin.AUTHORITIES_CLAIM, List.copyOf(subject.authorities()));
        if (settings.issuer() != null) {
            claims = claims.withIssuer(settings.issuer());
        }
        String audience = options.audience().orElse(settings.audience());
        if (audience != null) {
            claims = claims.withAudience(audience);
        }
        if (session != null) {
            claims = claims.with(JwtRevocations.SESSION_CLAIM, session);
        }
        for (Map.Entry<String, Object> claim : claimsOf(subject, options).entrySet()) {
            claims = claims.with(claim.getKey(), claim.getValue());
        }
        if (!options.client().isEmpty()) {
            claims = claims.with(CLIENT_CLAIM, options.client());
        }
        claims = more.apply(claims);
        return Optional.of(new AccessToken(signer.sign(claims), lifetime));
    }

    static Instant earliest(Instant first, Instant... others) {
        Instant earliest = first;
        for (Instant other : others) {
            earliest = other.isBefore(earliest) ? other : earliest;
        }
        return earliest;
    }

    private static Map<String, Object> claimsOf(Subject subject, TokenOptions options) {
        Map<String, Object> all = new LinkedHashMap<>(subject.claims());
        all.putAll(options.claims());
        // Only ActingTokens sets the actor; plugins and customizers cannot.
        all.remove(Subject.ACTOR_CLAIM);
        return subject.withClaims(all).claims();
    }
}
