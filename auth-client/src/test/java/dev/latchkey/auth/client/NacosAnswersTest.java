package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import dev.latchkey.auth.client.spring.AuthorizingInterceptor;
import dev.latchkey.auth.client.webflux.AuthorizingFilter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A Nacos server answers 403 to an invalid token and to a missing permission. Its default plugin answers 500 to a wrong
 * password.
 */
@Timeout(60)
class NacosAnswersTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final TokenAuthorizer tokens = TokenAuthorizer.of(
            LoginEndpoint.ofNacos(server.at("/auth/token"), "nacos", Secret.of(LoginServer.PASSWORD)),
            ClientSettings.defaults().withClock(time).withListener(heard),
            () -> 0L,
            time::pause);
    private final HttpClient client = AuthorizedHttpClient.with(tokens);
    private final AtomicInteger forbidden = new AtomicInteger();

    @BeforeEach
    void answerAsNacos() {
        server.onLogin(exchange -> LoginServer.send(
                exchange,
                200,
                "{\"accessToken\":\"" + server.newToken()
                        + "\",\"tokenTtl\":18000,\"globalAdmin\":true,\"username\":\"nacos\"}"));
        server.onCall(this::callAsNacos);
    }

    private void callAsNacos(HttpExchange exchange) throws IOException {
        if (server.isGood(exchange)) {
            LoginServer.send(exchange, 200, "hello");
        } else {
            forbidden.incrementAndGet();
            LoginServer.send(exchange, 403, "token invalid!");
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tokenThatTheServerForgot_isReplacedAfterA403() throws Exception {
        assertThat(get()).isEqualTo(200);
        server.restart();
        assertThat(get()).isEqualTo(200);
        assertThat(forbidden).hasValue(1);
        assertThat(heard.of(ClientEvent.TokenRefused.class)).hasSize(1);
    }

    @Test
    void springsClients_doTheSame() throws Exception {
        get();
        server.restart();
        RestClient rest =
                RestClient.builder().apply(AuthorizingInterceptor.with(tokens)).build();
        assertThat(rest.get().uri(server.at("/api")).retrieve().body(String.class))
                .isEqualTo("hello");
        server.restart();
        WebClient web =
                WebClient.builder().apply(AuthorizingFilter.with(tokens)).build();
        assertThat(web.get()
                        .uri(server.at("/api"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .block(LIMIT))
                .isEqualTo("hello");
        assertThat(forbidden).hasValue(2);
    }

    @Test
    void accountThatMayNotDoThis_costsFewLogins() throws Exception {
        server.onCall(exchange -> LoginServer.send(exchange, 403, "authorization failed!"));
        for (int i = 0; i < 100; i++) {
            assertThat(get()).isEqualTo(403);
        }
        assertThat(server.logins()).isEqualTo(1 + RenewalBudget.MOST);
        assertThat(server.calls()).isEqualTo(100 + RenewalBudget.MOST);
    }

    @Test
    void otherServers_areBelievedThat403IsNotAboutTheToken() throws Exception {
        HttpClient other = AuthorizedHttpClient.with(
                TokenAuthorizer.of(server.endpoint(), ClientSettings.defaults().withClock(time)));
        server.onLogin(server::issue);
        server.onCall(exchange -> LoginServer.send(exchange, 403, ""));
        assertThat(other.send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void statusOfItsWrongPasswords_isExplained() {
        server.onLogin(exchange -> LoginServer.send(exchange, 500, ""));
        assertThatThrownBy(() -> Authorizer.await(tokens.current()))
                .isInstanceOfSatisfying(
                        LoginFailedException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE))
                .hasMessageEndingWith(
                        "was answered with 500, which Nacos' default plugin says to a wrong password too");
    }

    private int get() throws Exception {
        return client.send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString())
                .statusCode();
    }
}
