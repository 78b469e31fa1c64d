package dev.latchkey.benchmarks.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.time.Instant;
import java.util.Date;
import java.util.Set;

final class NimbusTokens implements TokenLibrary {

    private final JWSSigner signer;
    private final JWSHeader header;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    NimbusTokens(Algorithm algorithm, byte[] key, Content content) throws JOSEException {
        JWSAlgorithm name = JWSAlgorithm.parse(algorithm.name());
        this.signer = new MACSigner(key);
        this.header = new JWSHeader(name);
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(name, new ImmutableSecret<>(key)));
        if (content.isFull()) {
            JWTClaimsSet exact =
                    new JWTClaimsSet.Builder().issuer(Content.ISSUER).build();
            processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(Content.AUDIENCE, exact, Set.of("exp")));
        } else {
            processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(null, Set.of("exp")));
        }
    }

    @Override
    public String create(Content content) throws JOSEException {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(Content.SUBJECT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Content.LIFETIME)));
        if (content.isFull()) {
            claims.issuer(Content.ISSUER)
                    .audience(Content.AUDIENCE)
                    .notBeforeTime(Date.from(now))
                    .jwtID(Content.ID);
        }
        SignedJWT jwt = new SignedJWT(header, claims.build());
        jwt.sign(signer);
        return jwt.serialize();
    }

    @Override
    public Read read(String token) throws Exception {
        JWTClaimsSet claims = processor.process(token, null);
        return new Read(claims.getSubject(), claims.getClaims());
    }
}
