package dev.latchkey.auth.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.Authorizer;
import dev.latchkey.auth.client.BasicAuthorizer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a client, which {@link HttpClient} has since JDK 21: called as a class does that was compiled there. */
@Timeout(60)
class ClosedClientTest {

    private static final boolean CLIENTS_END = Runtime.version().feature() >= 21;

    private final Authorizer authorizer =
            BasicAuthorizer.of(URI.create("http://localhost/"), "robot", Secret.of("secret"));
    private final Noting below = new Noting();
    private final HttpClient client = AuthorizedHttpClient.over(below, authorizer);

    @Test
    void endOfAClient_isThatOfTheClientBelow() throws Exception {
        if (CLIENTS_END) {
            ask("shutdown");
            assertThat(ask("isTerminated")).isEqualTo(true);
            assertThat(ask("awaitTermination", Duration.ofSeconds(3))).isEqualTo(false);
            ask("shutdownNow");
            ask("close");
            assertThat(below.calls)
                    .containsExactly("shutdown", "isTerminated", "awaitTermination PT3S", "shutdownNow", "close");
        } else {
            assertThat(client).isNotInstanceOf(AutoCloseable.class);
        }
    }

    @Test
    void whatTheClientBelowThrows_isThrown() throws Exception {
        if (CLIENTS_END) {
            below.failure = new InterruptedException("stop");
            assertThatThrownBy(() -> ask("awaitTermination", Duration.ZERO)).isSameAs(below.failure);
        }
    }

    @Test
    void closedClient_sendsNothingMore() throws Exception {
        HttpClient own = AuthorizedHttpClient.with(authorizer);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://localhost:1/")).build();
        if (own instanceof AutoCloseable closeable) {
            closeable.close();
            assertThatThrownBy(() -> own.send(request, BodyHandlers.discarding()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closed");
        }
    }

    private @Nullable Object ask(String method, Object... arguments) throws Exception {
        Class<?>[] types = List.of(arguments).stream().map(Object::getClass).toArray(Class<?>[]::new);
        Method asked = HttpClient.class.getMethod(method, types);
        try {
            return asked.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    /** Notes how it is ended. Public, as its methods are called through handles from another class. */
    public static final class Noting extends HttpClient {

        final List<String> calls = new ArrayList<>();

        @Nullable
        InterruptedException failure;

        public void shutdown() {
            calls.add("shutdown");
        }

        public void shutdownNow() {
            calls.add("shutdownNow");
        }

        public boolean isTerminated() {
            calls.add("isTerminated");
            return true;
        }

        public boolean awaitTermination(Duration longest) throws InterruptedException {
            if (failure != null) {
                throw failure;
            }
            calls.add("awaitTermination " + longest);
            return false;
        }

        public void close() {
            calls.add("close");
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return Optional.empty();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return Optional.empty();
        }

        @Override
        public Redirect followRedirects() {
            return Redirect.NEVER;
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return Optional.empty();
        }

        @Override
        public SSLContext sslContext() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SSLParameters sslParameters() {
            return new SSLParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return Optional.empty();
        }

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }

        @Override
        public Optional<Executor> executor() {
            return Optional.empty();
        }

        @Override
        public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
            throw new UnsupportedOperationException();
        }
    }
}
