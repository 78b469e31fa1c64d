package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.RoleDecorator;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Limits the number of concurrent calls of a plugin, in all its roles. Use a bulkhead for a plugin that waits for a
 * network.
 *
 * <p>Without a limit, a backend that hangs would block every thread that calls the plugin. With the bulkhead, a limited
 * number of threads wait. Further calls fail at once, as an overload and never as a rejection. The limit belongs to one
 * plugin: hashing permits are not affected, and {@link PluginCalls} keeps threads for other plugins. The plugin's own time-out
 * must end a call that hangs.
 *
 * <p>Only calls that any caller can cause are limited. Logouts and revocations are not limited, because other callers'
 * logins must not make them fail. Safe for use by any number of threads if the plugin is thread-safe.
 */
public final class PluginBulkhead implements RoleDecorator {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final String plugin;
    private final int most;
    private final boolean shares;
    private final PluginCalls calls;
    private final AtomicInteger running = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    private PluginBulkhead(String plugin, int most, boolean shares, PluginCalls calls) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "The plugin '" + plugin + "' needs at least 1 call at a time, got " + most);
        }
        this.plugin = plugin;
        this.most = most;
        this.shares = shares;
        this.calls = calls;
    }

    /**
     * Creates a limit that does not depend on other plugins.
     *
     * @param plugin the plugin's name
     * @param most the number of concurrent calls; at least 1
     * @param calls the running calls of all plugins of the service
     * @return a bulkhead without running calls
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public static PluginBulkhead of(String plugin, int most, PluginCalls calls) {
        return new PluginBulkhead(plugin, most, false, calls);
    }

    /**
     * Creates a limit for one plugin of several. The plugin may also take at most half of the threads that the other
     * plugins leave free.
     *
     * @param plugin the plugin's name
     * @param most the number of concurrent calls; at least 1
     * @param calls the running calls of all plugins of the service
     * @return a bulkhead without running calls
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public static PluginBulkhead sharing(String plugin, int most, PluginCalls calls) {
        return new PluginBulkhead(plugin, most, true, calls);
    }

    /**
     * Runs a call within the limit.
     *
     * @param <T> the type of the call's result
     * @param call of the plugin
     * @return the result of the call
     * @throws AuthUnavailableException as an overload, without the call, if the largest number of calls is running
     */
    public <T> T within(Supplier<T> call) {
        if (!calls.begin(running, most, shares)) {
            refused.increment();
            throw AuthUnavailableException.overload(
                    "The plugin '" + plugin + "' has " + running + " calls running, the most at a time", A_MOMENT);
        }
        try {
            return call.get();
        } finally {
            calls.end(running);
        }
    }

    /**
     * The name of the plugin.
     *
     * @return the name in the configuration
     */
    public String plugin() {
        return plugin;
    }

    /**
     * The number of running calls.
     *
     * @return from 0 to {@link #most()}
     */
    public int running() {
        return running.get();
    }

    /**
     * The largest number of concurrent calls.
     *
     * @return at least 1
     */
    public int most() {
        return most;
    }

    /**
     * The number of refused calls.
     *
     * @return never decreases
     */
    public long refused() {
        return refused.sum();
    }

    @Override
    public <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
        return new Source<>(source);
    }

    @Override
    public LoginStep around(LoginStep step) {
        return new Step(step);
    }

    @Override
    public PermissionSource around(PermissionSource permissions) {
        return new Permissions(permissions);
    }

    private final class Source<C extends Credentials> implements LoginSource<C> {

        private final LoginSource<C> source;

        Source(LoginSource<C> source) {
            this.source = source;
        }

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public Class<C> kind() {
            return source.kind();
        }

        @Override
        public Optional<Duration> reusableFor() {
            return source.reusableFor();
        }

        @Override
        public Decision authenticate(C credentials, RequestContext context) {
            return within(() -> source.authenticate(credentials, context));
        }

        @Override
        public void unrecognized(C credentials) {
            within(() -> {
                source.unrecognized(credentials);
                return credentials;
            });
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return within(() -> source.account(subjectId));
        }

        @Override
        public boolean hasStoredNames() {
            return source.hasStoredNames();
        }
    }

    private final class Step implements LoginStep {

        private final LoginStep step;

        Step(LoginStep step) {
            this.step = step;
        }

        @Override
        public String name() {
            return step.name();
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return within(() -> step.wanted(login, context));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return within(() -> step.answer(response, context));
        }

        @Override
        public boolean knowsDevice(Authenticated login, RequestContext context) {
            return within(() -> step.knowsDevice(login, context));
        }

        @Override
        public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
            return within(() -> step.remember(login, context));
        }
    }

    private final class Permissions implements PermissionSource {

        private final PermissionSource source;

        Permissions(PermissionSource source) {
            this.source = source;
        }

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            return within(() -> source.authorize(subject, permission));
        }
    }
}
