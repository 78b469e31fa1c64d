package dev.latchkey.nacos;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.cache.CachingLoginSource;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.engine.RoleDecorator;
import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.guard.PluginCalls;
import dev.latchkey.nacos.codes.CodesPluginFactory;
import dev.latchkey.nacos.oidc.OidcPluginFactory;
import dev.latchkey.nacos.settings.SourceSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Puts the chain of login sources together: the server's own users, and plugins from jars beside this one.
 *
 * <p>The ids of the server's users stay as they are. The subjects of each other source are named {@code source:id}, so
 * an account {@code nacos} in a directory is {@code ldap:nacos}, and never the server's administrator. The same is true
 * for tokens and keys, because another party issues them.
 */
final class Sources {

    /** The limit of concurrent calls of a source: a source that hangs must not hold all threads of the server. */
    private static final int MOST_CALLS = 64;

    private Sources() {}

    /**
     * Makes the chain of these sources.
     *
     * @param users the server's own users, with the limits for all sources
     * @param threads the number of the server's request threads
     * @throws IllegalArgumentException if a source is unknown, has a wrong setting, or takes no part in logins
     */
    static AuthChain chain(SourceSettings settings, Passwords users, int threads) {
        PluginDirectory plugins = PluginDirectory.discover(Sources.class.getClassLoader())
                .add(users)
                .add(new OidcPluginFactory())
                .add(new CodesPluginFactory());
        AuthChain chain;
        try {
            chain = plugins.select(settings.names(), settings::configOf, PluginHost.ALONE);
        } catch (PluginSelectionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        for (AuthPlugin plugin : chain.plugins()) {
            requirePart(plugin, chain);
        }
        return inServer(chain, users, threads);
    }

    /** The chain with the server's limits and names. */
    static AuthChain inServer(AuthChain chain, Passwords users, int threads) {
        return chain.withGate(users.limits())
                .withEach(new Bounds(users, PluginCalls.on(threads)))
                .withSharedSubjectsAlone(Set.of(Passwords.NAME));
    }

    /** The server decides permissions, so a plugin that only decides permissions would never be asked. */
    private static void requirePart(AuthPlugin plugin, AuthChain chain) {
        if (!(plugin instanceof LoginSource || plugin instanceof LoginStep || plugin instanceof CredentialsReader)) {
            chain.close();
            throw new IllegalArgumentException("The source '" + plugin.name()
                    + "' decides about permissions only, and those are the server's; remove this source");
        }
    }

    /** Limits the concurrent calls of each plugin without own limits. The cache of verified passwords is outside the limit. */
    record Bounds(Passwords users, PluginCalls calls) implements RoleDecorator {

        @Override
        @SuppressWarnings("unchecked") // A source of passwords is a source of C, where C is the kind of passwords.
        public <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
            if (source.boundsItsCalls()) {
                return source;
            }
            LoginSource<C> bounded = bulkhead(source).around(source);
            Optional<Duration> expiry = source.reusableFor();
            CredentialCache cache = users.cache();
            if (cache == null || expiry.isEmpty() || source.kind() != PasswordCredentials.class) {
                return bounded;
            }
            CachingLoginSource cached = CachingLoginSource.around(
                            (LoginSource<PasswordCredentials>) bounded, cache, expiry.get())
                    .withRecall(() -> users.limits().mayRecall());
            // The bulkhead is no revoker.
            return (LoginSource<C>)
                    (source instanceof CredentialsRevoker revoker ? cached.withRevoker(revoker) : cached);
        }

        @Override
        public LoginStep around(LoginStep step) {
            return step.boundsItsCalls() ? step : bulkhead(step).around(step);
        }

        private PluginBulkhead bulkhead(AuthPlugin plugin) {
            return PluginBulkhead.sharing(plugin.name(), MOST_CALLS, calls);
        }
    }
}
