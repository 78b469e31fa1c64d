package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import dev.latchkey.auth.client.spring.AuthorizingInterceptor;
import dev.latchkey.auth.client.webflux.AuthorizingFilter;
import dev.latchkey.auth.client.wire.DirectLoopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Plain HTTP is allowed on this machine alone, so such a call ignores every configured proxy. */
@Timeout(60)
class ProxyTest {

    private static final SocketAddress ELSEWHERE = InetSocketAddress.createUnresolved("proxy.example", 3128);

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);

    /** Answers as a proxy, by the path alone. */
    private final LoginServer proxy = new LoginServer(time);

    private final ProxySelector before = ProxySelector.getDefault();

    @BeforeEach
    void sendAllToTheProxy() {
        ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), proxy.at("/").getPort())));
    }

    @AfterEach
    void stop() {
        ProxySelector.setDefault(before);
        server.close();
        proxy.close();
    }

    @Test
    void loginAndRequestsOnThisMachine_passNoProxy() throws Exception {
        TokenAuthorizer tokens =
                TokenAuthorizer.of(server.endpoint(), ClientSettings.defaults().withClock(time));
        assertThat(AuthorizedHttpClient.with(tokens)
                        .send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo("hello");
        RestClient rest =
                RestClient.builder().apply(AuthorizingInterceptor.with(tokens)).build();
        assertThat(rest.get().uri(server.at("/api")).retrieve().body(String.class))
                .isEqualTo("hello");
        WebClient web =
                WebClient.builder().apply(AuthorizingFilter.with(tokens)).build();
        assertThat(web.get()
                        .uri(server.at("/api"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .block(Duration.ofSeconds(30)))
                .isEqualTo("hello");
        assertThat(proxy.asked()).isEmpty();
        assertThat(server.logins()).isEqualTo(1);
        assertThat(server.calls()).isEqualTo(3);
    }

    @Test
    void clientWithAProxyForThisMachine_sendsNoCredentials() {
        ProxySelector itsOwn = ProxySelector.getDefault();
        HttpClient withDefault = HttpClient.newHttpClient();
        ProxySelector.setDefault(null);
        HttpClient withItsOwn = HttpClient.newBuilder().proxy(itsOwn).build();
        assertSendsNothing(AuthorizedHttpClient.over(withItsOwn, basic()));
        ProxySelector.setDefault(itsOwn);
        assertSendsNothing(AuthorizedHttpClient.over(withDefault, basic()));
        assertThat(proxy.asked()).isEmpty();
    }

    private BasicAuthorizer basic() {
        return BasicAuthorizer.of(server.at("/"), "robot", Secret.of(LoginServer.PASSWORD));
    }

    private void assertSendsNothing(HttpClient client) {
        HttpRequest request = HttpRequest.newBuilder(server.at("/api")).build();
        assertThatIllegalStateException()
                .isThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                .withMessageContaining("proxy");
        assertThat(client.sendAsync(request, BodyHandlers.ofString()))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void clientWithAProxyForOtherMachines_sendsCredentials() throws Exception {
        HttpClient client = HttpClient.newBuilder().proxy(new DirectLoopback()).build();
        AuthorizedHttpClient.over(client, basic())
                .send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString());
        assertThat(server.calls()).isEqualTo(1);
        assertThat(proxy.asked()).isEmpty();
    }

    @Test
    void requestWithoutCredentials_mayPassAProxy() throws Exception {
        HttpClient client = AuthorizedHttpClient.over(HttpClient.newHttpClient(), basic());
        HttpRequest own = HttpRequest.newBuilder(server.at("/api"))
                .header("Authorization", "Bearer mine")
                .build();
        client.send(own, BodyHandlers.ofString());
        assertThat(proxy.asked()).extracting(LoginServer.Asked::authorization).containsExactly("Bearer mine");
    }

    @Test
    void whatLeavesTheMachine_passesTheProxyOfTheMachine() {
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI address) {
                return List.of(new Proxy(Proxy.Type.HTTP, ELSEWHERE));
            }

            @Override
            public void connectFailed(URI address, SocketAddress socket, IOException failure) {}
        });
        ProxySelector selector = new DirectLoopback();
        for (String near : List.of("http://localhost:8080/", "http://127.0.0.1/", "https://[::1]/")) {
            assertThat(selector.select(URI.create(near))).containsExactly(Proxy.NO_PROXY);
        }
        for (String far : List.of("https://api.example/", "http://127.0.0.1.evil.example/", "http://10.0.0.1/")) {
            assertThat(selector.select(URI.create(far)))
                    .extracting(Proxy::address)
                    .containsExactly(ELSEWHERE);
        }
    }

    @Test
    void proxyThatCannotBeReached_isToldToTheMachine() {
        List<URI> told = new ArrayList<>();
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI address) {
                return List.of(new Proxy(Proxy.Type.HTTP, ELSEWHERE));
            }

            @Override
            public void connectFailed(URI address, SocketAddress socket, IOException failure) {
                told.add(address);
            }
        });
        URI far = URI.create("https://api.example/");
        new DirectLoopback().connectFailed(far, ELSEWHERE, new IOException("refused"));
        assertThat(told).containsExactly(far);
    }

    @Test
    void machineWithoutProxies_needsNone() {
        ProxySelector.setDefault(null);
        new DirectLoopback().connectFailed(URI.create("https://api.example/"), ELSEWHERE, new IOException("refused"));
        assertThat(new DirectLoopback().select(URI.create("https://api.example/")))
                .containsExactly(Proxy.NO_PROXY);
    }
}
