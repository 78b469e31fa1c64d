package dev.latchkey.benchmarks.services;

import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;
import java.time.Instant;
import java.util.Date;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** Tokens by jjwt with a shared key and parser, as jjwt's documentation says. */
@SuppressWarnings("JavaUtilDate") // jjwt's own type
final class JjwtTokens implements Tokens {

    private final SecretKey key;
    private final JwtParser parser;

    JjwtTokens(byte[] key) {
        this.key = Keys.hmacShaKeyFor(key);
        this.parser = Jwts.parser().verifyWith(this.key).build();
    }

    @Override
    public String issue(String subject) {
        Instant now = Instant.now();
        return Jwts.builder()
                .subject(subject)
                .issuedAt(Date.from(now))
                .expiration(Date.from(now.plus(LIFETIME)))
                .signWith(key)
                .compact();
    }

    @Override
    public @Nullable String subjectOf(String token) {
        try {
            return parser.parseSignedClaims(token).getPayload().getSubject();
        } catch (JwtException | IllegalArgumentException e) {
            return null;
        }
    }
}
