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
 * An {@link HttpClient} that adds an authorizer's credentials to each request for the authorizer's origins. After a
 * rejection, the client sends the request once more with new credentials, if there are any. Requests for other origins,
 * requests with their own {@code Authorization} and web sockets stay unchanged.
 *
 * <p>The caller handles redirects. The underlying client must not follow redirects, because a redirected request would
 * carry the credentials. The caller sends a new request to the redirect's target, and this client checks the target
 * again.
 *
 * <p>The underlying client must use no proxy for plain HTTP to this machine, because the proxy can read the credentials.
 * Such a request with credentials fails with an {@link IllegalStateException} before sending.
 *
 * <p>A request is sent again only if its body is absent or has a known length. A body of unknown length may come from a
 * stream that is already used up. Before a retry, the body of the 401 response is not read. One
 * {@link HttpRequest#timeout()} covers the waits for tokens, the request and the retry together. {@link #send} and
 * {@link #sendAsync} fail with a {@link dev.latchkey.auth.client.LoginFailedException} if there are no credentials.
 *
 * <p>On JDK 21 and newer, {@code close} and {@code shutdown} do nothing here. Call them on the client given to {@link
 * #over}. Safe for use by any number of threads.
 */
public final class AuthorizedHttpClient extends HttpClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client;
    private final Authorizer authorizer;
    private final Optional<ProxySelector> proxies;

    private AuthorizedHttpClient(HttpClient client, Authorizer authorizer) {
        this.client = client;
        // A JDK client without its own proxy selector uses the default selector from the time of its creation.
        this.proxies = client.proxy().or(() -> Optional.ofNullable(ProxySelector.getDefault()));
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /**
     * Creates a client with its own connections, shared by all threads. Create one client and use the client for all
     * requests.
     *
     * @param authorizer supplies the credentials and their origins
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
     * Wraps an existing client. If the client has no proxy selector of its own, the present default selector counts.
     *
     * @param client not changed; the caller closes this client
     * @param authorizer supplies the credentials and their origins
     * @return a client that sends every request over the given client
     * @throws IllegalArgumentException if the client follows redirects
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
        if (isExposed(request)) {
            throw exposed(request);
        }
        TimedRequest timed = TimedRequest.startingNow(request);
        Authorization shown = await(timed, authorizer.current());
        FirstAnswer<T> first = new FirstAnswer<>(authorizer, shown, request, handler);
        HttpResponse<T> response = client.send(timed.authorized(shown), first);
        Optional<CompletableFuture<Authorization>> renewal = first.renewal();
        return renewal.isEmpty() ? response : client.send(timed.authorized(await(timed, renewal.get())), handler);
    }

    private static Authorization await(TimedRequest request, CompletableFuture<Authorization> shown)
            throws IOException, InterruptedException {
        Optional<Duration> left = request.left();
        if (left.isPresent()) {
            try {
                return shown.get(left.get().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw noTokenInTime();
            } catch (ExecutionException e) {
                // The code below throws the failure with the caller's own stack.
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
        if (isExposed(request)) {
            return CompletableFuture.failedFuture(exposed(request));
        }
        TimedRequest timed = TimedRequest.startingNow(request);
        CancellableSteps steps = new CancellableSteps();
        CompletableFuture<HttpResponse<T>> result = withinTimeout(timed, authorizer.current())
                .thenCompose(shown -> {
                    FirstAnswer<T> first = new FirstAnswer<>(authorizer, shown, request, handler);
                    return steps.next(() -> client.sendAsync(timed.authorized(shown), first, pushes))
                            .thenCompose(response -> first.renewal()
                                    .map(renewal -> withinTimeout(timed, renewal)
                                            .thenCompose(next -> steps.next(
                                                    () -> client.sendAsync(timed.authorized(next), handler, pushes))))
                                    .orElseGet(() -> CompletableFuture.completedFuture(response)));
                });
        return steps.endingWith(result);
    }

    private static CompletableFuture<Authorization> withinTimeout(
            TimedRequest request, CompletableFuture<Authorization> shown) {
        return request.left()
                .map(left -> shown.copy()
                        .orTimeout(left.toNanos(), TimeUnit.NANOSECONDS)
                        .exceptionallyCompose(failure -> CompletableFuture.<Authorization>failedFuture(
                                failure instanceof TimeoutException ? noTokenInTime() : failure)))
                .orElse(shown);
    }

    private boolean isToBeAuthorized(HttpRequest request) {
        return authorizer.isFor(request.uri())
                && request.headers().firstValue(Authorization.FIELD).isEmpty();
    }

    private boolean isExposed(HttpRequest request) {
        return proxies.filter(selector -> DirectLoopback.isExposedBy(selector, request.uri()))
                .isPresent();
    }

    private static IllegalStateException exposed(HttpRequest request) {
        return new IllegalStateException("Credentials for " + request.uri().getHost()
                + " would go through a proxy unencrypted: exclude this machine from the client's proxy selector, or use"
                + " AuthorizedHttpClient.with");
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
}
