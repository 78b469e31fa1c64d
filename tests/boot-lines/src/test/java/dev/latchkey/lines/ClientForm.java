package dev.latchkey.lines;

import dev.latchkey.auth.client.TokenAuthorizer;
import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import dev.latchkey.auth.client.spring.AuthorizingInterceptor;
import dev.latchkey.auth.client.webflux.AuthorizingFilter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** An HTTP client that shows an authorizer's tokens. */
enum ClientForm {
    JDK {
        @Override
        Caller with(TokenAuthorizer tokens) {
            HttpClient client = AuthorizedHttpClient.over(HttpClient.newHttpClient(), tokens);
            return address -> client.send(
                            HttpRequest.newBuilder(address).timeout(LIMIT).build(), BodyHandlers.ofString())
                    .body();
        }
    },
    REST_CLIENT {
        @Override
        Caller with(TokenAuthorizer tokens) {
            RestClient client = RestClient.builder()
                    .apply(AuthorizingInterceptor.with(tokens))
                    .build();
            return address -> client.get().uri(address).retrieve().body(String.class);
        }
    },
    WEB_CLIENT {
        @Override
        Caller with(TokenAuthorizer tokens) {
            WebClient client =
                    WebClient.builder().apply(AuthorizingFilter.with(tokens)).build();
            return address -> client.get()
                    .uri(address)
                    .retrieve()
                    .bodyToMono(String.class)
                    .block(LIMIT);
        }
    };

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A request by such a client. */
    @FunctionalInterface
    interface Caller {

        String get(URI address) throws Exception;
    }

    abstract Caller with(TokenAuthorizer tokens);
}
