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
 * Shows an authorizer's credentials with each request for one of its origins, and sends a request once more that was refused for them, where there is something else to
 * show. Requests for other origins, and those that have an {@code Authorization} of their own, pass as they are. Bodies are in memory here, so all can be sent again.
 *
 * <p>An interceptor does not see the redirects that the client below it follows, with all header fields that it was given, to whatever origin. So this one comes within a request
 * factory that follows none: {@link #with} and {@link #addTo} set that. Spring Boot's own factories follow redirects by default. Within the factory it is below all other interceptors, which see one request and
 * the answer that the caller gets; Spring passes by those that are below one that sends a request again.
 *
 * <p>A call fails with a {@link dev.latchkey.auth.client.LoginFailedException} where there is nothing to show. Safe for use by any number of threads.
 */
public final class AuthorizingInterceptor implements ClientHttpRequestInterceptor {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Authorizer authorizer;

    private AuthorizingInterceptor(Authorizer authorizer) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /**
     * For {@link RestClient.Builder#apply}: a request factory that has this interceptor, keeps connections alive and follows no redirects.
     *
     * @param authorizer says what to show, and to whom
     * @return sets the request factory of the builder that it is given, in place of the one before
     */
    public static Consumer<RestClient.Builder> with(Authorizer authorizer) {
        AuthorizingInterceptor interceptor = new AuthorizingInterceptor(authorizer);
        return client -> client.requestFactory(interceptor.aroundItsOwn());
    }

    /**
     * Gives the template such a request factory as {@link #with} does.
     *
     * @param template keeps its other interceptors
     * @param authorizer says what to show, and to whom
     */
    public static void addTo(RestTemplate template, Authorizer authorizer) {
        template.setRequestFactory(new AuthorizingInterceptor(authorizer).aroundItsOwn());
    }

    /**
     * For a client whose request factory is known to follow no redirects, or none to other origins. With another one credentials go where redirects lead. To be the client's last interceptor: those that are added
     * after it do not see the second request.
     *
     * @param authorizer says what to show, and to whom
     * @return an interceptor that may serve several clients
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

    /** Ends its connection: to close the answer alone would read its body to the end first, and there may be none. */
    private static void drop(ClientHttpResponse refusal) {
        try (refusal) {
            refusal.getBody().close();
        } catch (IOException e) {
            // What cannot be read need not be.
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
