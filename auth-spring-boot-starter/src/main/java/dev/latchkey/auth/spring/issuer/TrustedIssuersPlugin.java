package dev.latchkey.auth.spring.issuer;

import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jwt.JWTParser;
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
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.spring.plugin.OutsideSubjects;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;

/**
 * Authenticates bearers of tokens from other issuers. The claimed issuer decides which decoder verifies the token, without a
 * fallback. A token of an unknown issuer is for the next plugin, the plugin of Latchkey's own tokens.
 *
 * <p>The subject has the name of the issuer as prefix, {@code keycloak:4711}, unless {@code latchkey.shared-subjects} names the
 * issuer. A token needs {@code exp} and {@code iat}, an accepted audience, and must not be older than the issuer's {@code
 * max-age}. A token that is bound to a key ({@code cnf}, RFC 7800) is rejected. Revocations use the token's {@code jti}, or a
 * digest if there is no {@code jti}, the subject, and the account that acts as the subject. Unavailable keys of an issuer are an
 * outage, 503, and never a rejection. Safe for use by any number of threads.
 */
public final class TrustedIssuersPlugin implements LoginSource<BearerToken>, CredentialsRevoker, OutsideSubjects {

    /** The name for {@code latchkey.plugins}. */
    public static final String NAME = "trusted-issuers";

    /** RFC 7800 section 3.1. */
    private static final String CONFIRMATION = "cnf";

    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final Map<String, TrustedIssuer> issuers;
    private final RevocationStore revocations;
    private final Supplier<AuthChain> chain;
    private final InstantSource clock;
    private volatile boolean closed;

    /**
     * @param chain names the subjects; contains this plugin, so the chain is made later
     */
    TrustedIssuersPlugin(
            List<TrustedIssuer> issuers, RevocationStore revocations, Supplier<AuthChain> chain, InstantSource clock) {
        Map<String, TrustedIssuer> byIssuer = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (TrustedIssuer each : issuers) {
            if (!names.add(each.name()) || byIssuer.put(each.issuer(), each) != null) {
                throw new IllegalArgumentException(
                        "Two trusted issuers are named '" + each.name() + "', or have the issuer " + each.issuer());
            }
        }
        this.issuers = Map.copyOf(byIssuer);
        this.revocations = StoreTime.of(revocations);
        this.chain = chain;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<BearerToken> kind() {
        return BearerToken.class;
    }

    /**
     * One bound for all issuers would refuse all tokens while one issuer hangs. For keys from the settings, a single thread fetches,
     * and other threads wait for a second at most. Each decoder of a bean has a bulkhead of its own.
     */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public Set<String> outsideSources() {
        Set<String> names = new HashSet<>();
        issuers.values().forEach(issuer -> names.add(issuer.name()));
        return names;
    }

    @Override
    public Decision authenticate(BearerToken bearer, RequestContext context) {
        String token = bearer.token().withText(CharSequence::toString);
        TrustedIssuer issuer = issuerOf(token);
        if (issuer == null) {
            return Decision.abstained();
        }
        Result result = StoreTime.inOneRequest(() -> check(issuer, token));
        return result.rejected() == null ? result.login() : result.rejected();
    }

    @Override
    public boolean revoke(Credentials credentials) {
        if (!(credentials instanceof BearerToken bearer)) {
            return false;
        }
        String token = bearer.token().withText(CharSequence::toString);
        TrustedIssuer issuer = issuerOf(token);
        if (issuer == null) {
            return false;
        }
        Result result = check(issuer, token);
        if (result.rejected() != null) {
            // A revoked token needs no second record.
            return result.rejected().reason() == RejectionReason.REVOKED;
        }
        Authenticated login = result.login();
        Subject subject = login.subject();
        String account = subject.actor().filter(actor -> !actor.isEmpty()).orElse(subject.id());
        revocations.revokeTokenOf(account, result.tokenId(), login.validUntil());
        return true;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        revocations.revokeSubject(subjectId, notBefore);
        return true;
    }

    @Override
    public boolean isRevoked(String subjectId, Instant provedAt) {
        return revocations.isSubjectRevoked(subjectId, provedAt);
    }

    @Override
    public void close() {
        closed = true;
    }

    private @Nullable TrustedIssuer issuerOf(String token) {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin '" + NAME + "' was closed");
        }
        String claimed = UnverifiedIssuer.of(token);
        return claimed == null ? null : issuers.get(claimed);
    }

    /** A login with the id of its token, or a rejection. */
    private record Result(
            Authenticated login, String tokenId, @Nullable Rejected rejected) {

        private static final Authenticated NOBODY = Authenticated.as(Subject.of("nobody"));

        static Result rejected(RejectionReason reason, String detail) {
            return new Result(NOBODY, "", Rejected.because(reason).withDetail(detail));
        }
    }

