package dev.latchkey.auth;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Asks plugins in order: the first that does not abstain decides. A plugin that does not {@link AuthPlugin#supports support} the kind of the credentials
 * is not asked.
 *
 * <p>Fails closed. Credentials that no plugin knows are rejected. For a password this takes as long as for a wrong one ({@link
 * AuthPlugin#unrecognized}), so that nobody learns which names exist. A plugin that is down ends the chain with {@link AuthUnavailableException}: if the
 * next one were asked, an outage could choose who decides. A plugin that breaks its contract, by an exception or an error, ends it with {@link
 * AuthPluginException}. Errors of the JVM itself, such as {@link OutOfMemoryError}, are passed on. An expired verdict is a rejection.
 *
 * <p>A login belongs to the plugin that decided it. The verdict names that plugin, and {@link #account} asks it alone: two plugins may each have an
 * account of the same name. Revocation goes by the name alone and concerns every plugin, so it may end more than was meant, but never less.
 *
 * <p>{@link OutageLog} logs that a plugin is down.
 *
 * <p>Immutable, and safe for use by any number of threads if its plugins and listeners are.
 */
public final class AuthChain implements AutoCloseable {

    private final List<AuthPlugin> plugins;
    private final Listeners listeners;
    private final InstantSource clock;
    private final PluginCalls calls;
    private final GatedQuestions logins;

    private AuthChain(
            List<AuthPlugin> plugins,
            Listeners listeners,
            InstantSource clock,
            PluginCalls calls,
            GatedQuestions logins) {
        this.plugins = plugins;
        this.listeners = listeners;
        this.clock = clock;
        this.calls = calls;
        this.logins = logins;
    }

    /**
     * A chain of these plugins in this order. An empty chain refuses everything.
     *
     * @param plugins the first is asked first
     * @return a chain without listeners, by the system's time, and with a gate that lets everybody in
     * @throws IllegalArgumentException if two plugins have the same name, or a name is not a plugin's name
     */
    public static AuthChain of(List<? extends AuthPlugin> plugins) {
        Set<String> names = new HashSet<>();
        for (AuthPlugin plugin : plugins) {
            if (!names.add(PluginNames.require(plugin.name()))) {
                throw new IllegalArgumentException("Two plugins are named '" + plugin.name() + "'; names must differ");
            }
        }
        InstantSource clock = InstantSource.system();
        return new AuthChain(List.copyOf(plugins), Listeners.NONE, clock, callsBy(clock), GatedQuestions.open());
    }

    /**
     * The same for plugins that are listed one by one.
     *
     * @param plugins the first is asked first
     * @return a chain of them
     * @throws IllegalArgumentException if two have the same name, or one has none
     */
    public static AuthChain of(AuthPlugin... plugins) {
        return of(List.of(plugins));
    }

    private static PluginCalls callsBy(InstantSource clock) {
        return new PluginCalls(OutageLog.ofPlugins(clock));
    }

    /**
     * The same plugins, with one more listener.
     *
     * @param listener hears of each question after those that were there before
     * @return another chain; this one stays as it is
     */
    public AuthChain withListener(AuthListener listener) {
        return new AuthChain(plugins, listeners.and(listener), clock, calls, logins);
    }

    /**
     * The same plugins, with another source of time.
     *
     * @param clock by which a success that is over is refused
     * @return another chain; this one stays as it is
     */
    public AuthChain withClock(InstantSource clock) {
        return new AuthChain(plugins, listeners, Objects.requireNonNull(clock), callsBy(clock), logins);
    }

    /**
     * The same plugins, with every login behind this gate, in place of the one before.
     *
     * @param gate decides whether a login is let through to the plugins, on the caller's thread
     * @return another chain; this one stays as it is
     */
    public AuthChain withGate(LoginGate gate) {
        return new AuthChain(plugins, listeners, clock, calls, logins.behind(Objects.requireNonNull(gate)));
    }

    /**
     * The same plugins, each replaced by what the decorator makes of it. The names must stay the same.
     *
     * @param decorator is given each plugin once, in order
     * @return another chain; this one stays as it is
     */
    public AuthChain withEach(UnaryOperator<AuthPlugin> decorator) {
        List<AuthPlugin> decorated = plugins.stream().map(decorator).toList();
        return new AuthChain(decorated, listeners, clock, calls, logins);
    }

    /**
     * The plugins in order, as they are decorated. A call to one of them passes neither the gate nor the listeners.
     *
     * @return a list that cannot be modified; empty for a chain that refuses everything
     */
    public List<AuthPlugin> plugins() {
        return plugins;
    }

    /**
     * The names of the plugins, in order.
     *
     * @return a list that cannot be modified, in which no name stands twice
     */
    public List<String> pluginNames() {
        return plugins.stream().map(AuthPlugin::name).toList();
    }

    /**
     * Decides about credentials without a request; see {@link #authenticate(Credentials, RequestContext)}.
     *
     * @param credentials whatever somebody sent; a kind that no plugin supports is refused
     * @return as {@link #authenticate(Credentials, RequestContext)} says it
     */
    public Verdict authenticate(Credentials credentials) {
        return authenticate(credentials, RequestContext.none());
    }

    /**
     * Decides about these credentials. A success names the plugin that decided. Any plugin may {@linkplain Challenged challenge} a login whose password
     * was right; only that plugin checks the {@link ChallengeResponse}.
     *
     * @param credentials whatever somebody sent; a kind that no plugin supports is refused
     * @param context of the request that they came with
     * @return a success, a rejection or a challenge; where all plugins abstain it is a rejection
     * @throws AuthUnavailableException if the plugin whose turn it is could not reach a decision, or the gate refuses
     * @throws AuthPluginException if it broke its contract
     */
    public Verdict authenticate(Credentials credentials, RequestContext context) {
        return decide(credentials, context, logins.gate());
    }

    /**
     * The same for an enrolment: a user who is about to add a second step logs in to prove who he is.
     *
     * @param credentials whatever somebody sent
     * @param context of the request that they came with
     * @param whenAdded called where the login succeeds without that step and the gate wants to know of it. It receives an action to run once the new
     *     step was passed. A gate that counts by places then knows that this place has passed both; the action has no effect in a request from another
     *     place
     * @return as {@link #authenticate(Credentials, RequestContext)} says it
     * @throws AuthUnavailableException as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthPluginException as {@link #authenticate(Credentials, RequestContext)}
     */
    public Verdict authenticate(Credentials credentials, RequestContext context, Consumer<Runnable> whenAdded) {
        Objects.requireNonNull(whenAdded, "whenAdded");
        return decide(
                credentials,
                context,
                (shown, account, decision) -> logins.gate().decide(shown, account, decision, whenAdded));
    }

    private Verdict decide(Credentials credentials, RequestContext context, LoginGate gate) {
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(context, "context");
        LoginQuestion question = new LoginQuestion(credentials, context, clock, calls, listeners);
        return credentials instanceof BearerToken || credentials instanceof ChallengeResponse
                ? question.ask(plugins)
                : logins.ask(gate, credentials, () -> question.ask(plugins));
    }

    /**
     * Whether this thread is inside a call of {@link #authenticate(Credentials, RequestContext)}. What a plugin calls meanwhile must not ask for a
     * second step: the chain does so once it has the plugin's decision.
     *
     * @return {@code false} on every thread that no plugin of this chain is running on
     */
    public boolean isDeciding() {
        return logins.areAskedHere();
    }

    /**
     * The second step, if any, of a login by a password that was decided outside this chain, by Spring Security for instance. It must be asked for
     * before the login lets anybody in. The first plugin that wants a step is taken.
     *
     * @param login what was decided; the id of its subject is the one that the plugins know
     * @param context of the request that the password came with
     * @return empty where no plugin wants a step
     * @throws AuthUnavailableException if a plugin could not find out whether it wants a step; the login must be refused then
     * @throws AuthPluginException if one broke its contract
     */
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        Objects.requireNonNull(login, "login");
        Objects.requireNonNull(context, "context");
        long start = System.nanoTime();
        Authenticated soFar = login.withFactors(Factors.of(clock.instant(), Factors.PASSWORD));
        return calls.secondStep(
                plugins,
                soFar,
                context,
                (plugin, reason) ->
                        listeners.stepUndecided(plugin, login.subject().id(), reason, start));
    }

    /**
     * Whether the subject has this permission. The first plugin that does not abstain decides; where all abstain, the answer is no.
     *
     * @param subject somebody who is logged in
     * @param permission what is to be done, and with what
     * @return {@code true} only where a plugin has granted it
     * @throws AuthUnavailableException if the plugin whose turn it is could not reach a decision
     * @throws AuthPluginException if it broke its contract
     */
    public boolean authorize(Subject subject, Permission permission) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(permission, "permission");
        return new AccessQuestion(subject, permission, calls, listeners).ask(plugins);
    }

    /**
     * Makes these credentials worthless in every plugin that supports their kind and knows them.
     *
     * @param credentials whatever somebody sent; a plugin revokes only what it would accept
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
     * @param subjectId the id by which plugins issue such credentials
     * @param notBefore what was issued at this time or later stays good; one in the future bars the subject until then, and nothing takes it back
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
     * @param subjectId its id there: {@link Subject#id()} of the login
     * @return empty where that plugin has no such account, and where this chain has no such plugin
     * @throws AuthUnavailableException if the plugin could not look it up
     * @throws AuthPluginException if it broke its contract
     */
    public Optional<Account> account(String plugin, String subjectId) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        return calls.askOne(plugins, plugin, candidate -> candidate.account(subjectId));
    }

    /**
     * Has the plugin whose step this login has passed remember the login's device; no other plugin is asked.
     *
     * @param plugin which one wanted the step: {@link Challenged#plugin()}
     * @param login as this chain decided it about the response
     * @param context of the request of that login
     * @return empty where that plugin remembers no devices, or not this one
     * @throws AuthUnavailableException if the plugin could not record it
     * @throws AuthPluginException if it broke its contract
     */
    public Optional<RememberedDevice> remember(String plugin, Authenticated login, RequestContext context) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(login, "login");
        Objects.requireNonNull(context, "context");
        return calls.askOne(plugins, plugin, candidate -> candidate.remember(login, context));
    }

    /**
     * The credentials that a plugin reads from this request by {@link AuthPlugin#read(RequestContext)}: those of the first that finds any.
     *
     * @param context the request
     * @return empty where no plugin finds any; nothing that is returned is checked
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Optional<Credentials> read(RequestContext context) {
        return calls.firstOf(plugins, plugin -> plugin.read(context));
    }

    /**
     * The credentials that a plugin reads from this request for a token by {@link AuthPlugin#read(LoginGrant, RequestContext)}: those of the first that
     * finds any.
     *
     * @param grant the type and the fields of the request for a token
     * @param context the request that the grant came with
     * @return empty where the grant is no plugin's; nothing that is returned is checked
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return calls.firstOf(plugins, plugin -> plugin.read(grant, context));
    }

    /**
     * The credentials that each plugin reads from this request, in the order of the plugins.
     *
     * @param context the request
     * @return one for each plugin that finds any, none of them checked; not modifiable
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<Credentials> readByEach(RequestContext context) {
        return calls.each(plugins, plugin -> plugin.read(context));
    }

    /** Closes every plugin, the last one first. A failure is logged, and the others are closed all the same. */
    @Override
    public void close() {
        PluginCalls.closeAll(plugins);
    }
}
