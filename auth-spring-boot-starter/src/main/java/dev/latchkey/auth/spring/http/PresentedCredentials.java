package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a filter chain takes from a request, to show it to the plugins.
 *
 * <p>A request presents credentials in one way, or it is refused. Which of several counts would depend on who reads them first, and a proxy or a
 * logger may have read the others (RFC 6750 section 2 allows one way only). Immutable.
 */
public final class PresentedCredentials {

    /** Takes what plugins read, and no bearer token: for a chain that is an OAuth2 resource server, which checks those itself. */
    public static final PresentedCredentials OF_PLUGINS = new PresentedCredentials(null);

    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "Bearer ";

    /** Without a space behind it: Spring Security's filter on servlets takes any character there. */
    private static final String BASIC = "Basic";

    private final @Nullable TokenHeader header;

    private PresentedCredentials(@Nullable TokenHeader header) {
        this.header = header;
    }

    /**
     * Takes what plugins read, or else a bearer token: for a chain that is no resource server.
     *
     * @param header where a token stands
     * @return for all requests of the chain
     */
    public static PresentedCredentials bearerOrOfPlugins(TokenHeader header) {
        return new PresentedCredentials(header);
    }

    /**
     * What a request presents: what the first plugin finds, or else the bearer token where this chain takes those. A plugin may find credentials of
     * its own in what is sent as a bearer token, an API key say; then no other plugin is shown that token.
     *
     * @param context the request
     * @param plugins asked in their order
     * @return empty where nothing is presented
     */
    public Optional<Credentials> in(RequestContext context, AuthChain plugins) {
        List<Credentials> own = plugins.read(context);
        if (!own.isEmpty()) {
            return Optional.of(own.get(0));
        }
        return header == null
                ? Optional.empty()
                : header.textIn(context.headers()).map(BearerToken::of);
    }

    /**
     * Whether a request presents credentials in more than one way: two fields {@code Authorization}, two tokens, kinds that two plugins read, or one
     * that a plugin reads beside a token or HTTP Basic, whoever reads those.
     *
     * @param context the request
     * @param plugins asked, each of them
     * @return true if the request is to be refused
     */
    public boolean areSeveral(RequestContext context, AuthChain plugins) {
        HeaderFields headers = context.headers();
        List<String> authorization = headers.values(AUTHORIZATION);
        if (authorization.size() > 1 || (header != null && header.hasAnotherIn(headers))) {
            return true;
        }
        List<Credentials> own = plugins.read(context);
        if (own.isEmpty()) {
            return false;
        }
        if (kindsOf(own) > 1 || authorization.stream().anyMatch(field -> isOf(BASIC, field))) {
            return true;
        }
        boolean hasToken = authorization.stream().anyMatch(field -> isOf(BEARER, field))
                || (header != null && header.isIn(headers));
        return hasToken && isReadBesideAToken(plugins, context);
    }

    /** Whether a plugin finds its own without the field of the token; else the token itself is what it finds. */
    private static boolean isReadBesideAToken(AuthChain plugins, RequestContext context) {
        return !plugins.read(context.withHeader(AUTHORIZATION)).isEmpty();
    }

    /** Two plugins of one type read the same field, and mean the same credentials. */
    private static long kindsOf(List<Credentials> own) {
        return own.stream().map(Object::getClass).distinct().count();
    }

    private static boolean isOf(String scheme, String field) {
        return field.regionMatches(true, 0, scheme, 0, scheme.length());
    }
}
