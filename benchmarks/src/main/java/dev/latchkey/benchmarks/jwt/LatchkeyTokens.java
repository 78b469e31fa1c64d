package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.time.Instant;

final class LatchkeyTokens implements TokenLibrary {

    private final JwtSigner signer;
    private final JwtVerifier verifier;

    LatchkeyTokens(Algorithm algorithm, byte[] key, Content content) {
        HmacKey hmacKey = HmacKey.of(key, HmacAlgorithm.valueOf(algorithm.name()));
        this.signer = JwtSigner.with(hmacKey);
        JwtVerifier plain = JwtVerifier.with(hmacKey);
        this.verifier =
                content.isFull() ? plain.expectingIssuer(Content.ISSUER).expectingAudience(Content.AUDIENCE) : plain;
    }

    @Override
    public String create(Content content) {
        JwtClaims claims = JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME);
        return signer.sign(content.isFull() ? full(claims) : claims);
    }

    private static JwtClaims full(JwtClaims claims) {
        return claims.withIssuer(Content.ISSUER)
                .withAudience(Content.AUDIENCE)
                .withNotBefore(Instant.now())
                .withId(Content.ID);
    }

    @Override
    public Read read(String token) {
        return verifier.verify(token).fold(jwt -> new Read(jwt.subject().orElseThrow(), jwt.claims()), defect -> {
            throw new IllegalStateException(defect.name());
        });
    }
}
