package dev.latchkey.auth.test;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClientConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;

/**
 * Lets the requests of a {@code WebTestClient} that is bound to a context carry a real token, which the context's own signer makes when a
 * request arrives. So it passes the whole filter chain, and whatever checks tokens there decides about it.
 *
 * <pre>{@code
 * client.mutateWith(latchkey().subject("ada").authorities("ROLE_ADMIN")).get().uri("/accounts").exchange().expectStatus().isOk();
 * }</pre>
 *
 * <p>A client that talks to a server takes its token from {@link TestTokens#latchkey()}. Immutable: each step gives a new value.
 */
public final class WebTestClientToken implements WebTestClientConfigurer, TokenSteps<WebTestClientToken> {

    private static final WebTestClientToken DEFAULT = new WebTestClientToken(TokenRecipe.DEFAULT);

    private final TokenRecipe recipe;

    private WebTestClientToken(TokenRecipe recipe) {
        this.recipe = recipe;
    }

    /**
     * A good token for {@code user}, without authorities.
     *
     * @return a mutator for {@code mutateWith}, which can be told more
     */
    public static WebTestClientToken latchkey() {
        return DEFAULT;
    }

    /** @throws IllegalStateException if the client is bound to a server, and not to a context */
    @Override
    public void afterConfigurerAdded(
            WebTestClient.Builder builder,
            @Nullable WebHttpHandlerBuilder handler,
            @Nullable ClientHttpConnector connector) {
        if (handler == null) {
            throw new IllegalStateException(
                    "This WebTestClient is bound to a server and not to an application context: "
                            + "give its requests .headers(tokens.latchkey()) of a TestTokens bean");
        }
        // A token that is said later takes the place of an earlier one.
        handler.filters(filters -> {
            filters.removeIf(TokenFilter.class::isInstance);
            filters.add(0, new TokenFilter(recipe));
        });
    }

    @Override
    public TokenRecipe recipe() {
        return recipe;
    }

    @Override
    public WebTestClientToken with(TokenRecipe recipe) {
        return new WebTestClientToken(recipe);
    }

    @Override
    public String toString() {
        return "WebTestClientToken[" + recipe + "]";
    }

    /** Stands in front of the service's own filters. */
    private record TokenFilter(TokenRecipe recipe) implements WebFilter {

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            String token = tokenIn(exchange.getApplicationContext());
            return chain.filter(exchange.mutate()
                    .request(request -> request.headers(headers -> headers.setBearerAuth(token)))
                    .build());
        }

        private String tokenIn(@Nullable ApplicationContext context) {
            String text = recipe.text();
            if (text != null) {
                return text;
            }
            if (context == null) {
                throw new IllegalStateException("This WebTestClient is not bound to an application context");
            }
            return TestTokens.of(context).made(recipe);
        }
    }
}
