package dev.latchkey.auth.client.spring;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Shows an authorizer's credentials with each request for one of its origins, and sends a request once more that was answered with 401, where there is something else to
 * show. Requests for other origins, and those that have an {@code Authorization} of their own, pass as they are. Bodies are in memory here, so all can be sent again.
 *
 * <p>An interceptor does not see the redirects that the client below it follows, with all header fields that it was given, to whatever origin. So this one comes with a request
 * factory that follows none: {@link #with} and {@link #addTo} set both. Spring Boot's own factories follow redirects by default.
 *
 * <p>A call fails with a {@link dev.latchkey.auth.client.LoginFailedException} where there is nothing to show. Safe for use by any number of threads.
 */
public final class AuthorizingInterceptor implements ClientHttpRequestInterceptor {

    private static final int UNAUTHORIZED = 401;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Authorizer authorizer;

    private AuthorizingInterceptor(Authorizer authorizer) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /** For {@link RestClient.Builder#apply}: this interceptor, and a request factory that keeps connections alive and follows no redirects. */
    public static Consumer<RestClient.Builder> with(Authorizer authorizer) {
        AuthorizingInterceptor interceptor = new AuthorizingInterceptor(authorizer);
        return client -> client.requestFactory(factory()).requestInterceptor(interceptor);
    }

    /** Gives the template this interceptor, as its last, and a request factory as {@link #with} does. */
    public static void addTo(RestTemplate template, Authorizer authorizer) {
        template.setRequestFactory(factory());
        template.getInterceptors().add(new AuthorizingInterceptor(authorizer));
    }

    /** For a client whose request factory is known to follow no redirects, or none to other origins. With another one credentials go where redirects lead. */
    public static AuthorizingInterceptor whereNoRedirectIsFollowed(Authorizer authorizer) {
        return new AuthorizingInterceptor(authorizer);
    }

    private static JdkClientHttpRequestFactory factory() {
        JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
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
        if (response.getStatusCode().value() != UNAUTHORIZED) {
            return response;
        }
        Optional<CompletableFuture<Authorization>> renewal = authorizer.renewalOf(shown);
        if (renewal.isEmpty()) {
            return response;
        }
        response.close();
        request.getHeaders().set(Authorization.FIELD, await(renewal.get()).fieldValue());
        return execution.execute(request, body);
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
