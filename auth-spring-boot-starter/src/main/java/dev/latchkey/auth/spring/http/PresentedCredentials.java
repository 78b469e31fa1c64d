package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.HeaderFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the credentials of a request for the plugins.
 *
 * <p>A request with credentials of several kinds is rejected. Otherwise the first reader would decide which credentials count,
 * and a proxy or a logger may read the others. RFC 6750 section 2 allows one method for each request. Immutable.
 */
public final class PresentedCredentials {

    /**
     * Reads only the plugins' credentials and no bearer token: for an OAuth2 resource server, which checks bearer tokens itself.
     */
    public static final PresentedCredentials OF_PLUGINS = new PresentedCredentials(null);

    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "Bearer ";

    /** Without a following space: Spring Security's filter on servlets accepts any character there. */
    private static final String BASIC = "Basic";

    private final @Nullable TokenHeader header;

    private PresentedCredentials(@Nullable TokenHeader header) {
        this.header = header;
    }

    /**
     * Reads the plugins' credentials, or else a bearer token: for a chain without a resource server.
     *
     * @param header the header of the token
     * @return a reader for all requests of the chain
     */
    public static PresentedCredentials bearerOrOfPlugins(TokenHeader header) {
        return new PresentedCredentials(header);
    }

    /**
     * The credentials of a request: the result of the first plugin that finds credentials, or else the bearer token if this chain
     * reads bearer tokens. A plugin may find its own credentials in a bearer token, an API key for example; then no other plugin
     * gets this token.
     *
     * <p>A request with credentials of several kinds must be rejected: two fields {@code Authorization}, two tokens, a token
     * beside HTTP Basic, credentials of two types from plugins, or a plugin's credentials beside a token or HTTP Basic.
     *
     * @param context the request
     * @param plugins all are asked, in their order
     * @return the credentials, if any, and whether the request has several kinds
     */
    public Found in(RequestContext context, AuthChain plugins) {
        HeaderFields headers = context::header;
        List<String> authorization = headers.values(AUTHORIZATION);
        if (authorization.size() > 1 || (header != null && header.hasAnotherIn(headers))) {
            return Found.SEVERAL;
        }
        List<Credentials> own = plugins.readers().of(context);
        String field = authorization.isEmpty() ? "" : authorization.get(0);
        boolean hasBasic = isOf(BASIC, field);
        if (own.isEmpty()) {
            return header == null
                    ? Found.NONE
                    : header.textIn(headers)
                            .map(token -> hasBasic ? Found.SEVERAL : new Found(BearerToken.of(token), false))
                            .orElse(Found.NONE);
        }
        if (kindsOf(own) > 1 || hasBasic) {
            return Found.SEVERAL;
        }
        boolean hasToken = isOf(BEARER, field) || (header != null && header.isIn(headers));
        return hasToken && isReadBesideAToken(plugins, context) ? Found.SEVERAL : new Found(own.get(0), false);
    }

    /**
     * The result of reading a request once.
     *
     * @param credentials null if there are none, or several
     * @param areSeveral true if the request must be rejected
     */
    public record Found(@Nullable Credentials credentials, boolean areSeveral) {

        private static final Found NONE = new Found(null, false);
        private static final Found SEVERAL = new Found(null, true);
    }

    /** Whether a plugin finds credentials outside of {@code Authorization}. Otherwise the plugin's credentials are the token. */
    private static boolean isReadBesideAToken(AuthChain plugins, RequestContext context) {
        return !plugins.readers().of(context.withHeader(AUTHORIZATION)).isEmpty();
    }

    /** Two plugins of one type read the same field and mean the same credentials. */
    private static long kindsOf(List<Credentials> own) {
        return own.stream().map(Object::getClass).distinct().count();
    }

    private static boolean isOf(String scheme, String field) {
        return field.regionMatches(true, 0, scheme, 0, scheme.length());
    }
}
