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
 * How a plugin is asked that waits for a network: with a bound on its calls, and behind the cache where its verdicts may be kept. The cache is in
 * front. So who is remembered takes no place among the calls, and is let in while the backend hangs, where he has logged in from before.
 */
public final class PluginBounds {

    private PluginBounds() {}

    /**
     * Bounds the calls of a plugin.
     *
     * @param plugin that may wait
     * @param mostCalls at a time; more are refused as an overload
     * @param cache null where nothing is to be remembered
     * @param logins know where an account has logged in from, so that only there the cache answers; null where it answers everywhere
     * @return of the same name, supporting the same credentials
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
     * Notes that a password was right before the cache knows it. Otherwise whoever comes between the two may not be told what is remembered, and the
     * plugin is asked twice.
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
