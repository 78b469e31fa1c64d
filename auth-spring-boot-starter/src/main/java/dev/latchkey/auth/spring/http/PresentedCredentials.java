package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.RequestContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a chain of filters takes from a request, to show it to the plugins.
 *
 * <p>A request presents credentials in one way, or it is refused: which of several counts would depend on who reads them first, and a
 * proxy or a logger may have read the others (RFC 6750 section 2 allows one way only).
 */
public final class PresentedCredentials {

    /** Those that plugins read; in a chain that is an OAuth2 resource server, whose business bearer tokens are. */
    public static final PresentedCredentials OF_PLUGINS = new PresentedCredentials(null);

    private static final List<String> SCHEMES = List.of("Bearer ", "Basic ");

    private final @Nullable TokenHeader header;

    private PresentedCredentials(@Nullable TokenHeader header) {
        this.header = header;
    }

    /** A bearer token, or a kind that a plugin reads. */
    public static PresentedCredentials bearerOrOfPlugins(TokenHeader header) {
        return new PresentedCredentials(header);
    }

    /** The bearer token where it is this chain's business, or else what the first plugin finds. */
    public Optional<Credentials> in(RequestContext context, AuthChain plugins) {
        Optional<String> token = header == null ? Optional.empty() : header.textIn(context.headers());
        return token.isPresent() ? token.map(BearerToken::of) : plugins.read(context);
    }

    /**
     * Whether there are more than one: two fields {@code Authorization}, two tokens, kinds that two plugins read, or one that a plugin
     * reads beside a token or HTTP Basic, whoever reads those.
     */
    public boolean areSeveral(RequestContext context, AuthChain plugins) {
        HeaderFields headers = context.headers();
        List<String> authorization = headers.values("Authorization");
        if (authorization.size() > 1 || (header != null && header.hasAnotherIn(headers))) {
            return true;
        }
        boolean isOfNoPlugin = authorization.stream().anyMatch(PresentedCredentials::isOfKnownScheme)
                || (header != null && header.isIn(headers));
        return kindsReadBy(plugins, context).count() > (isOfNoPlugin ? 0 : 1);
    }

    /** By their kind: two plugins of one type read the same field, and mean the same credentials. */
    private static Stream<Class<?>> kindsReadBy(AuthChain plugins, RequestContext context) {
        return plugins.plugins().stream()
                .flatMap(plugin -> plugin.read(context).stream())
                .<Class<?>>map(Object::getClass)
                .distinct();
    }

    private static boolean isOfKnownScheme(String field) {
        return SCHEMES.stream().anyMatch(scheme -> field.regionMatches(true, 0, scheme, 0, scheme.length()));
    }
}
