package dev.latchkey.benchmarks.jwt;

import com.auth0.jwt.JWT;
import com.auth0.jwt.JWTCreator;
import com.auth0.jwt.interfaces.DecodedJWT;
import com.auth0.jwt.interfaces.JWTVerifier;
import com.auth0.jwt.interfaces.Verification;
import java.time.Instant;

final class Auth0Tokens implements TokenLibrary {

    private final com.auth0.jwt.algorithms.Algorithm algorithm;
    private final JWTVerifier verifier;

    Auth0Tokens(Algorithm algorithm, byte[] key, Content content) {
        this.algorithm = switch (algorithm) {
            case HS256 -> com.auth0.jwt.algorithms.Algorithm.HMAC256(key);
            case HS384 -> com.auth0.jwt.algorithms.Algorithm.HMAC384(key);
            case HS512 -> com.auth0.jwt.algorithms.Algorithm.HMAC512(key);
        };
        Verification builder = JWT.require(this.algorithm);
        if (content.isFull()) {
            builder.withIssuer(Content.ISSUER).withAudience(Content.AUDIENCE);
        }
        this.verifier = builder.build();
    }

    @Override
    public String create(Content content) {
        Instant now = Instant.now();
        JWTCreator.Builder builder =
                JWT.create().withSubject(Content.SUBJECT).withIssuedAt(now).withExpiresAt(now.plus(Content.LIFETIME));
        if (content.isFull()) {
            builder.withIssuer(Content.ISSUER)
                    .withAudience(Content.AUDIENCE)
                    .withNotBefore(now)
                    .withJWTId(Content.ID);
        }
        return builder.sign(algorithm);
    }

    @Override
    public Read read(String token) {
        DecodedJWT jwt = verifier.verify(token);
        return new Read(jwt.getSubject(), jwt.getClaims());
    }
}
