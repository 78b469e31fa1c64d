package dev.latchkey.auth.engine;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginGrant;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Asks plugins in order: the first {@link LoginSource} that does not abstain decides, and each {@link LoginStep} may then ask for more.
 *
 * <p>Fails closed. Credentials that no source knows are rejected. A rejected password takes the same time for every account and for unknown names. An
 * outage of a source ends the login with {@link AuthUnavailableException}: if the next source were asked, an outage could choose who decides. A plugin
 * that breaks its contract ends the login with {@link AuthPluginException}. Errors of the JVM itself, such as {@link OutOfMemoryError}, are passed on.
 *
 * <p>An account belongs to its source. The first source with accounts keeps its ids; the subjects of further sources are named {@code source:id}. {@link
 * #withSharedSubjects} says that sources mean the same people.
 *
 * <p>Immutable, and safe for use by any number of threads if its plugins and listeners are.
 */
public final class AuthChain implements AutoCloseable {

    private final Roles roles;
    private final SubjectNames names;
    private final Listeners listeners;
    private final InstantSource clock;
    private final PluginCalls calls;
    private final GatedQuestions logins;
    private final Completion completion;

    private AuthChain(
            Roles roles,
            SubjectNames names,
            Listeners listeners,
            InstantSource clock,
            PluginCalls calls,
            GatedQuestions logins) {
        this.roles = roles;
        this.names = names;
        this.listeners = listeners;
        this.clock = clock;
        this.calls = calls;
        this.logins = logins;
        this.completion = new Completion(names, clock);
    }

    /**
     * A chain of these plugins in this order. An empty chain rejects everything.
     *
     * @param plugins the first is asked first
     * @return a chain without listeners, by the system's time, and with a gate that admits every login
     * @throws IllegalArgumentException if two plugins have the same name or read the same grant type, or a name has not the form of a plugin's name
     */
    public static AuthChain of(List<? extends AuthPlugin> plugins) {
        Set<String> seen = new HashSet<>();
        for (AuthPlugin plugin : plugins) {
            if (!seen.add(PluginNames.require(plugin.name()))) {
                throw new IllegalArgumentException("Two plugins are named '" + plugin.name() + "'; names must differ");
            }
        }
        Roles roles = Roles.of(plugins);
        InstantSource clock = InstantSource.system();
        return new AuthChain(
                roles,
                SubjectNames.ofFirst(roles.sources()),
                Listeners.NONE,
                clock,
                callsBy(clock),
                GatedQuestions.open());
    }

    /**
     * The same for plugins that are listed one by one.
     *
     * @param plugins the first is asked first
     * @return a chain of them
     * @throws IllegalArgumentException as {@link #of(List)}
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
     * @param listener hears of each question after the listeners before
     * @return another chain; this one stays as it is
     */
    public AuthChain withListener(AuthListener listener) {
        return new AuthChain(roles, names, listeners.and(listener), clock, calls, logins);
    }

    /**
     * The same plugins, with each listener replaced. For a caller that publishes the outcome itself.
     *
     * @param replacement is given each listener once
     * @return another chain; this one stays as it is
     */
    public AuthChain withEachListener(UnaryOperator<AuthListener> replacement) {
        return new AuthChain(roles, names, listeners.each(replacement), clock, calls, logins);
    }

    /**
     * The same plugins, with another source of time.
     *
     * @param clock by which an expired login is rejected
     * @return another chain; this one stays as it is
     */
    public AuthChain withClock(InstantSource clock) {
        return new AuthChain(roles, names, listeners, Objects.requireNonNull(clock), callsBy(clock), logins);
    }

    /**
     * The same plugins, with every login behind this gate, in place of the gate before.
     *
     * @param gate decides whether the plugins are asked about a login, on the caller's thread
     * @return another chain; this one stays as it is
     */
    public AuthChain withGate(LoginGate gate) {
        return new AuthChain(roles, names, listeners, clock, calls, logins.behind(Objects.requireNonNull(gate)));
    }

    /**
     * The same plugins, with something around their roles. {@link #plugins()} stays as it is.
     *
     * @param decorator is given each source, step and permission source once, in order
     * @return another chain; this one stays as it is
     */
    public AuthChain withEach(RoleDecorator decorator) {
        return new AuthChain(roles.decorated(decorator), names, listeners, clock, calls, logins);
    }

    /**
     * The same plugins, of which these sources mean the same people: a subject of one is the subject of the same id of another. Their ids stay as they are.
     *
     * @param sources names of plugins; the sources that are not named here are told apart
     * @return another chain; this one stays as it is
     */
    public AuthChain withSharedSubjects(Set<String> sources) {
        return new AuthChain(roles, SubjectNames.of(roles.sources(), sources), listeners, clock, calls, logins);
    }

    /**
     * The plugins in order. A call to a plugin itself passes neither gate nor listeners nor decorators.
     *
     * @return a list that cannot be modified; empty for a chain that rejects everything
     */
    public List<AuthPlugin> plugins() {
        return roles.plugins();
    }

    /**
     * The names of the plugins, in order.
     *
     * @return a list that cannot be modified, in which no name stands twice
     */
    public List<String> pluginNames() {
        return plugins().stream().map(AuthPlugin::name).toList();
    }

    /**
     * Whether any source decides about credentials of this kind.
     *
     * @param kind a class of credentials
     * @return {@code false} where such credentials are rejected, whatever they are
     */
    public boolean decidesAbout(Class<? extends Credentials> kind) {
        return roles.sources().stream().anyMatch(source -> source.kind().isAssignableFrom(kind));
    }

    /**
     * Whether any plugin may ask for a step after credentials.
     *
     * @return {@code false} where right credentials complete every login
     */
    public boolean hasSteps() {
        return !roles.steps().isEmpty();
    }

    /**
     * Whether this chain tells the subjects of several sources apart by their ids.
     *
     * @return {@code false} where every id stays as its source has it
     */
    public boolean tellsSubjectsApart() {
        return names.tellApart();
    }

    /**
     * Whether an id has the form of another source's subject, such as {@code directory:alice}. An account that logs in outside of this chain must not have
     * such a name: it would be taken for that subject.
     *
     * @param id of a login that this chain has not decided
     * @return {@code true} where the login must be rejected
     */
    public boolean isNameOfAnotherSource(String id) {
        return names.isOfAnother(id);
    }

    /**
     * The extension grants that plugins read.
     *
     * @return values of {@code grant_type}; unmodifiable
     */
    public Set<String> grantTypes() {
        return roles.grantReaders().keySet();
    }

    /**
     * Decides about credentials without a request; see {@link #authenticate(Credentials, RequestContext)}.
     *
     * @param credentials from the caller, unchecked
     * @return as {@link #authenticate(Credentials, RequestContext)}
     */
    public Verdict authenticate(Credentials credentials) {
        return authenticate(credentials, RequestContext.none());
    }

    /**
     * Decides about these credentials, or about the response to a challenge.
     *
     * @param credentials from the caller, unchecked; a kind that no source decides about is rejected
     * @param context of the request that carried the credentials
     * @return {@link Authenticated} for a complete login, a rejection, or a challenge where a step is wanted
     * @throws AuthUnavailableException if a plugin could not decide, or the gate refuses
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Verdict authenticate(Credentials credentials, RequestContext context) {
        return decide(pipeline(credentials, context, Devices.COUNT), credentials, logins.gate());
    }

    /**
     * Proves a login afresh, with every step, in one call. For a change that outlasts the login, such as a new API key or a new second step. No remembered
     * device stands in for a step.
     *
     * @param credentials from the caller, unchecked
     * @param responses the fields for each step that is wanted
     * @param context of the request that carried both
     * @param whenAdded called where the login succeeds and the gate wants to know of a step that the caller is about to add. It receives an action to run
     *     once that step was passed; the action has no effect in a request from another client IP
     * @return {@link Authenticated} or a rejection; a challenge where a plugin wants several responses of its own
     * @throws AuthUnavailableException as {@link #authenticate(Credentials, RequestContext)}
     * @throws AuthPluginException as {@link #authenticate(Credentials, RequestContext)}
     */
    public Verdict prove(
            Credentials credentials,
            Map<String, Secret> responses,
            RequestContext context,
            Consumer<Runnable> whenAdded) {
        Objects.requireNonNull(whenAdded, "whenAdded");
        LoginGate gate = (shown, account, decision) -> logins.gate().decide(shown, account, decision, whenAdded);
        Verdict verdict = decide(pipeline(credentials, context, Devices.DO_NOT_COUNT), credentials, gate);
        Set<String> asked = new HashSet<>();
        while (verdict instanceof Challenged challenge && asked.add(challenge.plugin())) {
            ChallengeResponse response = new ChallengeResponse(challenge, responses);
            verdict = decide(pipeline(response, context, Devices.DO_NOT_COUNT), response, gate);
        }
        return verdict;
    }

    private LoginPipeline pipeline(Credentials credentials, RequestContext context, Devices devices) {
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(context, "context");
        return new LoginPipeline(roles, completion, calls, listeners, credentials, context, devices);
    }

    private Verdict decide(LoginPipeline login, Credentials credentials, LoginGate gate) {
        return credentials instanceof BearerToken || credentials instanceof ChallengeResponse
                ? login.run()
                : logins.ask(gate, credentials, login::run);
    }

    /**
     * Whether this thread is inside a call of {@link #authenticate(Credentials, RequestContext)}. Whatever a plugin calls meanwhile must not ask for a
     * step: the chain does so once it has the plugin's decision.
     *
     * @return {@code false} on every thread that no plugin of this chain is running on
     */
    public boolean isDeciding() {
        return logins.areAskedHere();
    }

    /**
     * The steps that are wanted of a login by a password that was decided outside this chain, by Spring Security for example. Such a login is complete
     * once all of them are passed.
     *
     * @param login as it was decided; the id of its subject is the one that the plugins know
     * @param context of the request that carried the password
     * @return empty where no plugin wants a step
     * @throws AuthUnavailableException if a plugin could not find out; the login fails then
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<Challenged> wantedSteps(Authenticated login, RequestContext context) {
        Objects.requireNonNull(context, "context");
        long start = System.nanoTime();
        Authenticated soFar = login.withFactors(login.factors().and(Set.of(Factors.PASSWORD), clock.instant()));
        List<Challenged> wanted = new ArrayList<>();
        for (LoginStep step : roles.steps()) {
            try {
                Challenged challenge = calls.wantedStep(step, soFar, context, Devices.COUNT);
                if (challenge != null) {
                    wanted.add(challenge.of(soFar, step.name(), Set.of()));
                }
            } catch (AuthUnavailableException | AuthPluginException | Error e) {
                listeners.stepUndecided(step.name(), login.subject().id(), e, start);
                throw e;
            }
        }
        return List.copyOf(wanted);
    }

    /**
     * Whether the subject has this permission. The first permission source that does not abstain decides; where all abstain, the answer is no.
     *
     * @param subject of a complete login
     * @param permission an action, and the resource of the action
     * @return {@code true} only where a plugin has granted the permission
     * @throws AuthUnavailableException if the plugin whose turn it is could not decide
     * @throws AuthPluginException if a plugin broke its contract
     */
    public boolean authorize(Subject subject, Permission permission) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(permission, "permission");
        return new AccessQuestion(subject, permission, calls, listeners).ask(roles.permissions());
    }

    /**
     * Revokes these credentials in every plugin that knows them.
     *
     * @param credentials from the caller, unchecked; a plugin revokes only what it would accept
     * @return whether any plugin did
     * @throws AuthUnavailableException if a plugin could not record the revocation; the others were asked all the same
     * @throws AuthPluginException if a plugin broke its contract; the others were asked all the same
     */
    public boolean revoke(Credentials credentials) {
        Objects.requireNonNull(credentials, "credentials");
        boolean revoked = calls.askAll(roles.revokers(), plugin -> plugin.revoke(credentials));
        if (revoked) {
            listeners.revoked(credentials);
        }
        return revoked;
    }

    /**
     * Revokes all that was issued to this subject before {@code notBefore}, in every plugin.
     *
     * @param subjectId as the service names the subject
     * @param notBefore what was issued at this time or later stays valid; a time in the future bars the subject until then, and nothing takes it back
     * @return whether any plugin issues such credentials
     * @throws AuthUnavailableException as {@link #revoke}
     * @throws AuthPluginException as {@link #revoke}
     */
    public boolean revokeAll(String subjectId, Instant notBefore) {
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(notBefore, "notBefore");
        boolean revoked = calls.askAll(
                roles.revokers(),
                plugin -> names.inPlugin(plugin.name(), subjectId)
                        .map(id -> plugin.revokeAll(id, notBefore))
                        .orElse(false));
        if (revoked) {
            listeners.subjectRevoked(subjectId);
        }
        return revoked;
    }

    /**
     * The account of this subject, as the source of this name has it now.
     *
     * @param plugin the source of the login: {@link Authenticated#plugin()}
     * @param subjectId as the service names the subject: {@link Subject#id()} of the login
     * @return empty where that source has no such account, and where this chain has no such source
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public Optional<Account> account(String plugin, String subjectId) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        LoginSource<?> source = roles.source(plugin).orElse(null);
        String id = names.inPlugin(plugin, subjectId).orElse(null);
        if (source == null || id == null) {
            return Optional.empty();
        }
        Optional<Account> account = calls.ask(source, asked -> asked.account(id));
        account.ifPresent(found -> calls.answered(source));
        return account.map(found -> inService(source, found));
    }

    private Account inService(LoginSource<?> source, Account account) {
        if (!(account.state() instanceof Authenticated state)) {
            return account;
        }
        Subject named = names.inService(source, state.subject());
        return named == null ? account : new Account(state.withSubject(named), account.stamp());
    }

    /**
     * Has the plugin whose step this login has passed remember the login's device; no other plugin is asked.
     *
     * @param plugin the plugin that wanted the step: {@link Challenged#plugin()}
     * @param login complete
     * @param context of the request of that login
     * @return empty where that plugin remembers no devices, or not this one
     * @throws AuthUnavailableException if the plugin could not record the device
     * @throws AuthPluginException if the plugin broke its contract
     */
    public Optional<RememberedDevice> remember(String plugin, Authenticated login, RequestContext context) {
        Objects.requireNonNull(login, "login");
        Objects.requireNonNull(context, "context");
        return roles.step(plugin).flatMap(step -> calls.ask(step, asked -> asked.remember(login, context)));
    }

    /**
     * The credentials that plugins read from this request by {@link CredentialsReader}, in the order of the plugins.
     *
     * @param context the request
     * @return one for each plugin that finds credentials, unchecked; unmodifiable
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<Credentials> read(RequestContext context) {
        if (roles.readers().isEmpty()) {
            return List.of();
        }
        List<Credentials> found = new ArrayList<>(1);
        for (CredentialsReader reader : roles.readers()) {
            calls.ask(reader, asked -> asked.read(context)).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    /**
     * The challenges of the plugins that read credentials from requests, for {@code WWW-Authenticate}.
     *
     * @return in the order of the plugins; unmodifiable
     */
    public List<String> challenges() {
        return roles.readers().stream()
                .flatMap(reader -> reader.challenge().stream())
                .toList();
    }

    /**
     * The credentials that a {@link GrantReader} reads from this token request.
     *
     * @param grant the type and the fields of the token request
     * @param context of the request that carried the grant
     * @return empty where no plugin reads this grant type, and where the grant is malformed; otherwise unchecked
     * @throws AuthUnavailableException if the plugin could not read the grant
     * @throws AuthPluginException if the plugin broke its contract
     */
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        GrantReader reader = roles.grantReaders().get(grant.type());
        return reader == null ? Optional.empty() : calls.ask(reader, asked -> asked.read(grant, context));
    }

    /** Closes every plugin, the last one first. A failure is logged, and the others are closed all the same. */
    @Override
    public void close() {
        PluginCalls.closeAll(roles.all());
    }
}
