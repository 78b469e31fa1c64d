package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthPluginException;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.Answer;
import org.springframework.http.HttpMethod;

/**
 * One of the endpoints that this library brings: it answers one method at its path. Knows neither servlets nor WebFlux, so
 * that no answer depends on which of them is there. Asks plugins and stores, which may block.
 */
public sealed interface TokenEndpoint
        permits LoginEndEndpoint, LoginEndpoint, LoginListEndpoint, LogoutEndpoint, RefreshEndpoint, RevokeEndpoint {

    default HttpMethod method() {
        return HttpMethod.POST;
    }

    /** As a pattern, of which a segment in braces is a variable. */
    String path();

    /** How much of a body is read; 0 if none is. */
    int maxBodyBytes();

    /**
     * The answer to this request.
     *
     * @throws AuthUnavailableException if no decision could be reached
     * @throws AuthPluginException if a plugin failed
     */
    Answer answer(EndpointRequest request);
}
