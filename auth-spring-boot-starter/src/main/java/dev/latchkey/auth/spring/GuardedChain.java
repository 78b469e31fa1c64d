package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Shows credentials to the plugins, and passwords past the guard.
 *
 * <p>The plugins that this library brings compute their hashes through a {@link GuardedEncoder}. What another one does with a
 * password nobody knows, so a chain with others decides on the pool as a whole, and the request thread waits for it.
 */
final class GuardedChain {

    private GuardedChain() {}

    /**
     * The names of the plugins that this library brings: by what they are, since a plugin of somebody else may go by the same
     * name, and then these are not there.
     */
    static Set<String> ofThisLibrary(ObjectProvider<AuthPlugin> plugins) {
        return plugins.stream()
                .filter(plugin -> plugin instanceof JwtAuthPlugin || plugin instanceof UserDetailsPlugin)
                .map(AuthPlugin::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    static Verdict authenticate(AuthChain plugins, Credentials credentials) {
        GuardedRequest request = GuardedRequest.current();
        if (request == null
                || request.isHashing()
                || !(credentials instanceof PasswordCredentials password)
                || request.knows(plugins.pluginNames())) {
            return plugins.authenticate(credentials);
        }
        GuardedRequest.loginOf(password.username());
        return request.await(0, () -> plugins.authenticate(credentials), GuardedChain::resultOf);
    }

    private static AttemptResult resultOf(Verdict verdict) {
        return verdict instanceof Authenticated ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
    }
}
