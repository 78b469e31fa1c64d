package dev.latchkey.auth.test.newer;

import static org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers.springSecurity;

import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.LibraryController;
import dev.latchkey.auth.test.LibrarySecurity;
import dev.latchkey.auth.test.TestTokens;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.web.context.WebApplicationContext;

/** {@code RestTestClient} takes the token as header fields, like every other client with header fields. */
@WebMvcTest(LibraryController.class)
@AutoConfigureLatchkeyTest
@Import(LibrarySecurity.class)
class RestTestClientTest {

    @Autowired
    TestTokens tokens;

    @Autowired
    WebApplicationContext context;

    private RestTestClient client;

    @BeforeEach
    void bind() {
        client = RestTestClient.bindToApplicationContext(context)
                .configureServer(server -> server.apply(springSecurity()))
                .build();
    }

    @Test
    void token_passesTheFilters() {
        client.get()
                .uri("/shelves")
                .headers(tokens.latchkey().subject("grace").authorities("ROLE_LIBRARIAN"))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("shelves of grace");
    }

    @Test
    void tokenThatIsNotGood_isRefused() {
        client.get()
                .uri("/me")
                .headers(tokens.latchkey().signedByAnotherKey())
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }
}
