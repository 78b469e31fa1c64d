package dev.latchkey.auth.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.BasicAuthorizer;
import dev.latchkey.auth.client.ClientEvent;
import dev.latchkey.auth.client.ClientEvent.NotRetried;
import dev.latchkey.auth.client.ClientSettings;
import dev.latchkey.auth.client.HeardEvents;
import dev.latchkey.auth.client.LoginFailedException;
import dev.latchkey.auth.client.LoginServer;
import dev.latchkey.auth.client.MovedTime;
import dev.latchkey.auth.client.TokenAuthorizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of the JDK's HTTP client, by both of its methods. */
@Timeout(60)
class AuthorizedHttpClientTest {

    private static final long LIMIT_SECONDS = 30;

    enum Method {
        BLOCKING {
            @Override
            HttpResponse<String> send(HttpClient client, HttpRequest request) throws Exception {
                return client.send(request, BodyHandlers.ofString());
            }
        },
        ASYNCHRONOUS {
            @Override
            HttpResponse<String> send(HttpClient client, HttpRequest request) throws Exception {
                return client.sendAsync(request, BodyHandlers.ofString()).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        };

        abstract HttpResponse<String> send(HttpClient client, HttpRequest request) throws Exception;
    }

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final LoginServer other = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final CountDownLatch over = new CountDownLatch(1);
    private final TokenAuthorizer tokens = TokenAuthorizer.of(
            server.endpoint(), ClientSettings.defaults().withClock(time).withListener(heard));
    private final HttpClient client = AuthorizedHttpClient.with(tokens);

    @AfterEach
    void stop() {
        over.countDown();
        server.close();
        other.close();
    }

