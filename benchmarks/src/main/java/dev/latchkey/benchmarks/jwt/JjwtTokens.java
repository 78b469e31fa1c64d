package dev.latchkey.benchmarks.jwt;

import io.jsonwebtoken.Claims;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.JwtParserBuilder;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.jackson.io.JacksonDeserializer;
import io.jsonwebtoken.jackson.io.JacksonSerializer;
import io.jsonwebtoken.security.MacAlgorithm;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

final class JjwtTokens implements TokenLibrary {

    private final SecretKey key;
    private final MacAlgorithm algorithm;
    private final JwtParser parser;
    private final JacksonSerializer<Map<String, ?>> serializer = new JacksonSerializer<>();

    JjwtTokens(Algorithm algorithm, byte[] key, Content content) {
        this.key = new SecretKeySpec(key, "HmacSHA" + algorithm.name().substring(2));
        this.algorithm = (MacAlgorithm) Jwts.SIG.get().forKey(algorithm.name());
        JwtParserBuilder builder = Jwts.parser().verifyWith(this.key).json(new JacksonDeserializer<>());
        if (content.isFull()) {
            builder.requireIssuer(Content.ISSUER).requireAudience(Content.AUDIENCE);
        }
        this.parser = builder.build();
    }

    @Override
    public String create(Content content) {
        Instant now = Instant.now();
        JwtBuilder builder = Jwts.builder()
                .json(serializer)
                .subject(Content.SUBJECT)
                .issuedAt(Date.from(now))
                .expiration(Date.from(now.plus(Content.LIFETIME)));
        if (content.isFull()) {
            builder.issuer(Content.ISSUER)
                    .audience()
                    .add(Content.AUDIENCE)
                    .and()
                    .notBefore(Date.from(now))
                    .id(Content.ID);
        }
        return builder.signWith(key, algorithm).compact();
    }

    @Override
    public Read read(String token) {
        Claims claims = parser.parseSignedClaims(token).getPayload();
        return new Read(claims.getSubject(), claims);
    }
}
