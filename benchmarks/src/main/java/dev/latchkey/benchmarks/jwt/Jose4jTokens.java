package dev.latchkey.benchmarks.jwt;

import java.time.Instant;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.lang.JoseException;

final class Jose4jTokens implements TokenLibrary {

    private final String algorithm;
    private final SecretKeySpec key;
    private final JwtConsumer consumer;

    Jose4jTokens(Algorithm algorithm, byte[] key, Content content) {
        this.algorithm = algorithm.name();
        this.key = new SecretKeySpec(key, "HmacSHA" + algorithm.name().substring(2));
        JwtConsumerBuilder builder = new JwtConsumerBuilder()
                .setRequireExpirationTime()
                .setVerificationKey(this.key)
                .setJwsAlgorithmConstraints(new AlgorithmConstraints(ConstraintType.PERMIT, this.algorithm));
        if (content.isFull()) {
            builder.setExpectedIssuer(Content.ISSUER).setExpectedAudience(Content.AUDIENCE);
        }
        this.consumer = builder.build();
    }

    @Override
    public String create(Content content) throws JoseException {
        NumericDate now = NumericDate.fromSeconds(Instant.now().getEpochSecond());
        JwtClaims claims = new JwtClaims();
        claims.setSubject(Content.SUBJECT);
        claims.setIssuedAt(now);
        claims.setExpirationTime(NumericDate.fromSeconds(now.getValue() + Content.LIFETIME.toSeconds()));
        if (content.isFull()) {
            claims.setIssuer(Content.ISSUER);
            claims.setAudience(Content.AUDIENCE);
            claims.setNotBefore(now);
            claims.setJwtId(Content.ID);
        }
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(key);
        signature.setAlgorithmHeaderValue(algorithm);
        return signature.getCompactSerialization();
    }

    @Override
    public Read read(String token) throws InvalidJwtException, MalformedClaimException {
        JwtClaims claims = consumer.processToClaims(token);
        return new Read(claims.getSubject(), claims.getClaimsMap());
    }
}
