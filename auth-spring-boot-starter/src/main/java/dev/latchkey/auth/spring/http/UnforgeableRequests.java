package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.HeaderFields;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a filter chain that need no CSRF token. A page of another origin cannot set the header field of a token, or of
 * credentials that {@link CredentialsReader#needsNoCsrfToken} names. The value of the field is not checked here. So a request
 * with a cookie of the chain needs a CSRF token despite the field. Safe for use by any number of threads.
 *
 * @param header the field of a token; null in a resource server, which reads tokens itself
 * @param plugins read credentials of their own kinds; asked at each request
 * @param cookies with tokens; null for none
 */
public record UnforgeableRequests(
        @Nullable TokenHeader header,
        Supplier<AuthChain> plugins,
        @Nullable LoginCookies cookies) {

    /**
     * Whether a request needs no CSRF token.
     *
     * @param context the request
     * @return true for any such credentials, valid or not
     */
    public boolean contain(RequestContext context) {
        HeaderFields headers = context::header;
        if (cookies != null && cookies.areIn(headers)) {
            return false;
        }
        return (header != null && header.isIn(headers)) || hasOwnCredentials(context);
    }

    /** Catches failures of plugins, because no filter answers them here. A plugin that fails exempts no request. */
    private boolean hasOwnCredentials(RequestContext context) {
        try {
            return plugins.get().readers().needNoCsrfToken(context);
        } catch (AuthUnavailableException | AuthPluginException e) {
            return false;
        }
    }
}
