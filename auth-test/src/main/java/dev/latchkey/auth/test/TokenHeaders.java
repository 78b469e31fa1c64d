package dev.latchkey.auth.test;

import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;

/**
 * A real token in {@code Authorization}, for clients with a {@code Consumer} of header fields: {@code RestTestClient},
 * {@code RestClient}, and clients of a server.
 *
 * <pre>{@code
 * client.get().uri("/accounts").headers(tokens.latchkey().subject("ada").authorities("ROLE_ADMIN")).exchange();
 * }</pre>
 *
 * <p>Immutable: each step returns a new object.
 */
public final class TokenHeaders implements Consumer<HttpHeaders>, TokenSteps<TokenHeaders> {

    private final TestTokens tokens;
    private final TokenRecipe recipe;

    TokenHeaders(TestTokens tokens, TokenRecipe recipe) {
        this.tokens = tokens;
        this.recipe = recipe;
    }

    /**
     * The token alone, for other clients.
     *
     * @return the compact form, created at this call; without {@code Bearer}
     */
    public String text() {
        return tokens.made(recipe);
    }

    @Override
    public void accept(HttpHeaders headers) {
        headers.setBearerAuth(text());
    }

    @Override
    public TokenRecipe recipe() {
        return recipe;
    }

    @Override
    public TokenHeaders with(TokenRecipe recipe) {
        return new TokenHeaders(tokens, recipe);
    }

    @Override
    public String toString() {
        return "TokenHeaders[" + recipe + "]";
    }
}
