package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.HeaderFields;
import java.util.Optional;

/** What a chain of filters takes from the header fields of a request, to show it to the plugins. */
@FunctionalInterface
public interface PresentedCredentials {

    /** Those that plugins read; in a chain that is an OAuth2 resource server, whose business bearer tokens are. */
    PresentedCredentials OF_PLUGINS = (headers, plugins) -> plugins.read(headers);

    /** A bearer token, or a kind that a plugin reads. */
    static PresentedCredentials bearerOrOfPlugins(TokenHeader header) {
        return header::credentialsIn;
    }

    Optional<Credentials> in(HeaderFields headers, AuthChain plugins);
}
