package dev.latchkey.benchmarks.jwt;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.jwt.JwtHmacKey;
import com.google.crypto.tink.jwt.JwtHmacParameters;
import com.google.crypto.tink.jwt.JwtMac;
import com.google.crypto.tink.jwt.JwtMacConfig;
import com.google.crypto.tink.jwt.JwtValidator;
import com.google.crypto.tink.jwt.RawJwt;
import com.google.crypto.tink.jwt.VerifiedJwt;
import com.google.crypto.tink.util.SecretBytes;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

final class TinkTokens implements TokenLibrary {

    private final JwtMac mac;
    private final JwtValidator validator;
    private final boolean full;

    @AccessesPartialKey
    TinkTokens(Algorithm algorithm, byte[] key, Content content) throws GeneralSecurityException {
        JwtMacConfig.register();
        JwtHmacParameters parameters = JwtHmacParameters.builder()
                .setKeySizeBytes(key.length)
                .setKidStrategy(JwtHmacParameters.KidStrategy.IGNORED)
                .setAlgorithm(
                        switch (algorithm) {
                            case HS256 -> JwtHmacParameters.Algorithm.HS256;
                            case HS384 -> JwtHmacParameters.Algorithm.HS384;
                            case HS512 -> JwtHmacParameters.Algorithm.HS512;
                        })
                .build();
        JwtHmacKey hmacKey = JwtHmacKey.builder()
                .setParameters(parameters)
                .setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
                .build();
        this.mac = KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(hmacKey).withRandomId().makePrimary())
                .build()
                .getPrimitive(RegistryConfiguration.get(), JwtMac.class);
        this.full = content.isFull();
        JwtValidator.Builder builder = JwtValidator.newBuilder().ignoreTypeHeader();
        this.validator = full
                ? builder.expectIssuer(Content.ISSUER)
                        .expectAudience(Content.AUDIENCE)
                        .build()
                : builder.build();
    }

    @Override
    public String create(Content content) throws GeneralSecurityException {
        Instant now = Instant.now();
        RawJwt.Builder jwt = RawJwt.newBuilder()
                .setSubject(Content.SUBJECT)
                .setIssuedAt(now)
                .setExpiration(now.plus(Content.LIFETIME));
        if (content.isFull()) {
            jwt.setIssuer(Content.ISSUER)
                    .setAudience(Content.AUDIENCE)
                    .setNotBefore(now)
                    .setJwtId(Content.ID);
        }
        return mac.computeMacAndEncode(jwt.build());
    }

    /** This library has no map of all claims. */
    @Override
    public Read read(String token) throws GeneralSecurityException {
        VerifiedJwt jwt = mac.verifyMacAndDecode(token, validator);
        Map<String, Object> claims = new HashMap<>();
        claims.put("sub", jwt.getSubject());
        claims.put("iat", jwt.getIssuedAt());
        claims.put("exp", jwt.getExpiration());
        if (full) {
            claims.put("iss", jwt.getIssuer());
            claims.put("aud", jwt.getAudiences());
            claims.put("nbf", jwt.getNotBefore());
            claims.put("jti", jwt.getJwtId());
        }
        return new Read(jwt.getSubject(), claims);
    }
}
