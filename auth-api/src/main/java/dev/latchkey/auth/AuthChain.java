package dev.latchkey.auth;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Plugins in order: the first that does not abstain decides. One that does not {@link AuthPlugin#supports support} the kind of the
 * credentials is not asked about them.
 *
 * <p>Fails closed, whatever happens. No plugin, or none that knows the credentials: rejected. A plugin that is down ends the
 * chain with {@link AuthUnavailableException}, since asking the next one would let an outage of the first choose who decides.
 * A plugin that breaks its contract ends it with {@link AuthPluginException}. A verdict whose time is over is a rejection.
 *
 * <p>A login belongs to the plugin that decided it. The verdict names that plugin, and {@link #account} asks it alone: two plugins may
 * each have an account of one name. Revocation knows names only. It concerns the subjects of that name in every plugin, and so may
 * end more than was meant, but never less.
 *
 * <p>What the log says of a plugin that is down: {@link OutageLog}.
 *
 * <p>Immutable, and safe for use by any number of threads if its plugins and listeners are.
 */
public final class AuthChain implements AutoCloseable {

    private static final Logger LOG = System.getLogger(AuthChain.class.getName());

    private final List<AuthPlugin> plugins;
    private final Listeners listeners;
    private final InstantSource clock;
    private final PluginCalls calls;
    private final LoginGate gate;

    private AuthChain(
            List<AuthPlugin> plugins, Listeners listeners, InstantSource clock, PluginCalls calls, LoginGate gate) {
        this.plugins = plugins;
        this.listeners = listeners;
        this.clock = clock;
        this.calls = calls;
        this.gate = gate;
    }

    /**
     * A chain of these plugins in this order; of none, it refuses everything.
     *
     * @throws IllegalArgumentException if two have the same name, or one has none
     */
    public static AuthChain of(List<? extends AuthPlugin> plugins) {
        Set<String> names = new HashSet<>();
        for (AuthPlugin plugin : plugins) {
            if (!names.add(PluginNames.require(plugin.name()))) {
                throw new IllegalArgumentException("Two plugins are named '" + plugin.name() + "'; names must differ");
            }
        }
        InstantSource clock = InstantSource.system();
        return new AuthChain(List.copyOf(plugins), Listeners.NONE, clock, callsBy(clock), LoginGate.OPEN);
    }

    public static AuthChain of(AuthPlugin... plugins) {
        return of(List.of(plugins));
    }

    private static PluginCalls callsBy(InstantSource clock) {
        return new PluginCalls(OutageLog.ofPlugins(clock));
    }

    /** The same plugins, with one more listener. */
    public AuthChain withListener(AuthListener listener) {
        return new AuthChain(plugins, listeners.and(listener), clock, calls, gate);
    }

    /** The same plugins, with another source of time. */
    public AuthChain withClock(InstantSource clock) {
        return new AuthChain(plugins, listeners, Objects.requireNonNull(clock), callsBy(clock), gate);
    }

    /** The same plugins, with every login behind this gate, in place of the one before. */
    public AuthChain withGate(LoginGate gate) {
        return new AuthChain(plugins, listeners, clock, calls, Objects.requireNonNull(gate));
    }

    /** The same plugins, each as this decorates it; names and their order must stay. */
    public AuthChain withEach(UnaryOperator<AuthPlugin> decorator) {
        List<AuthPlugin> decorated = plugins.stream().map(decorator).toList();
        return new AuthChain(decorated, listeners, clock, calls, gate);
    }

    /** The plugins, in order, each as it is decorated; who asks one of them asks past the gate and the listeners. */
    public List<AuthPlugin> plugins() {
        return plugins;
    }

    /** The plugins' names, in order. */
    public List<String> pluginNames() {
        return plugins.stream().map(AuthPlugin::name).toList();
    }

    /** Decides about credentials that came with no request: {@link #authenticate(Credentials, RequestContext)}. */
    public Verdict authenticate(Credentials credentials) {
        return authenticate(credentials, RequestContext.none());
    }

    /**
     * Decides about these credentials; a success names the plugin that decided. A password that was right may be {@link Challenged} by any
     * plugin of the chain; the {@link ChallengeResponse} is for that one alone.
     *
     * @param context of the request that they came with
     * @throws AuthUnavailableException if the plugin whose turn it is could not reach a decision, or the gate refuses
     * @throws AuthPluginException if it broke its contract
     */
    public Verdict authenticate(Credentials credentials, RequestContext context) {
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(context, "context");
        LoginQuestion question = new LoginQuestion(credentials, context, clock, calls, listeners);
        return credentials instanceof BearerToken || credentials instanceof ChallengeResponse
                ? question.ask(plugins)
                : gate.decide(credentials, Listeners.accountOf(credentials), () -> question.ask(plugins));
    }

    /**
     * Whether the subject may do this: the first plugin that does not abstain says so; where all abstain, it may not.
     *
     * @throws AuthUnavailableException if the plugin whose turn it is could not reach a decision
     * @throws AuthPluginException if it broke its contract
     */
    public boolean authorize(Subject subject, Permission permission) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(permission, "permission");
        for (AuthPlugin plugin : plugins) {
            Access access = ask(plugin, subject, permission);
            if (access != Access.ABSTAINED) {
                calls.answered(plugin);
                boolean granted = access == Access.GRANTED;
                listeners.accessDecided(plugin.name(), subject, permission, granted);
                return granted;
            }
        }
        listeners.accessDecided("", subject, permission, false);
        return false;
    }

    /**
     * Makes these credentials worthless in every plugin that supports their kind and knows them.
     *
     * @return whether any did
     * @throws AuthUnavailableException if one could not record it; the others were asked all the same
     * @throws AuthPluginException if one broke its contract; the others were asked all the same
     */
    public boolean revoke(Credentials credentials) {
        Objects.requireNonNull(credentials, "credentials");
        boolean revoked =
                calls.askAll(plugins, plugin -> plugin.supports(credentials.getClass()) && plugin.revoke(credentials));
        if (revoked) {
            listeners.revoked(credentials);
        }
        return revoked;
    }

    /**
     * Makes all that was issued to this subject before {@code notBefore} worthless, in every plugin.
     *
     * @return whether any plugin issues such credentials
     * @throws AuthUnavailableException as {@link #revoke}
     * @throws AuthPluginException as {@link #revoke}
     */
    public boolean revokeAll(String subjectId, Instant notBefore) {
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(notBefore, "notBefore");
        boolean revoked = calls.askAll(plugins, plugin -> plugin.revokeAll(subjectId, notBefore));
        if (revoked) {
            listeners.subjectRevoked(subjectId);
        }
        return revoked;
    }

    /**
     * The account of this subject, as the plugin of this name has it now; no other plugin is asked.
     *
     * @param plugin which one decided when the subject logged in: {@link Authenticated#plugin()}
     * @return empty where that plugin has no such account, and where this chain has no such plugin
     * @throws AuthUnavailableException if the plugin could not look it up
     * @throws AuthPluginException if it broke its contract
     */
    public Optional<Account> account(String plugin, String subjectId) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        for (AuthPlugin candidate : plugins) {
            if (candidate.name().equals(plugin)) {
                Optional<Account> account = calls.ask(candidate, p -> p.account(subjectId));
                account.ifPresent(found -> calls.answered(candidate));
                return account;
            }
        }
        return Optional.empty();
    }

    /**
     * The credentials that the first plugin finds in a request, where they are of a kind of its own.
     *
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Optional<Credentials> read(RequestContext context) {
        return firstRead(plugin -> plugin.read(context));
    }

    /**
     * The credentials that the first plugin finds in this request for a token, where the grant is its own.
     *
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return firstRead(plugin -> plugin.read(grant, context));
    }

    private Optional<Credentials> firstRead(Function<AuthPlugin, @Nullable Optional<Credentials>> question) {
        for (AuthPlugin plugin : plugins) {
            Optional<Credentials> credentials = calls.ask(plugin, question);
            if (credentials.isPresent()) {
                return credentials;
            }
        }
        return Optional.empty();
    }

    /** Closes every plugin, the last one first; one that fails does not keep the others open. */
    @Override
    public void close() {
        closeAll(plugins);
    }

    static void closeAll(List<AuthPlugin> plugins) {
        for (int i = plugins.size() - 1; i >= 0; i--) {
            AuthPlugin plugin = plugins.get(i);
            try {
                plugin.close();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "Plugin " + plugin.getClass().getName() + " failed to close", e);
            }
        }
    }

    private Access ask(AuthPlugin plugin, Subject subject, Permission permission) {
        try {
            return calls.ask(plugin, p -> p.authorize(subject, permission));
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            listeners.accessUndecided(plugin.name(), subject, permission, e);
            throw e;
        }
    }
}
