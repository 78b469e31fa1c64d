package dev.latchkey.auth.spring.pairs;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.latchkey.auth.spring.issuer.TrustedIssuer;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Another issuer, whose tokens the services accept. */
final class Partner {

    static final String NAME = "partner";

    private static final String ISSUER = "https://id.example.test";
    private static final String AUDIENCE = "shop";
    private static final RSAKey KEY = made();

    /** An attacker's. */
    private static final RSAKey OTHER_KEY = made();

    private final World world;

    Partner(World world) {
        this.world = world;
    }

    /** A token that was signed now; a wrong secret stands for a wrong signature. */
    String token(String name, String secret) {
        Instant now = world.instant();
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(name)
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(3600)))
                .build();
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        try {
            token.sign(new RSASSASigner(secret.startsWith("wrong") ? OTHER_KEY : KEY));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    TrustedIssuer trusted() {
        try {
            NimbusJwtDecoder decoder =
                    NimbusJwtDecoder.withPublicKey(KEY.toRSAPublicKey()).build();
            // Latchkey checks the times, by the clock of this test.
            decoder.setJwtValidator(token -> OAuth2TokenValidatorResult.success());
            return TrustedIssuer.of(NAME, ISSUER, AUDIENCE, token -> {
                if (world.sourcesAreDown) {
                    throw new JwtException("The keys cannot be read");
                }
                return decoder.decode(token);
            });
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey made() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
