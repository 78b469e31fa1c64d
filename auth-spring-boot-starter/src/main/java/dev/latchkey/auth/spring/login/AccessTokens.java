package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Issues access tokens as {@code latchkey.jwt} describes them. */
final class AccessTokens {

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final JwtSigner signer;
    private final LatchkeyProperties.Jwt settings;
    private final TokenClaims more;

    AccessTokens(JwtSigner signer, LatchkeyProperties.Jwt settings, TokenClaims more) {
        this.signer = signer;
        this.settings = settings;
        this.more = more;
    }

    Duration lifetime() {
        return settings.lifetime();
    }

    /**
     * A token for this subject.
     *
     * @param factors how it was proved
     * @param end what the token must not outlive: the verdict that it stands for
     * @param session the login that it belongs to, where that one can be prolonged
     * @return empty where less than a second is left
     */
    Optional<AccessToken> issue(
            Subject subject, Factors factors, Instant issuedAt, Instant end, @Nullable String session) {
        Duration lifetime = end.isBefore(issuedAt.plus(settings.lifetime()))
                ? Duration.between(issuedAt, end)
                : settings.lifetime();
        if (lifetime.compareTo(SHORTEST) < 0) {
            return Optional.empty();
        }
        JwtClaims claims = JwtClaims.forSubject(subject.id(), lifetime)
                .withIssuedAt(issuedAt)
                .with(JwtAuthPlugin.AUTHORITIES_CLAIM, List.copyOf(subject.authorities()));
        if (settings.issuer() != null) {
            claims = claims.withIssuer(settings.issuer());
        }
        if (settings.audience() != null) {
            claims = claims.withAudience(settings.audience());
        }
        if (session != null) {
            claims = claims.with(JwtRevocations.SESSION_CLAIM, session);
        }
        // Of one step a token says nothing: that it was a password is no news, and each request would carry it.
        if (factors.methods().size() > 1) {
            claims = claims.with(JwtAuthPlugin.METHODS_CLAIM, new TreeSet<>(factors.methods()))
                    .with(JwtAuthPlugin.TIME_CLAIM, factors.at().getEpochSecond());
        }
        for (Map.Entry<String, Object> claim : claimsOf(subject).entrySet()) {
            claims = claims.with(claim.getKey(), claim.getValue());
        }
        return Optional.of(new AccessToken(signer.sign(claims), lifetime));
    }

    private Map<String, Object> claimsOf(Subject subject) {
        Map<String, ?> added = more.of(subject);
        if (added.isEmpty()) {
            return subject.claims();
        }
        Map<String, Object> all = new LinkedHashMap<>(subject.claims());
        all.putAll(added);
        return subject.withClaims(all).claims();
    }
}
