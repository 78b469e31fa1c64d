package dev.latchkey.benchmarks.jwt;

import io.fusionauth.jwt.JWTDecoder;
import io.fusionauth.jwt.JWTEncoder;
import io.fusionauth.jwt.Signer;
import io.fusionauth.jwt.Verifier;
import io.fusionauth.jwt.domain.JWT;
import io.fusionauth.jwt.hmac.HMACSigner;
import io.fusionauth.jwt.hmac.HMACVerifier;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

final class FusionAuthTokens implements TokenLibrary {

    private final JWTEncoder encoder = JWT.getEncoder();
    private final JWTDecoder decoder = JWT.getDecoder();
    private final Signer signer;
    private final Verifier verifier;
    private final boolean full;

    FusionAuthTokens(Algorithm algorithm, byte[] key, Content content) {
        this.signer = switch (algorithm) {
            case HS256 -> HMACSigner.newSHA256Signer(key);
            case HS384 -> HMACSigner.newSHA384Signer(key);
            case HS512 -> HMACSigner.newSHA512Signer(key);
        };
        this.verifier = HMACVerifier.newVerifier(key);
        this.full = content.isFull();
    }

    @Override
    public String create(Content content) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        JWT jwt = new JWT().setSubject(Content.SUBJECT).setIssuedAt(now).setExpiration(now.plus(Content.LIFETIME));
        if (content.isFull()) {
            jwt.setIssuer(Content.ISSUER)
                    .setAudience(Content.AUDIENCE)
                    .setNotBefore(now)
                    .setUniqueId(Content.ID);
        }
        return encoder.encode(jwt, signer);
    }

    /** This library leaves issuer and audience to its caller. */
    @Override
    public Read read(String token) {
        JWT jwt = decoder.decode(token, verifier);
        if (full && !(Content.ISSUER.equals(jwt.issuer) && Content.AUDIENCE.equals(jwt.audience))) {
            throw new IllegalStateException("Wrong issuer or audience");
        }
        return new Read(jwt.subject, jwt.getAllClaims());
    }
}
