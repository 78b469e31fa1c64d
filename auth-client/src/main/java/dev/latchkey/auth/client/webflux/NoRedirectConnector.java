package dev.latchkey.auth.client.webflux;

import dev.latchkey.auth.client.wire.DirectLoopback;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import reactor.core.publisher.Mono;

/**
 * The JDK's HTTP client without redirects, and without a proxy for this machine. The requests have a type of their own.
 * The filter recognizes the connector by this type, because a request does not name its connector.
 */
final class NoRedirectConnector implements ClientHttpConnector {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final ClientHttpConnector connector;

    private NoRedirectConnector(ClientHttpConnector connector) {
        this.connector = connector;
    }

    static NoRedirectConnector create() {
        return new NoRedirectConnector(new JdkClientHttpConnector(HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .proxy(new DirectLoopback())
                .build()));
    }

    /** @throws IllegalStateException if another connector made the request */
    static void requireRequestOfThis(ClientHttpRequest request) {
        if (!(request instanceof NoRedirectRequest)) {
            throw new IllegalStateException("The connector of this WebClient may take credentials along to other"
                    + " origins: its requests are of " + request.getClass().getName() + ". Leave the connector that"
                    + " AuthorizingFilter.with sets, or use AuthorizingFilter.whereNoRedirectIsFollowed with a"
                    + " connector that follows no redirects");
        }
    }

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> callback) {
        return connector.connect(method, uri, request -> callback.apply(new NoRedirectRequest(request)));
    }

    private static final class NoRedirectRequest extends ClientHttpRequestDecorator {

        NoRedirectRequest(ClientHttpRequest request) {
            super(request);
        }
    }
}
