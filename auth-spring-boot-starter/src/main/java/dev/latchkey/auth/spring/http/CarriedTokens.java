package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.HeaderFields;
import java.util.Optional;

/**
 * Reads the access token of a cookie, for a request without credentials in its header fields. A browser adds cookies to each
 * request, so a header field set by the client has precedence. Safe for use by any number of threads.
 */
public final class CarriedTokens {

    private final LoginCookies cookies;
    private final TokenHeader header;
    private final AuthChain plugins;

    /**
     * For the requests of a filter chain.
     *
     * @param cookies of the chain
     * @param header the header field for a token set by the client
     * @param plugins read credentials of their own kinds
     */
    public CarriedTokens(LoginCookies cookies, TokenHeader header, AuthChain plugins) {
        this.cookies = cookies;
        this.header = header;
        this.plugins = plugins;
    }

    /**
     * The access token of the cookie.
     *
     * @param context the request
     * @return empty without the cookie, and for a request with other credentials
     */
    public Optional<String> in(RequestContext context) {
        return areBesideOthers(context) ? Optional.empty() : cookies.accessIn(context::header);
    }

    /**
     * Whether a request has other credentials beside the cookies. The cookies are then ignored.
     *
     * @param context the request
     * @return false without cookies
     */
    public boolean areBesideOthers(RequestContext context) {
        HeaderFields headers = context::header;
        return cookies.areIn(headers)
                && (!headers.values("Authorization").isEmpty()
                        || header.isIn(headers)
                        || !plugins.readers().of(context).isEmpty());
    }
}
