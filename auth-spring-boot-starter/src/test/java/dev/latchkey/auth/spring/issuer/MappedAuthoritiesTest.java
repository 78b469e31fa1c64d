package dev.latchkey.auth.spring.issuer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.Jwt;

/** The path to a claim whose names may have dots. */
class MappedAuthoritiesTest {

    @Test
    void dotOfAName_isNoStepOfThePath() {
        Object client = Map.of("shop.example.com", Map.of("roles", List.of("buyer")));
        assertThat(at("resource_access.shop.example.com.roles", Map.of("resource_access", client)))
                .containsExactly("buyer");
        assertThat(at(
                        "https://shop.example.com/access.roles",
                        Map.of("https://shop.example.com/access", roles("buyer"))))
                .containsExactly("buyer");
    }

    @Test
    void longestName_isTaken() {
        assertThat(at("a.b", Map.of("a.b", "whole", "a", Map.of("b", "nested"))))
                .containsExactly("whole");
        assertThat(at("a.b.roles", Map.of("a.b", roles("longer"), "a", Map.of("b", roles("shorter")))))
                .containsExactly("longer");
    }

    @Test
    void pathToNothing_isEmpty() {
        Map<String, Object> claims = Map.of("a", roles("buyer"));
        for (String path : List.of("a.b", ".a.roles", "a.roles.", "roles", ".", "a")) {
            assertThat(at(path, claims)).as(path).isEmpty();
        }
    }

    private static Map<String, List<String>> roles(String role) {
        return Map.of("roles", List.of(role));
    }

    private static Set<String> at(String path, Map<String, Object> claims) {
        return MappedAuthorities.of(path, null)
                .apply(Jwt.withTokenValue("x")
                        .header("alg", "RS256")
                        .claims(all -> all.putAll(claims))
                        .build());
    }
}
