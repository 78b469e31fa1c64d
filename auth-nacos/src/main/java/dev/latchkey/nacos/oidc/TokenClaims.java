package dev.latchkey.nacos.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads claims by their paths: {@code realm_access.roles} is the member {@code roles} of {@code realm_access}. */
final class TokenClaims {

    /** The claims with scopes: one text with spaces (RFC 8693 section 4.2), or a list. */
    private static final Set<String> SCOPES = Set.of("scope", "scp");

    private static final int MOST = 1_000;

    private final OidcSettings settings;

    TokenClaims(OidcSettings settings) {
        this.settings = settings;
    }

    /** The values of the configured claims. A scope {@code read} is {@code SCOPE_read}; other values are unchanged. */
    Set<String> authorities(JWTClaimsSet claims) {
        Set<String> authorities = new LinkedHashSet<>();
        for (String path : settings.authorities()) {
            boolean isScope = SCOPES.contains(path);
            for (String value : texts(valueAt(claims, path), isScope)) {
                authorities.add(isScope ? "SCOPE_" + value : value);
            }
        }
        return authorities;
    }

    Map<String, Object> claims(JWTClaimsSet claims) {
        Map<String, Object> found = new LinkedHashMap<>();
        settings.claims().forEach((name, path) -> {
            Object value = valueAt(claims, path);
            if (value != null) {
                found.put(name, value);
            }
        });
        return found;
    }

    /** The text at this path; null for no text. */
    @Nullable
    String text(JWTClaimsSet claims, String path) {
        return valueAt(claims, path) instanceof String text ? text : null;
    }

    private static List<String> texts(@Nullable Object value, boolean isScope) {
        if (value instanceof String text) {
            return isScope
                    ? List.of(text.trim().split(" +")).stream()
                            .filter(each -> !each.isEmpty())
                            .toList()
                    : List.of(text).stream().filter(each -> !each.isBlank()).toList();
        }
        return value instanceof Collection<?> list
                ? list.stream()
                        .limit(MOST)
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .filter(each -> !each.isBlank())
                        .toList()
                : List.of();
    }

    /** A claim whose own name has dots has priority over a path: some issuers use URLs as names of claims. */
    private static @Nullable Object valueAt(JWTClaimsSet claims, String path) {
        Object whole = claims.getClaim(path);
        if (whole != null) {
            return whole;
        }
        Object value = claims.getClaims();
        for (String member : path.split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(member) : null;
            if (value == null) {
                return null;
            }
        }
        return Objects.requireNonNull(value);
    }
}
