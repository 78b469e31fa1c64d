package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.spring.http.Answer;
import org.springframework.http.HttpMethod;

/**
 * An endpoint of this library: answers one HTTP method at one path. Endpoints know neither servlets nor WebFlux, so both stacks give the same
 * answers. Endpoints ask plugins and stores, so a call may block. Safe for use by any number of threads.
 */
public sealed interface AuthEndpoint
        permits IntrospectEndpoint, LogoutEndpoint, MetadataEndpoint, OwnLoginsEndpoint, RevokeEndpoint, TokenEndpoint {

    /**
     * The HTTP method of this endpoint. Requests with other methods go to the service.
     *
     * @return mostly {@code POST}
     */
    default HttpMethod method() {
        return HttpMethod.POST;
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
     * @return false unless overridden, as for a token in the header
     */
    default boolean readsBody() {
        return false;
    }

    /**
     * Whether refusals of this request have the form of RFC 6749 section 5.2. All others are problems of RFC 9457.
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
     * @param request with at most one byte more of the body than {@link EndpointRequest#MAX_BODY_BYTES}
     * @return the decision, refusals included
     * @throws AuthUnavailableException if a plugin or a store reached no decision
     * @throws AuthPluginException if a plugin failed
     */
    Answer answer(EndpointRequest request);
}
