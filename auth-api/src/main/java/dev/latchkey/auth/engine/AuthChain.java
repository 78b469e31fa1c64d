package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import dev.latchkey.auth.permission.Permission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks plugins in order: the first {@link LoginSource} that does not abstain decides. Then each {@link LoginStep} may ask for more.
 *
 * <p>Fails closed. Credentials unknown to all sources are rejected. A rejected password takes the same time for every account and
 * for unknown names. An outage of a source ends the login with {@link AuthUnavailableException}; otherwise an outage could select
 * the deciding source. A plugin with a broken contract ends the login with {@link AuthPluginException}. Errors of the JVM itself,
 * such as {@link OutOfMemoryError}, are passed on.
 *
 * <p>Immutable, and safe for use by any number of threads if its plugins and listeners are.
 */
public final class AuthChain implements AutoCloseable {

    final Roles roles;
    final Completion completion;
    final Listeners listeners;
    final PluginCalls calls;
    final LoginGate gate;

    /** Set on a thread during a login of this chain, or of a chain derived from this chain. */
    final CurrentLogin.Part<Boolean> deciding;

    private final ReadCredentials readers;
    private final DecidedLogins decided;

    private AuthChain(
            Roles roles,
            Completion completion,
            Listeners listeners,
            PluginCalls calls,
            LoginGate gate,
            CurrentLogin.Part<Boolean> deciding) {
        this.roles = roles;
        this.completion = completion;
        this.listeners = listeners;
        this.calls = calls;
        this.gate = Objects.requireNonNull(gate, "gate");
        this.deciding = deciding;
        this.readers = new ReadCredentials(roles, calls);
        this.decided = new DecidedLogins(roles, completion.names(), calls, listeners);
    }

    /**
     * A chain of plugins in this order. An empty chain rejects everything.
     *
     * @param plugins the first is asked first
     * @return a chain without listeners, with the system's time, and with a gate that admits every login
     * @throws IllegalArgumentException if two plugins have the same name or read the same grant type, or a name is not in the
     *     form of a plugin's name
     */
    public static AuthChain of(List<? extends AuthPlugin> plugins) {
        return of(plugins, InstantSource.system());
    }

    /**
     * As {@link #of(List)}, with another source of time.
     *
     * @param plugins the first is asked first
     * @param clock for the expiry of logins, and for outages
     * @return a chain of the plugins
     */
    public static AuthChain of(List<? extends AuthPlugin> plugins, InstantSource clock) {
        return of(plugins, clock, OutageLog.ofPlugins(clock));
    }

    static AuthChain of(List<? extends AuthPlugin> plugins, InstantSource clock, OutageLog outages) {
        Roles roles = Roles.of(plugins);
        return new AuthChain(
                roles,
                new Completion(SubjectNames.ofFirst(roles.sources()), clock),
                Listeners.NONE,
                new PluginCalls(outages),
                LoginGate.OPEN,
                new CurrentLogin.Part<>());
    }

    /**
     * As {@link #of(List)}.
     *
     * @param plugins the first is asked first
     * @return a chain of the plugins
     */
    public static AuthChain of(AuthPlugin... plugins) {
        return of(List.of(plugins));
    }

