package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import java.util.Optional;

/** What a chain of filters takes from a request, to show it to the plugins. */
@FunctionalInterface
public interface PresentedCredentials {

    /** Those that plugins read; in a chain that is an OAuth2 resource server, whose business bearer tokens are. */
    PresentedCredentials OF_PLUGINS = (context, plugins) -> plugins.read(context);

    /** A bearer token, or a kind that a plugin reads. */
    static PresentedCredentials bearerOrOfPlugins(TokenHeader header) {
        return header::credentialsIn;
    }

    Optional<Credentials> in(RequestContext context, AuthChain plugins);
}
