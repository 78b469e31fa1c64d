package dev.latchkey.auth.spring.reference;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.test.web.reactive.server.WebTestClient;

/** {@code getting-started/webflux.md}, followed. */
class WebFluxGuideTest {

    @TempDir
    Path folder;

    @Test
    void login_token_andNothingWithout() throws Exception {
        try (Guide guide = Guide.of("getting-started/webflux.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            ReactiveServices.web()
                    .withClassLoader(guide.loader())
                    .withBean(MapReactiveUserDetailsService.class, WebFluxGuideTest::accounts)
                    .withUserConfiguration(guide.type("ApiSecurity"))
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        WebTestClient client = ReactiveServices.client(context);
                        String answer = client.post()
                                .uri("/auth/token")
                                .contentType(MediaType.APPLICATION_JSON)
                                .bodyValue(Services.LOGIN)
                                .exchange()
                                .expectStatus()
                                .isOk()
                                .expectBody(String.class)
                                .returnResult()
                                .getResponseBody();
                        guide.shows(answer);
                        String token = answer.replaceFirst("(?s).*\"access_token\":\"([^\"]+)\".*", "$1");
                        // There is no controller: an admitted request is answered 404.
                        client.get()
                                .uri("/nothing")
                                .headers(headers -> headers.setBearerAuth(token))
                                .exchange()
                                .expectStatus()
                                .isNotFound();
                        client.get().uri("/nothing").exchange().expectStatus().isUnauthorized();
                    });
        }
    }

    private static MapReactiveUserDetailsService accounts() {
        return new MapReactiveUserDetailsService(User.withUsername("alice")
                .password("{noop}" + Services.PASSWORD)
                .authorities("ROLE_USER")
                .build());
    }
}