    /**
     * The same plugins, with a further listener.
     *
     * @param listener called for each question, after the previous listeners
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withListener(AuthListener listener) {
        return new AuthChain(roles, completion, listeners.and(listener), calls, gate, deciding);
    }

    /**
     * The same plugins, with every login behind a gate. Replaces the previous gate.
     *
     * @param gate decides whether the plugins are asked about a login, on the caller's thread
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withGate(LoginGate gate) {
        return new AuthChain(roles, completion, listeners, calls, gate, deciding);
    }

    /**
     * The same plugins, with decorated roles. {@link #plugins()} is unchanged.
     *
     * @param decorator called once for each source, step and permission source, in order
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withEach(RoleDecorator decorator) {
        return new AuthChain(roles.decorated(decorator), completion, listeners, calls, gate, deciding);
    }

    /**
     * The same plugins, with this revoker before all other revokers. For the record of revocations, which also covers credentials
     * that no plugin of the chain checks, such as the tokens of a resource server.
     *
     * <p>The other revokers delete rows of keys and devices. If the deletion came before the record, a row written in between would
     * stay: the deletion would miss the row, and a check of the record after the write would find no revocation.
     *
     * @param revoker a plugin of the chain, or a revoker outside of {@link #plugins()}. A revoker outside gets each subject id as the
     *     service names the subject
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withRevoker(CredentialsRevoker revoker) {
        return new AuthChain(roles.withRevoker(revoker), completion, listeners, calls, gate, deciding);
    }

    /**
     * The same plugins, with sources of the same people: a subject of a shared source is the subject of the same id of another
     * shared source. Otherwise an account belongs to its source: the first source with accounts keeps its ids, and the subjects of
     * further sources are named {@code source:id}.
     *
     * @param sources names of plugins; the ids of all other sources have a prefix
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withSharedSubjects(Set<String> sources) {
        return withNames(completion.names().withShared(roles.sources(), sources));
    }

    /**
     * As {@link #withSharedSubjects}, for a service where another party issues the {@link RegisteredCredentials}. The subjects of
     * these credentials are named {@code source:id} too.
     *
     * @param sources names of plugins; the ids of all other sources have a prefix
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withSharedSubjectsAlone(Set<String> sources) {
        return withNames(completion.names().withSharedAlone(roles.sources(), sources));
    }

    /**
     * The same plugins, beside subjects of an OpenID provider, for example. A plugin's account with such a name is rejected.
     *
     * @param sources names of sources outside the plugins
     * @return another chain; the present chain is unchanged
     */
    public AuthChain withOutsideSources(Set<String> sources) {
        return withNames(completion.names().withOutside(sources));
    }

    private AuthChain withNames(SubjectNames names) {
        return new AuthChain(roles, new Completion(names, completion.clock()), listeners, calls, gate, deciding);
    }

    /** {@return the plugins in order, unmodifiable; a direct call to a plugin bypasses gate, listeners and decorators} */
    public List<AuthPlugin> plugins() {
        return roles.plugins();
    }

    /** {@return the names of the plugins, in order; unmodifiable, without duplicates} */
    public List<String> pluginNames() {
        return plugins().stream().map(AuthPlugin::name).toList();
    }

    /** {@return the names of the plugins whose last call was an outage in the last half minute, sorted} */
    public Set<String> pluginsDown() {
        return calls.down();
    }

    /**
     * Whether any source decides about credentials of this kind.
     *
     * @param kind a class of credentials
     * @return {@code false} if all such credentials are rejected
     */
    public boolean decidesAbout(Class<? extends Credentials> kind) {
        return roles.sources().stream().anyMatch(source -> source.kind().isAssignableFrom(kind));
    }

    /** {@return the plugins' readers of requests} */
    public ReadCredentials readers() {
        return readers;
    }

    /** {@return the plugins' decisions about logins decided elsewhere} */
    public OutsideLogins outsideLogins() {
        return new OutsideLogins(this);
    }

    /** {@return the plugins' functions after a login} */
    public DecidedLogins decidedLogins() {
        return decided;
    }

    /**
     * As {@link #authenticate(Credentials, RequestContext)}, without a request.
     *
     * @param credentials from the caller, unchecked
     * @return the verdict
     */
    public Verdict authenticate(Credentials credentials) {
        return authenticate(credentials, RequestContext.none());
    }

    /**
     * Decides about credentials, or about the response to a challenge.
     *
     * @param credentials from the caller, unchecked; a kind without a source is rejected
     * @param context of the request with the credentials
     * @return {@link Authenticated} for a complete login, a rejection, or a challenge if a step is necessary
     * @throws AuthUnavailableException if a plugin could not decide, or the gate rejects
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Verdict authenticate(Credentials credentials, RequestContext context) {
        return new LoginPipeline(this, credentials, context, Devices.COUNT, new StepUse()).run(gate);
    }

    /**
     * As {@link #authenticate(Credentials, RequestContext)}, for a response that the client may repeat after an outage.
     *
     * @param response to a challenge
     * @param context of the request with the response
     * @param use of this response, with each repetition the same object
     * @return as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthUnavailableException as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthPluginException as {@link #authenticate(Credentials, RequestContext)}
     */
    public Verdict authenticate(ChallengeResponse response, RequestContext context, StepUse use) {
        return new LoginPipeline(this, response, context, Devices.COUNT, use).run(gate);
    }

