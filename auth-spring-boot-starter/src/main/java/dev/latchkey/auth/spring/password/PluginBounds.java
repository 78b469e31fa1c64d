package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.DelegatingAuthPlugin;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.cache.CachingAuthPlugin;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.BulkheadAuthPlugin;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.spring.http.RequestSource;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that waits for a network, as it is asked here: with a bound on its calls, and behind the cache where its verdicts may be kept. The cache
 * is in front: who is remembered takes no place among the calls, and is let in while the backend hangs, where he has logged in from before.
 */
public final class PluginBounds {

    private PluginBounds() {}

    /**
     * The plugin with so many calls at a time.
     *
     * @param cache null where nothing is to be remembered
     * @param logins which know where an account has logged in from: what is remembered answers there; null where it answers everywhere
     * @throws IllegalArgumentException if the number is not positive
     * @throws LatchkeyConfigurationException if the plugin wants to be remembered for longer than can be
     */
    public static AuthPlugin around(
            AuthPlugin plugin, int mostCalls, @Nullable CredentialCache cache, @Nullable LimitedLogins logins) {
        BulkheadAuthPlugin bounded = BulkheadAuthPlugin.around(plugin, mostCalls);
        Optional<Duration> expiry = plugin.reusableFor();
        if (cache == null || expiry.isEmpty()) {
            return bounded;
        }
        return logins == null
                ? remembered(bounded, cache, expiry.get())
                : remembered(new Noted(bounded, logins), cache, expiry.get()).withRecall(() -> mayRecall(logins));
    }

    /** A thread that answers no request comes from nowhere that could be known. */
    private static boolean mayRecall(LimitedLogins logins) {
        return !RequestSource.isBound() || logins.mayRecall();
    }

    private static CachingAuthPlugin remembered(AuthPlugin plugin, CredentialCache cache, Duration expiry) {
        try {
            return CachingAuthPlugin.around(plugin, cache, expiry);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "The auth plugin '" + plugin.name() + "' wants its verdicts kept for " + expiry,
                    "Let its reusableFor() answer something positive, and at most 15 minutes.");
        }
    }

    /**
     * Notes that a password was right before the cache knows it. Otherwise who comes between the two may not be told what is remembered, and the plugin is
     * asked twice.
     */
    private static final class Noted extends DelegatingAuthPlugin {

        private final LimitedLogins logins;

        Noted(AuthPlugin plugin, LimitedLogins logins) {
            super(plugin);
            this.logins = logins;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            Decision decision = super.authenticate(credentials, context);
            if (decision instanceof Authenticated && credentials instanceof PasswordCredentials) {
                logins.matched();
            }
            return decision;
        }
    }
}
