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
 * Adds a real token to the requests of a {@code WebTestClient} bound to a context. The context's own signer creates the
 * token for each request. The request passes the whole filter chain, which checks the token as usual.
 *
 * <pre>{@code
 * client.mutateWith(latchkey().subject("ada").authorities("ROLE_ADMIN")).get().uri("/accounts").exchange().expectStatus().isOk();
 * }</pre>
 *
 * <p>For a client of a server, use {@link TestTokens#latchkey()}. Immutable: each step returns a new object.
 */
public final class WebTestClientToken implements WebTestClientConfigurer, TokenSteps<WebTestClientToken> {

    private static final WebTestClientToken DEFAULT = new WebTestClientToken(TokenRecipe.DEFAULT);

    private final TokenRecipe recipe;

    private WebTestClientToken(TokenRecipe recipe) {
        this.recipe = recipe;
    }

    /**
     * A valid token for {@code user}, without authorities.
     *
     * @return a mutator for {@code mutateWith}; further steps change the token
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
        // A later token replaces an earlier one.
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

    /** Runs before the service's own filters. */
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
