package dev.latchkey.auth.spring.plugin;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RecordingEncoder;
import dev.latchkey.auth.spring.Services;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;

/** As {@link StoreThatThrowsTest}, for WebFlux. */
class ReactiveStoreThatThrowsTest {

    private static final Pattern REFRESH_TOKEN = Pattern.compile("\"refresh_token\":\"([^\"]+)\"");

    private final RecordingEncoder encoder = new RecordingEncoder(() -> 0);
    private final StoreThatThrows store = new StoreThatThrows(Services.PASSWORD);
    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withBean(PasswordEncoder.class, () -> encoder)
            .withBean(ReactiveUserDetailsService.class, store::reactive)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    private ReactiveWebApplicationContextRunner decidedBy(StoreThatThrowsTest.Decider decider) {
        return decider == StoreThatThrowsTest.Decider.THE_CHAIN
                ? service.withBean("directory", AuthPlugin.class, Directory::new)
                : service;
    }

    @ParameterizedTest
    @EnumSource
    void basic_refusesAllAlike_atTheCostOfAHash_andCountsIt(StoreThatThrowsTest.Decider decider) {
        decidedBy(decider).run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(basically(context, name, "right"), basically(context, "alice", "wrong"));
                for (int i = 1; i < 5; i++) {
                    shown(basically(context, name, "right" + i));
                }
                assertThat(shown(basically(context, name, "right5"))).startsWith("429");
            }
        });
    }

    @Test
    void loginEndpoint_refusesAllAlike_atTheCostOfAHash() {
        service.run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(login(context, name, "right"), login(context, "alice", "wrong"));
            }
        });
    }

    @Test
    void refresh_endsForAnAccountThatTheStoreRefusesSince() {
        service.run(context -> {
            Matcher token = REFRESH_TOKEN.matcher(shown(login(context, "alice", Services.PASSWORD)));
            assertThat(token.find()).isTrue();
            store.disable("alice");
            assertThat(shown(json(context, "/auth/token", Map.of("refresh_token", token.group(1)))))
                    .startsWith("401");
        });
    }

    @Test
    void storeThatSaysItIsDown_isAnOutage() {
        service.run(context -> {
            assertThat(shown(login(context, "down", "right"))).startsWith("503");
            assertThat(encoder.calls).isEmpty();
        });
        decidedBy(StoreThatThrowsTest.Decider.THE_CHAIN)
                .run(context ->
                        assertThat(shown(basically(context, "down", "right"))).startsWith("503"));
    }

    private void assertRefusedAlike(
            WebTestClient.RequestHeadersSpec<?> refused, WebTestClient.RequestHeadersSpec<?> wrong) {
        String expected = shown(wrong);
        encoder.calls.clear();
        assertThat(shown(refused)).isEqualTo(expected);
        assertThat(encoder.calls).hasSize(1);
    }

    /** All that a client sees. */
    private static String shown(WebTestClient.RequestHeadersSpec<?> request) {
        EntityExchangeResult<String> answer =
                request.exchange().expectBody(String.class).returnResult();
        return answer.getStatus().value() + " " + answer.getResponseHeaders() + " " + answer.getResponseBody();
    }

    private static WebTestClient.RequestHeadersSpec<?> basically(
            ApplicationContext context, String name, String password) {
        return ReactiveServices.client(context).get().uri("/hello").header("Authorization", basic(name, password));
    }

    private static WebTestClient.RequestHeadersSpec<?> login(ApplicationContext context, String name, String password) {
        return json(context, "/auth/token", Map.of("username", name, "password", password));
    }

    private static WebTestClient.RequestHeadersSpec<?> json(
            ApplicationContext context, String path, Map<String, String> fields) {
        StringBuilder body = new StringBuilder("{");
        fields.forEach((name, value) ->
                body.append(body.length() > 1 ? "," : "").append("\"%s\":\"%s\"".formatted(name, value)));
        return ReactiveServices.client(context)
                .post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .body(BodyInserters.fromValue(body.append('}').toString()));
    }
}
