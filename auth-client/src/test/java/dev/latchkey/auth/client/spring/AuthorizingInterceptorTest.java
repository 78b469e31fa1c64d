package dev.latchkey.auth.client.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.BasicAuthorizer;
import dev.latchkey.auth.client.ClientSettings;
import dev.latchkey.auth.client.LoginFailedException;
import dev.latchkey.auth.client.LoginServer;
import dev.latchkey.auth.client.MovedTime;
import dev.latchkey.auth.client.TokenAuthorizer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.support.HttpRequestWrapper;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Requests of {@code RestClient} and {@code RestTemplate}. */
@Timeout(60)
class AuthorizingInterceptorTest {

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final LoginServer other = new LoginServer(time);
    private final TokenAuthorizer tokens =
            TokenAuthorizer.of(server.endpoint(), ClientSettings.defaults().withClock(time));
    private final RestClient client =
            RestClient.builder().apply(AuthorizingInterceptor.with(tokens)).build();
    private final RestTemplate template = new RestTemplate();

    @BeforeEach
    void addToTemplate() {
        AuthorizingInterceptor.addTo(template, tokens);
    }

    @AfterEach
    void stop() {
        server.close();
        other.close();
    }

    @Test
    void request_showsTheToken() {
        assertThat(get(server.at("/api"))).isEqualTo("hello");
        assertThat(template.getForObject(server.at("/api"), String.class)).isEqualTo("hello");
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void refusedRequest_isSentAgainWithItsBody() {
        get(server.at("/api"));
        server.restart();
        assertThat(client.post().uri(server.at("/api")).body("order").retrieve().body(String.class))
                .isEqualTo("hello");
        server.restart();
        assertThat(template.postForObject(server.at("/api"), "order", String.class))
                .isEqualTo("hello");
        assertThat(server.refused()).isEqualTo(2);
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::body)
                .containsExactly("order", "order", "order", "order");
    }

    @Test
    void requestThatIsRefusedAgain_isTheCallers() {
        server.onCall(exchange -> LoginServer.send(exchange, 401, "who?"));
        assertThatThrownBy(() -> get(server.at("/api"))).isInstanceOf(HttpClientErrorException.Unauthorized.class);
        assertThat(server.calls()).isEqualTo(2);
    }