    @ParameterizedTest
    @EnumSource
    void request_showsTheToken(Method method) throws Exception {
        assertThat(method.send(client, get("/api")).body()).isEqualTo("hello");
        assertThat(method.send(client, get("/api/more")).body()).isEqualTo("hello");
        assertThat(server.logins()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusedRequest_isSentAgainWithItsBody(Method method) throws Exception {
        method.send(client, get("/api"));
        server.restart();
        HttpRequest post = HttpRequest.newBuilder(server.at("/api"))
                .POST(BodyPublishers.ofString("order"))
                .build();
        assertThat(method.send(client, post).body()).isEqualTo("hello");
        assertThat(server.refused()).isEqualTo(1);
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::body)
                .containsExactly("order", "order");
        assertThat(heard.of(ClientEvent.TokenRefused.class)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusedRequestOfNoBytes_isSentAgain(Method method) throws Exception {
        method.send(client, get("/api"));
        server.restart();
        HttpRequest post = HttpRequest.newBuilder(server.at("/api"))
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(method.send(client, post).body()).isEqualTo("hello");
        assertThat(heard.of(NotRetried.class)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void fieldsOfTheRequest_areInBothRequests(Method method) throws Exception {
        method.send(client, get("/api"));
        server.restart();
        HttpRequest post = HttpRequest.newBuilder(server.at("/api"))
                .header("Content-Type", "text/xml")
                .timeout(Duration.ofSeconds(LIMIT_SECONDS))
                .POST(BodyPublishers.ofString("order"))
                .build();
        assertThat(method.send(client, post).body()).isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::contentType)
                .containsExactly("text/xml", "text/xml");
    }

    @ParameterizedTest
    @EnumSource
    void requestThatIsRefusedAgain_isTheCallers(Method method) throws Exception {
        server.onCall(exchange -> LoginServer.send(exchange, 401, "who?"));
        HttpResponse<String> response = method.send(client, get("/api"));
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).isEqualTo("who?");
        assertThat(server.calls()).isEqualTo(2);
        assertThat(server.logins()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void bodyThatCannotBeSentTwice_isNot_andTheNextRequestShowsAnotherToken(Method method) throws Exception {
        method.send(client, get("/api"));
        server.restart();
        InputStream once = new ByteArrayInputStream("order".getBytes(StandardCharsets.UTF_8));
        BodyPublisher body = BodyPublishers.ofInputStream(() -> once);
        HttpResponse<String> response = method.send(
                client, HttpRequest.newBuilder(server.at("/api")).POST(body).build());
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).isEqualTo("who?");
        assertThat(heard.of(NotRetried.class)).containsExactly(new NotRetried(NotRetried.Reason.BODY));
        assertThat(method.send(client, get("/api")).statusCode()).isEqualTo(200);
        assertThat(server.refused()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void otherOrigin_isShownNothing(Method method) throws Exception {
        assertThat(method.send(client, HttpRequest.newBuilder(other.at("/api")).build())
                        .statusCode())
                .isEqualTo(401);
        assertThat(other.asked()).extracting(LoginServer.Asked::authorization).containsExactly("null");
        assertThat(server.logins()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void redirect_isTheCallers(Method method) throws Exception {
        server.onCall(LoginServer.answering(307, "Location", other.at("/api").toString()));
        assertThat(method.send(client, get("/api")).statusCode()).isEqualTo(307);
        assertThat(other.asked()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "NEVER", mode = EnumSource.Mode.EXCLUDE)
    void clientThatFollowsRedirects_isRefused(HttpClient.Redirect redirect) {
        HttpClient following = HttpClient.newBuilder().followRedirects(redirect).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthorizedHttpClient.over(following, tokens))
                .withMessageContaining("Redirect.NEVER");
    }

    @Test
    void clientOverAnother_hasTheSettingsOfTheOther() throws Exception {
        HttpClient below = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(7))
                .cookieHandler(new CookieManager())
                .authenticator(new Authenticator() {})
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(Runnable::run)
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(SSLContext.getDefault())
                .build();
        HttpClient over = AuthorizedHttpClient.over(below, tokens);
        assertThat(over.connectTimeout()).contains(Duration.ofSeconds(7));
        assertThat(over.cookieHandler()).isPresent().isEqualTo(below.cookieHandler());
        assertThat(over.authenticator()).isPresent().isEqualTo(below.authenticator());
        assertThat(over.proxy()).isPresent().isEqualTo(below.proxy());
        assertThat(over.executor()).isPresent().isEqualTo(below.executor());
        assertThat(over.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(over.followRedirects()).isEqualTo(HttpClient.Redirect.NEVER);
        assertThat(over.sslContext()).isSameAs(below.sslContext());
        assertThat(over.sslParameters().getProtocols())
                .isEqualTo(below.sslParameters().getProtocols());
        assertThat(over.newWebSocketBuilder()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void authorizationOfTheRequestsOwn_isLeft(Method method) throws Exception {
        HttpRequest own = HttpRequest.newBuilder(server.at("/api"))
                .header("Authorization", "Bearer mine")
                .build();
        assertThat(method.send(client, own).statusCode()).isEqualTo(401);
        assertThat(server.asked()).extracting(LoginServer.Asked::authorization).containsExactly("Bearer mine");
    }

    @Test
    void bodyHandler_isShownTheLastAnswerAlone(@TempDir Path directory) throws Exception {
        client.send(get("/api"), BodyHandlers.ofString());
        server.restart();
        AtomicInteger shown = new AtomicInteger();
        HttpResponse<Path> response = client.send(get("/api"), head -> {
            shown.incrementAndGet();
            return BodyHandlers.ofFile(directory.resolve("body")).apply(head);
        });
        assertThat(Files.readString(response.body())).isEqualTo("hello");
        assertThat(shown).hasValue(1);
    }

    @Test
    void refusalWithoutEnd_isNotReadToIt() throws Exception {
        client.send(get("/api"), BodyHandlers.ofString());
        server.restart();
        server.onCall(exchange -> {
            server.onCall(server::answerCall);
            exchange.sendResponseHeaders(401, 0);
            exchange.getResponseBody().write('w');
            exchange.getResponseBody().flush();
            hang();
        });
        assertThat(client.send(get("/api"), BodyHandlers.ofString()).body()).isEqualTo("hello");
    }

    @Test
    void loginThatIsRefused_isAnExceptionOfBothMethods() {
        server.onLogin(exchange -> LoginServer.send(exchange, 401, ""));
        assertThatThrownBy(() -> client.send(get("/api"), BodyHandlers.ofString()))
                .isInstanceOf(LoginFailedException.class);
        assertThatThrownBy(() ->
                        client.sendAsync(get("/api"), BodyHandlers.ofString()).get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LoginFailedException.class);
        assertThat(server.logins()).isEqualTo(1);
        assertThat(server.calls()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void loginThatIsRefused_isNoTimeout(Method method) {
        server.onLogin(exchange -> LoginServer.send(exchange, 401, ""));
        HttpRequest patient = HttpRequest.newBuilder(server.at("/api"))
                .timeout(Duration.ofSeconds(LIMIT_SECONDS))
                .build();
        assertThatThrownBy(() -> method.send(client, patient))
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(LoginFailedException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(LoginFailedException.class));
    }

    @ParameterizedTest
    @EnumSource
    void timeoutOfTheRequest_holdsForTheTokenToo(Method method) {
        server.onLogin(exchange -> hang());
        HttpRequest hasty = HttpRequest.newBuilder(server.at("/api"))
                .timeout(Duration.ofMillis(50))
                .build();
        assertThatThrownBy(() -> method.send(client, hasty))
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(HttpTimeoutException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(HttpTimeoutException.class));
    }

    /** The JDK's client accepts such a time-out, and some callers mean no time-out. */
    @ParameterizedTest
    @EnumSource
    void timeoutOfAThousandYears_isNoFailure(Method method) throws Exception {
        HttpRequest patient = HttpRequest.newBuilder(server.at("/api"))
                .timeout(Duration.ofDays(365_000))
                .build();
        assertThat(method.send(client, patient).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void timeoutOfTheRequest_isOneForAllItsSteps(Method method) throws Exception {
        AtomicLong firstLogin = new AtomicLong();
        AtomicLong refusal = new AtomicLong();
        server.onLogin(exchange -> {
            server.onLogin(server::issue);
            firstLogin.set(System.nanoTime());
            server.issue(exchange);
        });
        server.onCall(exchange -> {
            server.onCall(server::answerCall);
            refusal.set(System.nanoTime());
            LoginServer.send(exchange, 401, "who?");
        });
        Duration timeout = Duration.ofSeconds(LIMIT_SECONDS);
        HttpResponse<String> response = method.send(
                client,
                HttpRequest.newBuilder(server.at("/api")).timeout(timeout).build());
        assertThat(response.statusCode()).isEqualTo(200);
        // The retry has at most the time that was left when the first answer was sent.
        assertThat(response.request().timeout().orElseThrow())
                .isLessThan(timeout.minusNanos(refusal.get() - firstLogin.get()));
    }

    @Test
    void basic_isShownOverOnePooledConnection() throws Exception {
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        server.onCall(exchange -> {
            ports.add(exchange.getRemoteAddress().getPort());
            LoginServer.send(exchange, 200, "hello");
        });
        HttpClient basic = AuthorizedHttpClient.with(BasicAuthorizer.of(server.at("/"), "röbot", Secret.of("s€cret")));
        for (int i = 0; i < 20; i++) {
            assertThat(basic.send(get("/api"), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
        assertThat(ports).hasSize(1);
        assertThat(server.asked().get(0).authorization()).isEqualTo("Basic csO2Ym90OnPigqxjcmV0");
    }

    @Test
    void basicThatIsRefused_isNotSentAgain() throws Exception {
        HttpClient basic = AuthorizedHttpClient.with(BasicAuthorizer.of(server.at("/"), "robot", Secret.of("wrong")));
        assertThat(basic.send(get("/api"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void namesAndPasswordsThatBasicCannotHold_areRefused() {
        URI address = server.at("/");
        for (String name : List.of("a:b", ":b", "a\nb")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BasicAuthorizer.of(address, name, Secret.of("secret")));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BasicAuthorizer.of(address, "robot", Secret.of("a\u0000b")));
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(server.at(path)).build();
    }

    private void hang() throws IOException {
        try {
            assertThat(over.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
