package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.spring.http.Answer;
import org.springframework.http.HttpMethod;

/**
 * An endpoint that this library brings: it answers one method at its path. It knows neither servlets nor WebFlux, so no answer depends on which of
 * them is there. It asks plugins and stores, so it may hold up its thread. Safe for use by any number of threads.
 */
public sealed interface TokenEndpoint
        permits LoginEndEndpoint, LoginEndpoint, LoginListEndpoint, LogoutEndpoint, RefreshEndpoint, RevokeEndpoint {

    /**
     * The one method that it answers; requests with another one are not for it.
     *
     * @return mostly {@code POST}
     */
    default HttpMethod method() {
        return HttpMethod.POST;
    }

    /**
     * Where it is, below the context path.
     *
     * @return a pattern, of which a segment in braces is a variable
     */
    String path();

    /**
     * How much of a body it reads.
     *
     * @return bytes; 0 where it reads none
     */
    int maxBodyBytes();

    /**
     * Answers a request of this method at this path.
     *
     * @param request with at most one byte more of a body than is read
     * @return whatever was decided, refusals too
     * @throws AuthUnavailableException if no decision could be reached
     * @throws AuthPluginException if a plugin failed
     */
    Answer answer(EndpointRequest request);
}
