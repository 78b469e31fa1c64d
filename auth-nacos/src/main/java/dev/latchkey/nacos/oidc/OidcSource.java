package dev.latchkey.nacos.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the access tokens of one issuer. A token must be signed by a key of the issuer (RFC 7517), for this server's
 * audience, and in time (RFC 9068 section 4). Rejects other tokens of this issuer, and abstains from the tokens of
 * other issuers.
 *
 * <p>The time of the subject's factors is the issue time of the token, so that revocations can apply. Safe for use by
 * any number of threads.
 */
final class OidcSource implements LoginSource<BearerToken> {

    private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES = new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null);

    private static final Duration RETRY = Duration.ofSeconds(5);

    /** RFC 7800 section 3.1: such a token is bound to a key, and this plugin checks no proof of possession. */
    private static final String CONFIRMATION = "cnf";

    private final String name;
    private final OidcSettings settings;
    private final JWKSource<SecurityContext> keys;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final TokenClaims claims;
    private volatile boolean closed;

    OidcSource(String name, OidcSettings settings) {
        this.name = name;
        this.settings = settings;
        this.keys = IssuerKeys.of(settings);
        this.claims = new TokenClaims(settings);
        DefaultJWTClaimsVerifier<SecurityContext> verifier = new DefaultJWTClaimsVerifier<>(
                settings.audiences(),
                new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
                Set.of(settings.subjectClaim(), "exp"),
                Set.of(CONFIRMATION));
        verifier.setMaxClockSkew(Math.toIntExact(settings.skew().toSeconds()));
        processor.setJWTClaimsSetVerifier(verifier);
        processor.setJWSTypeVerifier(TYPES);
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(settings.algorithms(), keys));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<BearerToken> kind() {
        return BearerToken.class;
    }

    /** A check computes a signature. Only reads of keys wait, one at a time and for a short time. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public Decision authenticate(BearerToken shown, RequestContext context) {
        SignedJWT token =
                shown.token().withText(text -> ofIssuer(text.toString())).orElse(null);
        if (closed || token == null) {
            return Decision.abstained();
        }
        try {
            return subjectOf(processor.process(token, null));
        } catch (BadJOSEException e) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        } catch (RateLimitReachedException e) {
            throw AuthUnavailableException.overload(
                    "The keys of " + settings.issuer() + " were read a moment ago", RETRY);
        } catch (KeySourceException e) {
            throw AuthUnavailableException.outage("The keys of " + settings.issuer() + " cannot be read", e);
        } catch (JOSEException e) {
            return Rejected.because(RejectionReason.MALFORMED);
        }
    }

    /**
     * The parsed token, if its claim {@code iss} names this issuer. The signature is not verified yet. Nimbus would trim
     * a text, and two texts would be one token.
     */
    private Optional<SignedJWT> ofIssuer(String text) {
        if (text.chars().anyMatch(c -> c <= ' ')) {
            return Optional.empty();
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            return settings.issuer().equals(token.getJWTClaimsSet().getIssuer())
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (ParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Decision subjectOf(JWTClaimsSet verified) {
        String id = claims.text(verified, settings.subjectClaim());
        if (id == null || !Subject.isId(id)) {
            return Rejected.because(RejectionReason.MALFORMED).withDetail("no_subject");
        }
        Subject subject =
                Subject.of(id).withAuthorities(claims.authorities(verified)).withClaimsThatFit(claims.claims(verified));
        // The processor accepts a token for the skew beyond its end, so the decision is valid as long.
        Instant end = verified.getExpirationTime().toInstant().plus(settings.skew());
        @Nullable Date issued = verified.getIssueTime();
        Instant at = issued == null ? Instant.EPOCH : issued.toInstant();
        return new Authenticated(subject, end).withFactors(new Factors(Set.of(), at));
    }

    @Override
    public void close() {
        closed = true;
        if (keys instanceof Closeable open) {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException("The reader of keys cannot be closed", e);
            }
        }
    }
}
