package dev.latchkey.auth.test.older;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.WebTestClientToken.latchkey;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.LibraryController;
import dev.latchkey.auth.test.ReactiveLibrarySecurity;
import dev.latchkey.auth.test.TestClock;
import dev.latchkey.auth.test.TestTokens;
import dev.latchkey.auth.test.WebTestClientToken;
import dev.latchkey.auth.test.WithLatchkeySubject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A controller behind the filters and rules of a WebFlux service, and nothing else of it. */
@WebFluxTest(LibraryController.class)
@AutoConfigureLatchkeyTest
@Import(ReactiveLibrarySecurity.class)
class WebFluxSliceTest {

    @Autowired
    WebTestClient client;

    @Autowired
    TestTokens tokens;

    @Autowired
    TestClock clock;

    @Test
    void token_passesTheFilters() {
        client.mutateWith(latchkey().subject("grace").authorities("ROLE_LIBRARIAN"))
                .get()
                .uri("/shelves")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("shelves of grace");
        status(latchkey().authorities("ROLE_READER"), "/shelves", 403);
    }

    @Test
    void tokenThatIsNotGood_isRefused() {
        for (WebTestClientToken token : new WebTestClientToken[] {
            latchkey().expired(),
            latchkey().signedByAnotherKey(),
            latchkey().revoked(),
            latchkey().token("none-at-all")
        }) {
            assertThatProblem(client.mutateWith(token)
                            .get()
                            .uri("/me")
                            .exchange()
                            .expectBody()
                            .returnResult())
                    .refusesTheToken();
        }
    }

    @Test
    void tokenThatIsSaidLater_takesThePlaceOfTheEarlierOne() {
        client.mutateWith(latchkey().authorities("ROLE_LIBRARIAN"))
                .mutateWith(latchkey().expired())
                .get()
                .uri("/shelves")
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }

    @Test
    void tokenInTheHeaderFields_isTheSame() {
        client.get()
                .uri("/shelves")
                .headers(tokens.latchkey().subject("grace").authorities("ROLE_LIBRARIAN"))
                .exchange()
                .expectStatus()
                .isOk();
    }

    @Test
    void token_endsByTheClockThatIsMoved() {
        WebTestClientToken token = latchkey().token(tokens.latchkey().text());
        clock.advance(Duration.ofMinutes(30).minusSeconds(1));
        status(token, "/me", 200);
        clock.advance(Duration.ofSeconds(1));
        status(token, "/me", 401);
    }

    @Test
    @WithLatchkeySubject(value = "lee", authorities = "ROLE_LIBRARIAN")
    void subjectOfTheTest_needsNoToken() {
        client.get().uri("/shelves").exchange().expectBody(String.class).isEqualTo("shelves of lee");
    }

    @Test
    void clientOfAServer_isSentToTheHeaderFields() {
        WebTestClient.Builder ofAServer = WebTestClient.bindToServer();
        assertThatIllegalStateException()
                .isThrownBy(() -> ofAServer.apply(latchkey()))
                .withMessageContaining("tokens.latchkey()");
    }

    private void status(WebTestClientToken token, String path, int expected) {
        client.mutateWith(token).get().uri(path).exchange().expectStatus().isEqualTo(expected);
    }
}
