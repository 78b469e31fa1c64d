package dev.latchkey.auth.client.spring;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import dev.latchkey.auth.client.wire.DirectLoopback;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Adds an authorizer's credentials to each request for the authorizer's origins. After a rejection, the interceptor
 * sends the request once more with new credentials, if there are any. Requests for other origins and requests with
 * their own {@code Authorization} stay unchanged. Bodies are in memory here, so every request can be sent again.
 *
 * <p>An interceptor does not see redirects of the underlying client. Such redirects carry all header fields to any
 * origin. Therefore {@link #with} and {@link #addTo} set a request factory that follows no redirects. Spring Boot's own
 * factories follow redirects by default. Within the factory, this interceptor is the last one. The other interceptors
 * see one request and the final answer. Spring skips interceptors after an interceptor that repeats a request.
 *
 * <p>A call fails with a {@link dev.latchkey.auth.client.LoginFailedException} if there are no credentials. Safe for
 * use by any number of threads.
 */
public final class AuthorizingInterceptor implements ClientHttpRequestInterceptor {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Authorizer authorizer;

    private AuthorizingInterceptor(Authorizer authorizer) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /**
     * For {@link RestClient.Builder#apply}: a request factory with this interceptor that keeps connections alive and
     * follows no redirects. A second call replaces the factory. For a second authorizer, add {@link
     * #whereNoRedirectIsFollowed} to the interceptors of the same client.
     *
     * @param authorizer supplies the credentials and their origins
     * @return a function that replaces the request factory of the given builder
     */
    public static Consumer<RestClient.Builder> with(Authorizer authorizer) {
        AuthorizingInterceptor interceptor = new AuthorizingInterceptor(authorizer);
        return client -> client.requestFactory(interceptor.aroundItsOwn());
    }

    /**
     * Sets the same request factory as {@link #with} in a template.
     *
     * @param template keeps its other interceptors
     * @param authorizer supplies the credentials and their origins
     */
    public static void addTo(RestTemplate template, Authorizer authorizer) {
        template.setRequestFactory(new AuthorizingInterceptor(authorizer).aroundItsOwn());
    }

    /**
     * Creates an interceptor for a client with its own request factory. The factory must follow no redirects:
     * otherwise credentials go to the redirect's target. For plain HTTP to this machine, the factory
     * must use no proxy: otherwise the proxy can read the credentials. The interceptor checks neither. Add this
     * interceptor last: later interceptors do not see the second request.
     *
     * @param authorizer supplies the credentials and their origins
     * @return an interceptor for any number of clients
     */
    public static AuthorizingInterceptor whereNoRedirectIsFollowed(Authorizer authorizer) {
        return new AuthorizingInterceptor(authorizer);
    }

    private ClientHttpRequestFactory aroundItsOwn() {
        return new InterceptingClientHttpRequestFactory(factory(), List.of(this));
    }

    private static JdkClientHttpRequestFactory factory() {
        JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .proxy(new DirectLoopback())
                .build());
        factory.setReadTimeout(READ_TIMEOUT);
        return factory;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (!authorizer.isFor(request.getURI()) || request.getHeaders().getFirst(Authorization.FIELD) != null) {
            return execution.execute(request, body);
        }
        Authorization shown = await(authorizer.current());
        request.getHeaders().set(Authorization.FIELD, shown.fieldValue());
        ClientHttpResponse response = execution.execute(request, body);
        if (!authorizer.isRefusal(response.getStatusCode().value())) {
            return response;
        }
        Optional<CompletableFuture<Authorization>> renewal = authorizer.renewalOf(shown);
        if (renewal.isEmpty()) {
            return response;
        }
        drop(response);
        request.getHeaders().set(Authorization.FIELD, await(renewal.get()).fieldValue());
        return execution.execute(request, body);
    }

    /**
     * Closes the connection. Closing only the response would first read the body to its end, and the body may never
     * end.
     */
    private static void drop(ClientHttpResponse refusal) {
        try (refusal) {
            refusal.getBody().close();
        } catch (IOException e) {
            // The body is not needed, so a failed read does not matter.
        }
    }

    private static Authorization await(CompletableFuture<Authorization> shown) throws IOException {
        try {
            return Authorizer.await(shown);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a token");
        }
    }
}