    @Test
    void refusalWithoutEnd_isNotReadToIt() {
        RestClient patient = RestClient.builder()
                // Waits for bodies as long as they take.
                .requestFactory(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
                .requestInterceptor(AuthorizingInterceptor.whereNoRedirectIsFollowed(tokens))
                .build();
        get(server.at("/api"));
        server.restart();
        CountDownLatch over = new CountDownLatch(1);
        server.onCall(exchange -> {
            server.onCall(server::answerCall);
            LoginServer.beginAndHang(exchange, 401, over);
        });
        try {
            assertThat(patient.get().uri(server.at("/api")).retrieve().body(String.class))
                    .isEqualTo("hello");
            assertThat(over.getCount()).isEqualTo(1);
        } finally {
            over.countDown();
        }
    }

    @Test
    void refusal_isClosedBeforeTheRequestIsSentAgain() throws Exception {
        List<String> steps = new ArrayList<>();
        ClientHttpRequest request = new JdkClientHttpRequestFactory().createRequest(server.at("/api"), HttpMethod.GET);
        ClientHttpResponse last = AuthorizingInterceptor.whereNoRedirectIsFollowed(tokens)
                .intercept(request, new byte[0], (sent, body) -> {
                    steps.add("sent");
                    return new NotedResponse(steps.size() == 1 ? HttpStatus.UNAUTHORIZED : HttpStatus.OK, steps);
                });
        assertThat(last.getStatusCode()).isEqualTo(HttpStatus.OK);
        assertThat(steps).containsExactly("sent", "body closed", "closed", "sent");
    }

    /** Notes its end. */
    private record NotedResponse(HttpStatus status, List<String> steps) implements ClientHttpResponse {

        @Override
        public HttpStatusCode getStatusCode() {
            return status;
        }

        @Override
        public String getStatusText() {
            return status.getReasonPhrase();
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders();
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(new byte[0]) {
                @Override
                public void close() {
                    steps.add("body closed");
                }
            };
        }

        @Override
        public void close() {
            steps.add("closed");
        }
    }

    @Test
    void interceptorOfTheCallers_hasItsWorkInBothRequests_andSeesTheLastAnswer() {
        List<Integer> seen = new ArrayList<>();
        ClientHttpRequestInterceptor naming = (request, body, execution) -> {
            HttpRequestWrapper named = new HttpRequestWrapper(request);
            named.getHeaders().setContentType(MediaType.TEXT_XML);
            ClientHttpResponse response = execution.execute(named, body);
            seen.add(response.getStatusCode().value());
            return response;
        };
        RestClient watched = RestClient.builder()
                .apply(AuthorizingInterceptor.with(tokens))
                .requestInterceptor(naming)
                .build();
        template.getInterceptors().add(naming);
        get(server.at("/api"));
        server.restart();
        assertThat(watched.post()
                        .uri(server.at("/api"))
                        .body("order")
                        .retrieve()
                        .body(String.class))
                .isEqualTo("hello");
        server.restart();
        assertThat(template.postForObject(server.at("/api"), "order", String.class))
                .isEqualTo("hello");
        assertThat(seen).containsExactly(200, 200);
        assertThat(server.asked())
                .filteredOn(
                        asked -> asked.method().equals("POST") && asked.path().equals("/api"))
                .extracting(LoginServer.Asked::contentType)
                .hasSize(4)
                .containsOnly("text/xml");
    }

    @Test
    void otherOrigin_isShownNothing() {
        assertThatThrownBy(() -> get(other.at("/api"))).isInstanceOf(HttpClientErrorException.Unauthorized.class);
        assertThat(other.asked()).extracting(LoginServer.Asked::authorization).containsExactly("null");
    }

    @Test
    void redirect_isNotFollowed() {
        server.onCall(LoginServer.answering(302, "Location", other.at("/api").toString()));
        assertThat(client.get()
                        .uri(server.at("/api"))
                        .retrieve()
                        .toBodilessEntity()
                        .getStatusCode()
                        .value())
                .isEqualTo(302);
        assertThat(template.getForEntity(server.at("/api"), String.class)
                        .getStatusCode()
                        .value())
                .isEqualTo(302);
        assertThat(other.asked()).isEmpty();
    }

    @Test
    void authorizationOfTheRequestsOwn_isLeft() {
        assertThatThrownBy(() -> client.get()
                        .uri(server.at("/api"))
                        .header("Authorization", "Bearer mine")
                        .retrieve()
                        .body(String.class))
                .isInstanceOf(HttpClientErrorException.Unauthorized.class);
        assertThat(server.asked()).extracting(LoginServer.Asked::authorization).containsExactly("Bearer mine");
    }

    @Test
    void basicThatIsRefused_isNotSentAgain() {
        RestClient basic = RestClient.builder()
                .apply(AuthorizingInterceptor.with(BasicAuthorizer.of(server.at("/"), "robot", Secret.of("wrong"))))
                .build();
        assertThatThrownBy(() -> basic.get().uri(server.at("/api")).retrieve().body(String.class))
                .isInstanceOf(HttpClientErrorException.Unauthorized.class);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void loginThatIsRefused_isItsOwnException() {
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        assertThatThrownBy(() -> get(server.at("/api"))).isInstanceOf(LoginFailedException.class);
        assertThatThrownBy(() -> template.getForObject(server.at("/api"), String.class))
                .isInstanceOf(LoginFailedException.class);
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void interruptedThread_staysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> get(server.at("/api")))
                .isInstanceOf(ResourceAccessException.class)
                .hasCauseInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private String get(URI address) {
        return client.get().uri(address).retrieve().body(String.class);
    }
}