    private Result check(TrustedIssuer issuer, String token) {
        Jwt jwt;
        try {
            jwt = issuer.decoder().decode(token);
        } catch (BadJwtException e) {
            return Result.rejected(RejectionReason.BAD_CREDENTIALS, "bad_signature");
        } catch (ClassCastException e) {
            // Spring's check of the client's certificate casts the claim cnf without a look at its type.
            return Result.rejected(RejectionReason.MALFORMED, JwtDefect.ILL_TYPED_CLAIM.code());
        } catch (JwtException | JwtDecoderInitializationException e) {
            throw unavailable(issuer, e);
        }
        Instant issuedAt = issueTimeIn(token);
        String defect = defectOf(issuer, jwt, issuedAt);
        if (defect != null) {
            boolean isOld = defect.equals("expired") || defect.equals("too_old");
            return Result.rejected(
                    isOld ? RejectionReason.CREDENTIALS_EXPIRED : RejectionReason.BAD_CREDENTIALS, defect);
        }
        Subject subject = subjectOf(issuer, jwt);
        if (subject == null) {
            return Result.rejected(RejectionReason.MALFORMED, "unusable_subject");
        }
        String tokenId = idOf(issuer, jwt);
        if (revocations.isTokenRevoked(tokenId)) {
            return Result.rejected(RejectionReason.REVOKED, "token");
        }
        String actor = actorOf(issuer, jwt).orElse(null);
        if (issuedAt == null
                || issuedAt.isBefore(revocations.notBefore(subject.id()))
                || (actor != null && issuedAt.isBefore(revocations.notBefore(actor)))) {
            return Result.rejected(RejectionReason.REVOKED, "subject");
        }
        Instant expiry = jwt.getExpiresAt();
        // A token of exactly the largest age is still accepted.
        Instant tooOld = issuedAt.plus(issuer.maxAge()).plusMillis(1);
        Instant end = expiry != null && expiry.plus(SKEW).isBefore(tooOld) ? expiry.plus(SKEW) : tooOld;
        return new Result(new Authenticated(subject, end).withDetails(jwt), tokenId, null);
    }

    private static AuthUnavailableException unavailable(TrustedIssuer issuer, RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RateLimitReachedException) {
                return AuthUnavailableException.overload(
                        "The keys of the issuer '" + issuer.name() + "' were fetched a moment ago", RETRY);
            }
        }
        return AuthUnavailableException.outage(
                "The keys of the issuer '" + issuer.name() + "' cannot be read", failure);
    }

    /**
     * Spring's converter derives a missing {@code iat} from {@code exp}, so that an old token would look new and survive the
     * revocation of its subject. Therefore the text of the token counts.
     */
    private static @Nullable Instant issueTimeIn(String token) {
        try {
            Date issuedAt = JWTParser.parse(token).getJWTClaimsSet().getIssueTime();
            return issuedAt == null ? null : issuedAt.toInstant();
        } catch (ParseException e) {
            return null;
        }
    }

    /** Null if the claims are valid. */
    private @Nullable String defectOf(TrustedIssuer issuer, Jwt jwt, @Nullable Instant issuedAt) {
        Instant now = clock.instant();
        Instant expiry = jwt.getExpiresAt();
        Instant notBefore = jwt.getNotBefore();
        if (!issuer.issuer().equals(jwt.getClaimAsString("iss"))) {
            return "wrong_issuer";
        }
        if (!issuer.isFor(jwt.getAudience())) {
            return "wrong_audience";
        }
        if (expiry == null || issuedAt == null) {
            return "missing_claim";
        }
        if (jwt.getClaims().get(CONFIRMATION) != null) {
            return JwtDefect.BOUND_TO_KEY.code();
        }
        if (!now.isBefore(expiry.plus(SKEW))) {
            return "expired";
        }
        if (issuedAt.isAfter(now.plus(SKEW)) || (notBefore != null && notBefore.isAfter(now.plus(SKEW)))) {
            return "not_yet_valid";
        }
        return issuedAt.plus(issuer.maxAge()).isBefore(now) ? "too_old" : null;
    }

    private @Nullable Subject subjectOf(TrustedIssuer issuer, Jwt jwt) {
        String id = issuer.subjectOf(jwt);
        String name = id == null
                ? null
                : chain.get().outsideLogins().nameOf(issuer.name(), id).orElse(null);
        return name == null
                ? null
                : Subject.of(name)
                        .withAuthorities(issuer.authoritiesOf(jwt))
                        .withClaimsOnDemand(() -> claimsOf(issuer, jwt));
    }

    /** With the id of the account that acts as the subject; a claim of another form tells that some account acts. */
    private Map<String, Object> claimsOf(TrustedIssuer issuer, Jwt jwt) {
        if (jwt.getClaims().get(Subject.ACTOR_CLAIM) == null) {
            return jwt.getClaims();
        }
        Map<String, Object> claims = new HashMap<>(jwt.getClaims());
        claims.put(Subject.ACTOR_CLAIM, actorOf(issuer, jwt).orElse(""));
        return claims;
    }

    private Optional<String> actorOf(TrustedIssuer issuer, Jwt jwt) {
        return JwtRevocations.actorIn(jwt.getClaim(Subject.ACTOR_CLAIM))
                .flatMap(id -> chain.get().outsideLogins().nameOf(issuer.name(), id));
    }

    /** A digest of the signed part: the signature itself may have several forms. */
    private static String idOf(TrustedIssuer issuer, Jwt jwt) {
        if (jwt.getId() != null) {
            return issuer.name() + ":" + jwt.getId();
        }
        String token = jwt.getTokenValue();
        String signed = token.substring(0, token.lastIndexOf('.'));
        byte[] digest = Sha256.of(signed.getBytes(StandardCharsets.US_ASCII));
        return issuer.name() + ":" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }
}
