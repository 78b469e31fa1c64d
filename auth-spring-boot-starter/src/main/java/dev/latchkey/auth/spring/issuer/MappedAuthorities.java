package dev.latchkey.auth.spring.issuer;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/** Reads authorities from a claim of another issuer's token. */
final class MappedAuthorities {

    private static final List<String> SCOPES = List.of("scope", "scp");

    private MappedAuthorities() {}

    static Function<Jwt, Set<String>> of(@Nullable String claim, @Nullable String prefix) {
        return claim == null
                ? ofScopes(prefix == null ? "SCOPE_" : prefix)
                : jwt -> prefixed(valueAt(jwt.getClaims(), claim), prefix == null ? "" : prefix);
    }

    static Function<Jwt, Set<String>> ofScopes(String prefix) {
        return jwt -> {
            Set<String> all = new LinkedHashSet<>();
            SCOPES.forEach(name -> all.addAll(prefixed(jwt.getClaims().get(name), prefix)));
            return all;
        };
    }

    /** The longest name first, because names may have dots: Auth0's claims are URLs, and Keycloak's clients may be domains. */
    private static @Nullable Object valueAt(Map<?, ?> claims, String path) {
        if (claims.containsKey(path)) {
            return claims.get(path);
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> nested) {
                return valueAt(nested, path.substring(dot + 1));
            }
        }
        return null;
    }

    private static Set<String> prefixed(@Nullable Object value, String prefix) {
        Collection<?> texts = value instanceof String text
                ? List.of(text.split(" "))
                : value instanceof Collection<?> list ? list : List.of();
        Set<String> authorities = new LinkedHashSet<>();
        for (Object text : texts) {
            if (text instanceof String authority && !authority.isBlank()) {
                authorities.add(prefix + authority);
            }
        }
        return authorities;
    }
}
