package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JsonNull;
import dev.latchkey.auth.jwt.VerifiedJwt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * A verified token as Spring Security's type: dates as {@code Instant}, {@code aud} as a list, {@code null} members left out, and
 * every other claim as in JSON.
 */
final class SpringJwts {

    private SpringJwts() {}

    /**
     * @throws IllegalArgumentException if the token ends no later than its issue time, which Spring's type cannot express
     */
    static Jwt of(String token, VerifiedJwt verified) {
        Map<String, Object> claims = withoutNulls(verified.claims());
        verified.expiresAt().ifPresent(time -> claims.put("exp", time));
        verified.issuedAt().ifPresent(time -> claims.put("iat", time));
        verified.notBefore().ifPresent(time -> claims.put("nbf", time));
        if (claims.containsKey("aud")) {
            claims.put("aud", verified.audience());
        }
        return new Jwt(
                token,
                verified.issuedAt().orElse(null),
                verified.expiresAt().orElse(null),
                withoutNulls(verified.header()),
                claims);
    }

    private static Map<String, Object> withoutNulls(Map<String, Object> members) {
        Map<String, Object> present = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            Object plain = plain(value);
            if (plain != null) {
                present.put(name, plain);
            }
        });
        return present;
    }

    private static @Nullable Object plain(Object value) {
        if (value instanceof Map<?, ?> object) {
            Map<Object, @Nullable Object> members = new LinkedHashMap<>();
            object.forEach((name, member) -> members.put(name, plain(member)));
            return members;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(SpringJwts::plain).toList();
        }
        return value instanceof JsonNull ? null : value;
    }
}
