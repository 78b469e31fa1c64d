package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.spring.http.Answer;
import org.springframework.http.HttpMethod;

/**
 * An endpoint of this library, for one HTTP method at one path. Endpoints depend neither on servlets nor on WebFlux, so
 * both stacks give the same answers. Endpoints call plugins and stores, so a call may block. Safe for use by any number
 * of threads.
 */
public sealed interface AuthEndpoint
        permits IntrospectEndpoint, LogoutEndpoint, MetadataEndpoint, OwnLoginsEndpoint, RevokeEndpoint, TokenEndpoint {

    /**
     * The HTTP method of this endpoint.
     *
     * @return mostly {@code POST}
     */
    default HttpMethod method() {
        return HttpMethod.POST;
    }

    /**
     * Whether this endpoint answers requests with an HTTP method. Requests with other methods go to the service. An endpoint
     * for {@code GET} also answers {@code HEAD} (RFC 9110 section 9.1), and the server leaves out the body.
     *
     * @param method the name of the HTTP method
     * @return true for the method of this endpoint, and for {@code HEAD} beside {@code GET}
     */
    default boolean serves(String method) {
        return method.equals(method().name()) || (method.equals("HEAD") && method().equals(HttpMethod.GET));
    }

    /**
     * The path of this endpoint, below the context path.
     *
     * @return a pattern; a segment in braces is a variable
     */
    String path();

    /**
     * Whether this endpoint reads a body.
     *
     * @return false unless overridden, for example if the header contains the token
     */
    default boolean readsBody() {
        return false;
    }

    /**
     * Whether error answers to this request have the form of RFC 6749 section 5.2. All other error answers are problem
     * details (RFC 9457).
     *
     * @param request a request to this endpoint
     * @return false for most endpoints
     */
    default boolean speaksOAuth(EndpointRequest request) {
        return false;
    }

    /**
     * Answers a request with this method at this path.
     *
     * @param request the request; its body has at most one byte more than {@link EndpointRequest#MAX_BODY_BYTES}
     * @return the answer, including rejections
     * @throws AuthUnavailableException if a plugin or a store reached no decision
     * @throws AuthPluginException if a plugin failed
     */
    Answer answer(EndpointRequest request);
}
