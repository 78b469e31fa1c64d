package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;

/**
 * All logins of an account are ended, the account logs in, and all logins are ended again within the second. The new
 * login ends, too.
 */
@Tag("long")
class RevokedTwiceTest {

    private static final String[] PROPERTIES = {
        "latchkey.jwt.secret=" + Services.KEY,
        "latchkey.login.enabled=true",
        "latchkey.plugins=users,jwt",
        "spring.security.user.name=alice",
        "spring.security.user.password=" + Services.HASH
    };

    private final Seconds clock = new Seconds();

    @Test
    void tokenIssuedBetween_isRevoked_onServlets() {
        service(Services.web().withBean(Services.Hello.class))
                .run(context -> assertRevoked(new ServletClient(Services.mvc(context)), context));
    }

    @Test
    void tokenIssuedBetween_isRevoked_onWebFlux() {
        service(ReactiveServices.web().withBean(ReactiveServices.Hello.class))
                .run(context -> assertRevoked(new ReactiveClient(ReactiveServices.client(context)), context));
    }

    private <S extends AbstractApplicationContextRunner<S, ?, ?>> S service(S plain) {
        return plain.withPropertyValues(PROPERTIES)
                .withBean(PasswordEncoder.class, Services::cheapEncoder)
                .withBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class, () -> clock);
    }

    private void assertRevoked(Client client, ApplicationContext context) throws Exception {
        AuthChain plugins = context.getBean(AuthChain.class);
        String before = client.login();
        assertThat(client.statusWith(before)).isEqualTo(200);

        clock.beginNext();
        plugins.revokeAll("alice", clock.instant());
        assertThat(client.statusWith(before)).isEqualTo(401);
        String between = client.login();
        Instant answered = clock.instant();
        assertThat(client.statusWith(between)).isEqualTo(200);

        plugins.revokeAll("alice", clock.instant());
        assertThat(client.statusWith(between)).isEqualTo(401);
        assertThat(issuedAt(between, context)).as("dated ahead").isBeforeOrEqualTo(answered);
        assertThat(client.statusWith(client.login())).isEqualTo(200);
    }

    private static Instant issuedAt(String token, ApplicationContext context) {
        return context.getBean(JwtVerifier.class)
                .verifyOrThrow(token)
                .issuedAt()
                .orElseThrow();
    }

    /** Goes on as the machine's does, and can be moved to where a second begins. */
    private static final class Seconds implements InstantSource {

        private volatile Instant start = Instant.now();
        private volatile long startedAt = System.nanoTime();

        void beginNext() {
            start = instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
            startedAt = System.nanoTime();
        }

        @Override
        public Instant instant() {
            return start.plusNanos(System.nanoTime() - startedAt);
        }
    }

    private interface Client {

        /** The access token. */
        String login() throws Exception;

        int statusWith(String token) throws Exception;
    }

    private record ServletClient(MockMvc mvc) implements Client {

        @Override
        public String login() throws Exception {
            return Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType(MediaType.APPLICATION_JSON).content(Services.LOGIN)));
        }

        @Override
        public int statusWith(String token) throws Exception {
            return mvc.perform(get("/hello").header(HttpHeaders.AUTHORIZATION, "Bearer " + token))
                    .andReturn()
                    .getResponse()
                    .getStatus();
        }
    }

    private record ReactiveClient(WebTestClient client) implements Client {

        @Override
        public String login() {
            return Services.tokenFrom(client.post()
                    .uri("/auth/token")
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(Services.LOGIN)
                    .exchange()
                    .expectBody(String.class)
                    .returnResult()
                    .getResponseBody());
        }

        @Override
        public int statusWith(String token) {
            return client.get()
                    .uri("/hello")
                    .headers(headers -> headers.setBearerAuth(token))
                    .exchange()
                    .expectBody()
                    .returnResult()
                    .getStatus()
                    .value();
        }
    }
}
