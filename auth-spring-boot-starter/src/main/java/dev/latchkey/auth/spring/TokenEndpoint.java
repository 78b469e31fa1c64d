package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthPluginException;
import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** One of the endpoints that this library brings: it answers {@code POST} at its path. */
sealed interface TokenEndpoint permits LoginEndpoint, LogoutEndpoint, RefreshEndpoint, RevokeEndpoint {

    String path();

    /**
     * Writes the response.
     *
     * @throws AuthUnavailableException if no decision could be reached
     * @throws AuthPluginException if a plugin failed
     */
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;
}
