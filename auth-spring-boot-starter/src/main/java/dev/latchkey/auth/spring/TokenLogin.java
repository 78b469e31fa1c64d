package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges a name and a password for a token.
 *
 * <p>The hard part is a password that changes meanwhile. A token counts as issued when its login began, so that a revocation
 * between then and now covers it. After a revocation in the same second the token must be dated past it, or it would be dead
 * on arrival; then the credentials are checked once more, since the first check may have seen the old password.
 */
final class TokenLogin {

    /** A revocation is rounded up to a whole second; one that reaches further into the future is meant as a ban. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    private final AuthChain plugins;
    private final JwtSigner signer;
    private final RevocationStore revocations;
    private final LatchkeyProperties.Jwt settings;
    private final InstantSource clock;

    TokenLogin(
            AuthChain plugins,
            JwtSigner signer,
            RevocationStore revocations,
            LatchkeyProperties.Jwt settings,
            InstantSource clock) {
        this.plugins = plugins;
        this.signer = signer;
        this.revocations = revocations;
        this.settings = settings;
        this.clock = clock;
    }

    /** The token; empty where the credentials are not accepted, for whatever reason. */
    Optional<AccessToken> login(PasswordCredentials credentials) {
        Instant start = clock.instant();
        Authenticated authenticated = check(credentials);
        if (authenticated == null) {
            return Optional.empty();
        }
        Instant notBefore = revocations.notBefore(authenticated.subject().id());
        if (!notBefore.isAfter(start)) {
            return Optional.of(issue(authenticated, start));
        }
        authenticated = check(credentials);
        if (authenticated == null || notBefore.isAfter(clock.instant().plus(ROUNDING))) {
            return Optional.empty();
        }
        return Optional.of(issue(authenticated, notBefore));
    }

    private @Nullable Authenticated check(PasswordCredentials credentials) {
        return plugins.authenticate(credentials) instanceof Authenticated authenticated ? authenticated : null;
    }

    private AccessToken issue(Authenticated authenticated, Instant issuedAt) {
        Duration lifetime = lifetimeOf(authenticated, issuedAt);
        JwtClaims claims = JwtClaims.forSubject(authenticated.subject().id(), lifetime)
                .withIssuedAt(issuedAt)
                .with(
                        AccessToken.AUTHORITIES_CLAIM,
                        List.copyOf(authenticated.subject().authorities()));
        if (settings.issuer() != null) {
            claims = claims.withIssuer(settings.issuer());
        }
        if (settings.audience() != null) {
            claims = claims.withAudience(settings.audience());
        }
        return new AccessToken(signer.sign(claims), lifetime);
    }

    /** No token outlives the verdict that it stands for. */
    private Duration lifetimeOf(Authenticated authenticated, Instant issuedAt) {
        Instant end = issuedAt.plus(settings.lifetime());
        return authenticated.validUntil().isBefore(end)
                ? Duration.between(issuedAt, authenticated.validUntil())
                : settings.lifetime();
    }
}
