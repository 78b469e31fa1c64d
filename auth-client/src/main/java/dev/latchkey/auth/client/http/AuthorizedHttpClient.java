package dev.latchkey.auth.client.http;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import dev.latchkey.auth.client.wire.DirectLoopback;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that shows an authorizer's credentials with each request for one of its origins, and sends a request once more that was refused for them, where
 * there is something else to show. Requests for other origins, and those that have an {@code Authorization} of their own, pass as they are; web sockets too.
 *
 * <p>Redirects are the caller's: the client below must not follow them, since it would take the credentials along. Who sends a request to where a redirect
 * leads has it looked at again.
 *
 * <p>A request is sent again where it has no body, or one of a known length; others are read from streams that may be used up. The body of a 401 that is followed by another attempt is not read.
 * A {@link HttpRequest#timeout()} holds for the wait for a token, too. {@link #send} and {@link #sendAsync} fail with a {@link dev.latchkey.auth.client.LoginFailedException} where there is
 * nothing to show.
 *
 * <p>On JDK 21 and newer, {@link #close}, {@link #shutdown} and their kin end the client below, the caller's too. JDK 17 has no end of clients: there they do
 * nothing. Safe for use by any number of threads.
 */
public final class AuthorizedHttpClient extends HttpClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client;
    private final Authorizer authorizer;

    private AuthorizedHttpClient(HttpClient client, Authorizer authorizer) {
        this.client = client;
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /**
     * Over a client of its own, which keeps connections alive and shares them among all threads: make one, and use it for all requests.
     *
     * @param authorizer says what to show, and to whom
     * @return a client that follows no redirects
     */
    public static AuthorizedHttpClient with(Authorizer authorizer) {
        return over(
                HttpClient.newBuilder()
                        .followRedirects(Redirect.NEVER)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .proxy(new DirectLoopback())
                        .build(),
                authorizer);
    }

    /**
     * Over this client.
     *
     * @param client stays as it is, and the caller's; who closes the client that is returned closes this one
     * @param authorizer says what to show, and to whom
     * @return a client that sends all over that one
     * @throws IllegalArgumentException if it follows redirects
     */
    public static AuthorizedHttpClient over(HttpClient client, Authorizer authorizer) {
        if (client.followRedirects() != Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "A client that follows redirects takes credentials along to other origins: build it with"
                            + " followRedirects(Redirect.NEVER)");
        }
        return new AuthorizedHttpClient(client, authorizer);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        if (!isToBeAuthorized(request)) {
            return client.send(request, handler);
        }
        Authorization shown = await(request, authorizer.current());
        FirstAnswer<T> first = new FirstAnswer<>(authorizer, shown, request, handler);
        HttpResponse<T> response = client.send(authorized(request, shown), first);
        Optional<CompletableFuture<Authorization>> renewal = first.renewal();
        return renewal.isEmpty() ? response : client.send(authorized(request, await(request, renewal.get())), handler);
    }

    private static Authorization await(HttpRequest request, CompletableFuture<Authorization> shown)
            throws IOException, InterruptedException {
        if (request.timeout().isPresent()) {
            try {
                return shown.get(request.timeout().get().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw noTokenInTime();
            } catch (ExecutionException e) {
                // Thrown below, as the caller's own.
            }
        }
        return Authorizer.await(shown);
    }

    private static HttpTimeoutException noTokenInTime() {
        return new HttpTimeoutException("There was no token within the time-out of the request");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(request, handler, null);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        if (!isToBeAuthorized(request)) {
            return client.sendAsync(request, handler, pushes);
        }
        CancellableSteps steps = new CancellableSteps();
        CompletableFuture<HttpResponse<T>> result = withinTimeout(request, authorizer.current())
                .thenCompose(shown -> {
                    FirstAnswer<T> first = new FirstAnswer<>(authorizer, shown, request, handler);
                    return steps.next(() -> client.sendAsync(authorized(request, shown), first, pushes))
                            .thenCompose(response -> first.renewal()
                                    .map(renewal -> withinTimeout(request, renewal)
                                            .thenCompose(next -> steps.next(() ->
                                                    client.sendAsync(authorized(request, next), handler, pushes))))
                                    .orElseGet(() -> CompletableFuture.completedFuture(response)));
                });
        return steps.endingWith(result);
    }

    private static CompletableFuture<Authorization> withinTimeout(
            HttpRequest request, CompletableFuture<Authorization> shown) {
        if (request.timeout().isEmpty()) {
            return shown;
        }
        return shown.copy()
                .orTimeout(request.timeout().get().toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? noTokenInTime() : failure));
    }

    private boolean isToBeAuthorized(HttpRequest request) {
        return authorizer.isFor(request.uri())
                && request.headers().firstValue(Authorization.FIELD).isEmpty();
    }

    private static HttpRequest authorized(HttpRequest request, Authorization shown) {
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .header(Authorization.FIELD, shown.fieldValue())
                .build();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    /** Lets the client below end once its requests are answered, and takes no more of them; does nothing before JDK 21. */
    public void shutdown() {
        EndOfClients.SHUTDOWN.of(client);
    }

    /** Ends the client below without waiting for answers; does nothing before JDK 21. */
    public void shutdownNow() {
        EndOfClients.SHUTDOWN_NOW.of(client);
    }

    /**
     * Waits until the client below has ended.
     *
     * @param longest to wait
     * @return {@code false} if it has not ended by then; {@code true} before JDK 21
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public boolean awaitTermination(Duration longest) throws InterruptedException {
        return EndOfClients.awaitTermination(client, longest);
    }

    /**
     * Whether the client below has ended.
     *
     * @return {@code false} before JDK 21
     */
    public boolean isTerminated() {
        return EndOfClients.isTerminated(client);
    }

    /** Ends the client below, and waits until its requests are answered; does nothing before JDK 21. */
    public void close() {
        EndOfClients.CLOSE.of(client);
    }
}
