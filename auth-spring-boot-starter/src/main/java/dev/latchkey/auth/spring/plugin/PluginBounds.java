package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.cache.CachingLoginSource;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.RoleDecorator;
import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.guard.PluginCalls;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds a bulkhead to each plugin that may wait for a network, and the credential cache to cacheable sources. The cache is outside
 * the bulkhead: a cached password needs no permit, and logs in even if the backend hangs.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PluginBounds implements RoleDecorator {

    private static final int DEFAULT_MAX_CONCURRENT = 64;

    private final PluginSettings settings;
    private final int threads;
    private final PluginCalls calls;
    private final @Nullable CredentialCache cache;
    private final @Nullable LoginLimitGate logins;
    private final Map<String, PluginBulkhead> bulkheads = new ConcurrentHashMap<>();

    /** @param threads the number of threads that call plugins */
    PluginBounds(
            PluginSettings settings, int threads, @Nullable CredentialCache cache, @Nullable LoginLimitGate logins) {
        this.settings = settings;
        this.threads = threads;
        this.calls = PluginCalls.on(threads);
        this.cache = cache;
        this.logins = logins;
    }

    /**
     * The bulkheads of the chain's plugins, and of parts of plugins.
     *
     * @return sorted by their names; incomplete before the chain is made
     */
    public List<PluginBulkhead> bulkheads() {
        return bulkheads.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    @SuppressWarnings("unchecked") // A source of passwords is a source of C, where C is the kind of passwords.
    public <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
        if (source.boundsItsCalls()) {
            return source;
        }
        LoginSource<C> bounded = bulkhead(source.name()).around(source);
        Optional<Duration> expiry = source.reusableFor();
        if (cache == null || expiry.isEmpty() || source.kind() != PasswordCredentials.class) {
            return bounded;
        }
        CachingLoginSource remembered = remembered((LoginSource<PasswordCredentials>) bounded, cache, expiry.get());
        return (LoginSource<C>)
                (source instanceof CredentialsRevoker revoker ? remembered.withRevoker(revoker) : remembered);
    }

    @Override
    public LoginStep around(LoginStep step) {
        return step.boundsItsCalls() ? step : bulkhead(step.name()).around(step);
    }

    @Override
    public PermissionSource around(PermissionSource permissions) {
        return permissions.boundsItsCalls()
                ? permissions
                : bulkhead(permissions.name()).around(permissions);
    }

    /**
     * The bulkhead of a part of a plugin, for a plugin with {@link LoginSource#boundsItsCalls()}.
     *
     * @param plugin the name of the plugin, whose setting {@code max-concurrent} holds for each part
     * @param part the name of the part
     * @return the same bulkhead for the same names, named {@code plugin.part}
     */
    public PluginBulkhead bulkhead(String plugin, String part) {
        return bulkheads.computeIfAbsent(plugin + "." + part, name -> newBulkhead(name, plugin));
    }

    private PluginBulkhead bulkhead(String plugin) {
        return bulkheads.computeIfAbsent(plugin, name -> newBulkhead(name, plugin));
    }

    private PluginBulkhead newBulkhead(String name, String plugin) {
        return settings.maxConcurrent(plugin)
                .map(most -> PluginBulkhead.of(name, most, calls))
                .orElseGet(() -> PluginBulkhead.sharing(name, usualMost(), calls));
    }

    private int usualMost() {
        return Math.max(1, Math.min(DEFAULT_MAX_CONCURRENT, threads / 2));
    }

    private CachingLoginSource remembered(
            LoginSource<PasswordCredentials> source, CredentialCache verified, Duration expiry) {
        LoginLimitGate limited = logins;
        try {
            return limited == null
                    ? CachingLoginSource.around(source, verified, expiry)
                    : CachingLoginSource.around(source, verified, expiry)
                            .withMatched(limited::matched)
                            .withRecall(() -> !CurrentRequest.hasSource() || limited.mayRecall());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "The auth plugin '" + source.name() + "' wants its verdicts kept for " + expiry,
                    "Let its reusableFor() answer something positive, and at most 15 minutes.");
        }
    }
}
