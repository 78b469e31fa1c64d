package dev.latchkey.auth.test;

import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * Adds a real token to a request of {@code MockMvc}. The context's own signer creates the token for each request. The
 * request passes the whole filter chain, which checks the token as usual.
 *
 * <pre>{@code
 * mvc.perform(get("/accounts").with(latchkey().subject("ada").authorities("ROLE_ADMIN"))).andExpect(status().isOk());
 * mvc.perform(get("/accounts").with(latchkey().expired())).andExpect(status().isUnauthorized());
 * }</pre>
 *
 * <p>Immutable: each step returns a new object.
 */
public final class MockMvcToken implements RequestPostProcessor, TokenSteps<MockMvcToken> {

    private static final MockMvcToken DEFAULT = new MockMvcToken(TokenRecipe.DEFAULT);

    private final TokenRecipe recipe;

    private MockMvcToken(TokenRecipe recipe) {
        this.recipe = recipe;
    }

    /**
     * A valid token for {@code user}, without authorities.
     *
     * @return a post-processor for {@code with}; further steps change the token
     */
    public static MockMvcToken latchkey() {
        return DEFAULT;
    }

    /** @throws IllegalStateException if the request has no application context, or the context has no signing key */
    @Override
    public MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
        String token = recipe.text();
        if (token == null) {
            token = TestTokens.of(
                            WebApplicationContextUtils.getRequiredWebApplicationContext(request.getServletContext()))
                    .made(recipe);
        }
        request.removeHeader(HttpHeaders.AUTHORIZATION);
        request.addHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token);
        return request;
    }

    @Override
    public TokenRecipe recipe() {
        return recipe;
    }

    @Override
    public MockMvcToken with(TokenRecipe recipe) {
        return new MockMvcToken(recipe);
    }

    @Override
    public String toString() {
        return "MockMvcToken[" + recipe + "]";
    }
}