    /**
     * Proves a login again, with every step, in one call. For a change beyond the session, such as a new API key or a new second
     * step. A remembered device does not replace a step.
     *
     * @param credentials from the caller, unchecked
     * @param responses the fields for each necessary step
     * @param context of the request with both
     * @param whenAdded called if the login succeeds and the gate needs to know about a new step. Receives an action to run after
     *     the new step was passed; the action has no effect in a request from another client IP
     * @return {@link Authenticated} or a rejection; a challenge if a plugin needs several responses of its own
     * @throws AuthUnavailableException as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthPluginException as {@link #authenticate(Credentials, RequestContext)}
     */
    public Verdict prove(
            Credentials credentials,
            Map<String, Secret> responses,
            RequestContext context,
            Consumer<Runnable> whenAdded) {
        return new FreshProof(this, responses, context).of(credentials, whenAdded);
    }

    /**
     * Whether the proof of {@link #prove} still holds. Ask after the change, because the password may change, and the account may be
     * revoked, between the proof and the change. Another stamp means a changed password, or an outdated hash that the login has
     * replaced. Then the credentials decide again, and an account that the source knows must have the stamp of this decision: a
     * cache may still know the former password.
     *
     * @param proved the login
     * @param credentials of the login
     * @param context of the request
     * @return false if the account is gone, not active, or revoked since the proof, or the credentials are wrong by now
     * @throws AuthUnavailableException as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthPluginException as {@link #authenticate(Credentials, RequestContext)}
     */
    public boolean isStillProved(Authenticated proved, Credentials credentials, RequestContext context) {
        if (decided.isRevoked(proved.subject().id(), proved.factors().at())) {
            return false;
        }
        if (decided.isUnchanged(proved)) {
            return true;
        }
        Verdict again = authenticate(credentials, context);
        Verdict present = again instanceof Challenged challenged ? challenged.soFar() : again;
        return present instanceof Authenticated login
                && login.subject().id().equals(proved.subject().id())
                && !decided.hasChanged(login);
    }

    /**
     * Whether the subject has this permission. The first permission source that does not abstain decides.
     *
     * @param subject of a complete login
     * @param permission an action, and the resource of the action
     * @return {@code true} only if a plugin has granted the permission; {@code false} if all sources abstain
     * @throws AuthUnavailableException if the deciding plugin could not decide
     * @throws AuthPluginException if a plugin broke its contract
     */
    public boolean authorize(Subject subject, Permission permission) {
        return decided.authorize(subject, permission);
    }

    /**
     * Revokes credentials in every plugin of this kind of credentials.
     *
     * @param credentials from the caller, unchecked; a plugin revokes only valid credentials
     * @return whether any plugin revoked the credentials
     * @throws AuthUnavailableException if a plugin could not record the revocation; all other plugins were asked anyway
     * @throws AuthPluginException if a plugin broke its contract; all other plugins were asked anyway
     */
    public boolean revoke(Credentials credentials) {
        return decided.revoke(credentials);
    }

    /**
     * Revokes all credentials of this subject from before {@code notBefore}, in every plugin.
     *
     * @param subjectId as the service names the subject
     * @param notBefore credentials of this time or later stay valid; a time in the future bars the subject until then,
     *     irrevocably
     * @return whether any plugin issues such credentials
     * @throws AuthUnavailableException as {@link #revoke}
     * @throws AuthPluginException as {@link #revoke}
     */
    public boolean revokeAll(String subjectId, Instant notBefore) {
        return decided.revokeAll(subjectId, notBefore);
    }

    /** The gate's answer. During the call, the thread decides a login of this chain. */
    Verdict gated(LoginGate asked, Credentials credentials, Supplier<Verdict> decision) {
        return CurrentLogin.here()
                .with(deciding, true)
                .supply(() -> asked.decide(credentials, Listeners.accountOf(credentials), decision));
    }

    /** Closes every plugin, the last plugin first. A failure is logged, and does not stop the rest. */
    @Override
    public void close() {
        PluginCalls.closeAll(roles.all());
    }
}
