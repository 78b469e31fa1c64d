package dev.latchkey.auth.client.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.BasicAuthorizer;
import dev.latchkey.auth.client.ClientEvent.NotRetried;
import dev.latchkey.auth.client.ClientSettings;
import dev.latchkey.auth.client.HeardEvents;
import dev.latchkey.auth.client.LoginFailedException;
import dev.latchkey.auth.client.LoginServer;
import dev.latchkey.auth.client.MovedTime;
import dev.latchkey.auth.client.TokenAuthorizer;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests of {@code WebClient}. */
@Timeout(60)
class AuthorizingFilterTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final LoginServer other = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final TokenAuthorizer tokens = TokenAuthorizer.of(
            server.endpoint(), ClientSettings.defaults().withClock(time).withListener(heard));
    private final WebClient client =
            WebClient.builder().apply(AuthorizingFilter.with(tokens)).build();

    @AfterEach
    void stop() {
        server.close();
        other.close();
    }

    @Test
    void request_showsTheToken() {
        assertThat(get()).isEqualTo("hello");
        assertThat(get()).isEqualTo("hello");
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void refusedRequest_isSentAgainWithItsBody() {
        get();
        server.restart();
        assertThat(text(client.post()
                        .uri(server.at("/api"))
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .body(BodyInserters.fromFormData("order", "1"))))
                .isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .hasSize(2)
                .allSatisfy(asked -> {
                    assertThat(asked.body()).isEqualTo("order=1");
                    assertThat(asked.contentType()).startsWith("application/x-www-form-urlencoded");
                });
    }

    @Test
    void sourceOfABody_isAskedOnce() {
        get();
        server.restart();
        AtomicInteger asked = new AtomicInteger();
        Flux<String> once = Flux.defer(() -> asked.incrementAndGet() == 1 ? Flux.just("or", "der") : Flux.empty());
        assertThat(text(client.post().uri(server.at("/api")).body(once, String.class)))
                .isEqualTo("hello");
        assertThat(asked).hasValue(1);
        assertThat(server.asked())
                .filteredOn(each -> each.method().equals("POST") && each.path().equals("/api"))
                .extracting(LoginServer.Asked::body)
                .containsExactly("order", "order");
    }

    @ParameterizedTest
    @ValueSource(ints = {KeptBody.MOST_BYTES + 1, 3 * KeptBody.MOST_BYTES})
    void bodyThatIsTooLongToKeep_isNotSentAgain_andTheNextRequestShowsAnotherToken(int length) {
        get();
        server.restart();
        assertThatThrownBy(() -> text(client.post().uri(server.at("/api")).bodyValue("x".repeat(length))))
                .isInstanceOf(WebClientResponseException.Unauthorized.class);
        assertThat(heard.of(NotRetried.class)).containsExactly(new NotRetried(NotRetried.Reason.BODY));
        assertThat(get()).isEqualTo("hello");
        assertThat(server.refused()).isEqualTo(1);
    }

    @Test
    void bodyThatIsJustKept_isSentAgain() {
        get();
        server.restart();
        assertThat(text(client.post().uri(server.at("/api")).bodyValue("x".repeat(KeptBody.MOST_BYTES))))
                .isEqualTo("hello");
        assertThat(heard.of(NotRetried.class)).isEmpty();
    }

    @Test
    void typeAndLengthOfABody_areThoseOfItsWriter() {
        List<String> lengths = new CopyOnWriteArrayList<>();
        server.onCall(exchange -> {
            lengths.add(String.valueOf(exchange.getRequestHeaders().getFirst("Content-Length")));
            server.answerCall(exchange);
        });
        get();
        server.restart();
        assertThat(text(client.post().uri(server.at("/api")).bodyValue("order")))
                .isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::contentType)
                .containsExactly("text/plain;charset=UTF-8", "text/plain;charset=UTF-8");
        assertThat(lengths).endsWith("5", "5");
    }

    /** Such a body may have no end, and is not kept. */
    @Test
    void bodyThatIsFlushedInPieces_isNotSentAgain() {
        get();
        server.restart();
        Flux<Flux<DataBuffer>> pieces = Flux.just("or", "der")
                .map(text -> Flux.just(
                        DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.US_ASCII))));
        assertThatThrownBy(() -> text(client.post()
                        .uri(server.at("/api"))
                        .body((message, context) -> message.writeAndFlushWith(pieces))))
                .isInstanceOf(WebClientResponseException.Unauthorized.class);
        assertThat(heard.of(NotRetried.class)).containsExactly(new NotRetried(NotRetried.Reason.BODY));
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::body)
                .containsExactly("order");
    }

    /** For instance after an outage of the service. */
    @Test
    void requestThatALaterFilterSendsTwice_isRepeatedWithOneBody() {
        WebClient twice = client.mutate()
                .filter((request, next) -> next.exchange(request)
                        .flatMap(ClientResponse::releaseBody)
                        .then(Mono.defer(() -> next.exchange(request))))
                .build();
        get();
        server.restart();
        assertThat(text(twice.post().uri(server.at("/api")).bodyValue("order"))).isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::body)
                .hasSizeGreaterThan(2)
                .containsOnly("order");
    }

    @Test
    void authorizationOfTheRequestsOwn_isLeft() {
        assertThatThrownBy(() -> text(client.get().uri(server.at("/api")).header("Authorization", "Bearer mine")))
                .isInstanceOf(WebClientResponseException.Unauthorized.class);
        assertThat(server.asked()).extracting(LoginServer.Asked::authorization).containsExactly("Bearer mine");
    }

    @Test
    void basicThatIsRefused_isNotSentAgain() {
        WebClient basic = WebClient.builder()
                .apply(AuthorizingFilter.with(BasicAuthorizer.of(server.at("/"), "robot", Secret.of("wrong"))))
                .build();
        assertThatThrownBy(() -> text(basic.get().uri(server.at("/api"))))
                .isInstanceOf(WebClientResponseException.Unauthorized.class);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void requestThatIsRefusedAgain_isTheCallers() {
        server.onCall(exchange -> LoginServer.send(exchange, 401, "who?"));
        assertThatThrownBy(this::get)
                .isInstanceOfSatisfying(
                        WebClientResponseException.Unauthorized.class,
                        refusal -> assertThat(refusal.getResponseBodyAsString()).isEqualTo("who?"));
        assertThat(server.calls()).isEqualTo(2);
    }

    @Test
    void refusalWithoutEnd_isNotReadToIt() throws Exception {
        get();
        server.restart();
        CountDownLatch over = new CountDownLatch(1);
        server.onCall(exchange -> {
            server.onCall(server::answerCall);
            LoginServer.beginAndHang(exchange, 401, over);
        });
        try {
            assertThat(get()).isEqualTo("hello");
            assertThat(over.getCount()).isEqualTo(1);
        } finally {
            over.countDown();
        }
    }

    @Test
    void refusalOfManyBytes_isNotReadToItsEnd() {
        get();
        server.restart();
        server.onCall(exchange -> {
            server.onCall(server::answerCall);
            exchange.sendResponseHeaders(401, 0);
            byte[] piece = new byte[8_192];
            // Until the client has closed the connection.
            while (true) {
                exchange.getResponseBody().write(piece);
            }
        });
        assertThat(get()).isEqualTo("hello");
    }

    @Test
    void otherOrigin_isShownNothing() {
        assertThatThrownBy(() -> text(client.get().uri(other.at("/api"))))
                .isInstanceOf(WebClientResponseException.Unauthorized.class);
        assertThat(other.asked()).extracting(LoginServer.Asked::authorization).containsExactly("null");
    }

    @Test
    void redirect_isNotFollowed() {
        server.onCall(LoginServer.answering(307, "Location", other.at("/api").toString()));
        assertThat(client.get()
                        .uri(server.at("/api"))
                        .exchangeToMono(
                                response -> Mono.just(response.statusCode().value()))
                        .block(LIMIT))
                .isEqualTo(307);
        assertThat(other.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 307})
    void connectorThatReplacesTheFiltersOwn_getsNoCredentials(int status) {
        server.onCall(LoginServer.answering(status, "Location", other.at("/api").toString()));
        WebClient replaced =
                client.mutate().clientConnector(followingConnector()).build();
        assertThatIllegalStateException()
                .isThrownBy(() -> text(replaced.get().uri(server.at("/api"))))
                .withMessageContaining("AuthorizingFilter.whereNoRedirectIsFollowed")
                .withMessageContaining("JdkClientHttpRequest");
        assertThat(server.calls()).isZero();
        assertThat(other.asked()).isEmpty();
    }

    @Test
    void passwordOverAnotherConnector_isNotSent() {
        WebClient basic = WebClient.builder()
                .apply(AuthorizingFilter.with(BasicAuthorizer.of(server.at("/"), "robot", Secret.of("s3cret"))))
                .clientConnector(followingConnector())
                .build();
        assertThatIllegalStateException().isThrownBy(() -> text(basic.get().uri(server.at("/api"))));
        assertThat(server.calls()).isZero();
    }

    @Test
    void requestWithoutCredentials_mayUseAnyConnector() {
        other.onCall(exchange -> LoginServer.send(exchange, 200, "public"));
        WebClient replaced =
                client.mutate().clientConnector(followingConnector()).build();
        assertThat(text(replaced.get().uri(other.at("/api")))).isEqualTo("public");
    }

    @Test
    void connectorThatIsSaidToFollowNoRedirect_isUsed() {
        WebClient declared = WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .filter(AuthorizingFilter.whereNoRedirectIsFollowed(tokens))
                .build();
        assertThat(text(declared.get().uri(server.at("/api")))).isEqualTo("hello");
    }

    @Test
    void consumerOfTheRequestsOwn_runsToo() {
        assertThat(text(client.get()
                        .uri(server.at("/api"))
                        .httpRequest(request -> request.getHeaders().setContentType(MediaType.TEXT_XML))))
                .isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(asked -> asked.path().equals("/api"))
                .extracting(LoginServer.Asked::contentType)
                .containsExactly("text/xml");
    }

    @Test
    void loginThatIsRefused_isItsOwnException() {
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        assertThatThrownBy(this::get).isInstanceOf(LoginFailedException.class);
    }

    @Test
    void jsonBody_keepsItsType() {
        get();
        server.restart();
        assertThat(text(client.post()
                        .uri(server.at("/api"))
                        .contentType(MediaType.TEXT_PLAIN)
                        .headers(headers -> headers.setAll(Map.of("X-Order", "1")))
                        .bodyValue("order")))
                .isEqualTo("hello");
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::contentType)
                .containsOnly("text/plain");
    }

    private static JdkClientHttpConnector followingConnector() {
        return new JdkClientHttpConnector(HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build());
    }

    private String get() {
        return text(client.get().uri(server.at("/api")));
    }

    private static String text(RequestHeadersSpec<?> request) {
        return request.retrieve().bodyToMono(String.class).block(LIMIT);
    }
}
