package dev.latchkey.auth.guard;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.Account;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.DelegatingAuthPlugin;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Bounds how many calls of a plugin run at the same time, for a plugin that waits for a network.
 *
 * <p>A backend that hangs would hold every thread that calls it, until none is left. Here it holds a bounded number; further calls are refused at
 * once, as an outage and never as a rejection. The bound is the plugin's own and has nothing to do with permits to hash, so logins of other plugins
 * are not affected. A call that hangs must end by the plugin's own time-out.
 *
 * <p>The bound holds for the calls that anybody can cause, such as {@link #authenticate}, {@link #authorize} and {@link #account}. Logouts and
 * revocations are not bounded, since they must not fail because others log in. A full plugin refuses nobody who brings other credentials than it
 * {@linkplain #supports supports}: {@link AuthChain} does not show it those. And where a plugin has no {@link #authorize} or {@link #unrecognized} of
 * its own, there is nothing to call, so nothing is refused. Safe for use by any number of threads if the plugin is.
 */
public final class BulkheadAuthPlugin extends DelegatingAuthPlugin {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final int most;
    private final Semaphore running;
    private final boolean authorizes;
    private final boolean spends;
    private final boolean asksForSteps;
    private final LongAdder refused = new LongAdder();

    private BulkheadAuthPlugin(AuthPlugin plugin, int most) {
        super(plugin);
        this.most = most;
        this.running = new Semaphore(most);
        this.authorizes = hasItsOwn(plugin, "authorize", Subject.class, Permission.class);
        this.spends = hasItsOwn(plugin, "unrecognized", PasswordCredentials.class);
        this.asksForSteps = hasItsOwn(plugin, "secondStep", Authenticated.class, RequestContext.class);
    }

    private static boolean hasItsOwn(AuthPlugin plugin, String method, Class<?>... arguments) {
        try {
            Class<?> where = plugin.getClass().getMethod(method, arguments).getDeclaringClass();
            return where == DelegatingAuthPlugin.class
                    ? hasItsOwn(((DelegatingAuthPlugin) plugin).delegate(), method, arguments)
                    : where != AuthPlugin.class;
        } catch (NoSuchMethodException e) {
            // A native image that was not told of the plugin's methods.
            return true;
        }
    }

    /**
     * The plugin with at most this many calls at a time.
     *
     * @param plugin to be called; its name is in the messages of refusals
     * @param most calls that run at the same time, at least 1
     * @return a plugin that answers as the one within, or throws an {@code OVERLOAD} with a second to retry after
     * @throws IllegalArgumentException if {@code most} is not positive; the message names the property
     */
    public static BulkheadAuthPlugin around(AuthPlugin plugin, int most) {
        if (most < 1) {
            throw new IllegalArgumentException(property(plugin) + " must be at least 1, got " + most);
        }
        return new BulkheadAuthPlugin(plugin, most);
    }

    /**
     * The bulkheads of this chain's plugins. One is found behind other decorators too, as far as they are {@link DelegatingAuthPlugin}s.
     *
     * @param chain whose plugins are looked through
     * @return in the order of the chain; empty where no plugin has one
     */
    public static List<BulkheadAuthPlugin> in(AuthChain chain) {
        List<BulkheadAuthPlugin> found = new ArrayList<>();
        for (AuthPlugin plugin : chain.plugins()) {
            for (AuthPlugin inner = plugin; inner instanceof DelegatingAuthPlugin around; inner = around.delegate()) {
                if (inner instanceof BulkheadAuthPlugin bulkhead) {
                    found.add(bulkhead);
                }
            }
        }
        return List.copyOf(found);
    }

    private static String property(AuthPlugin plugin) {
        return "latchkey.plugin." + plugin.name() + ".max-concurrent";
    }

    private <T> T within(Supplier<T> call) {
        if (!running.tryAcquire()) {
            refused.increment();
            throw AuthUnavailableException.overload(
                    "The plugin '" + name() + "' has " + most + " calls running, as many as " + property(this)
                            + " allows",
                    A_MOMENT);
        }
        try {
            return call.get();
        } finally {
            running.release();
        }
    }

    /**
     * How many calls run now.
     *
     * @return between 0 and {@link #most}; a snapshot, for metrics
     */
    public int running() {
        return most - running.availablePermits();
    }

    /**
     * How many calls may run at the same time.
     *
     * @return as given to {@link #around}
     */
    public int most() {
        return most;
    }

    /**
     * How many calls were refused for want of room.
     *
     * @return counted since this was made; only grows
     */
    public long refused() {
        return refused.sum();
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        return within(() -> super.authenticate(credentials, context));
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        return asksForSteps ? within(() -> super.secondStep(login, context)) : Optional.empty();
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return asksForSteps ? within(() -> super.remember(login, context)) : Optional.empty();
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public void unrecognized(PasswordCredentials credentials) {
        if (spends) {
            within(() -> {
                super.unrecognized(credentials);
                return credentials;
            });
        }
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public Access authorize(Subject subject, Permission permission) {
        return authorizes ? within(() -> super.authorize(subject, permission)) : Access.ABSTAINED;
    }

    /** {@inheritDoc} Of kind {@code OVERLOAD} if too many calls run. */
    @Override
    public Optional<Account> account(String name) {
        return within(() -> super.account(name));
    }
}
