package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides one login of the chain. Each login passes these stages, in this order:
 *
 * <ol>
 *   <li>limits: {@link LoginGate} admits the login ({@link #run})
 *   <li>source: the first plugin that does not abstain decides ({@link #bySource}), and {@link Completion} makes the login
 *   <li>steps: the login must pass each step that wants a proof ({@link #nextStep}); {@link Completion} adds the results of each
 *       passed step
 *   <li>issue: the caller continues the request, or issues a token and starts a session
 * </ol>
 *
 * <p>{@link OutsideLogins} asks for the steps of logins decided outside of the chain.
 */
final class LoginPipeline {

    private static final Rejected EXPIRED = Rejected.because(RejectionReason.CREDENTIALS_EXPIRED);
    private static final Rejected UNNAMEABLE =
            Rejected.because(RejectionReason.MALFORMED).withDetail("ambiguous_subject");

    /** Whether a remembered device replaces a step. */
    enum Devices {
        COUNT,
        DO_NOT_COUNT
    }

    private final AuthChain chain;
    private final Credentials credentials;
    private final RequestContext context;
    private final Devices devices;
    private final StepUse use;
    private final long start = System.nanoTime();
    private final Instant begun;
    private Listeners listeners = Listeners.NONE;

    LoginPipeline(AuthChain chain, Credentials credentials, RequestContext context, Devices devices, StepUse use) {
        this.chain = chain;
        this.credentials = Objects.requireNonNull(credentials, "credentials");
        this.context = Objects.requireNonNull(context, "context");
        this.devices = devices;
        this.use = use;
        this.begun = credentials instanceof PasswordCredentials
                ? chain.completion.clock().instant()
                : Instant.MAX;
    }

    /**
     * The verdict on this login, after the gate and the plugins. A bearer token passes no gate. The gate has already admitted the
     * login of a challenge response.
     */
    Verdict run(LoginGate gate) {
        if (credentials instanceof BearerToken || credentials instanceof ChallengeResponse) {
            return decide();
        }
        return chain.gated(gate, credentials, this::decide);
    }

    /** Only admitted logins reach the listeners, because each started listener needs an end. */
    private Verdict decide() {
        listeners = chain.listeners.begin(credentials.getClass());
        return credentials instanceof ChallengeResponse response ? afterResponse(response) : bySource();
    }

    private Verdict bySource() {
        for (LoginSource<?> source : chain.roles.sources()) {
            Decision decision = decisionOf(source);
            if (decision instanceof Verdict verdict) {
                chain.calls.answered(source);
                return decided(source.name(), afterSource(source, verdict));
            }
        }
        boolean isPassword = credentials instanceof PasswordCredentials && spendAsUnknown(null);
        return decided(
                "", Rejected.because(isPassword ? RejectionReason.UNKNOWN_ACCOUNT : RejectionReason.NOT_RECOGNIZED));
    }

    private Decision decisionOf(LoginSource<?> source) {
        try {
            return chain.calls.decide(source, credentials, context);
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            throw fail(source.name(), e);
        }
    }

    private Verdict afterSource(LoginSource<?> source, Verdict verdict) {
        if (verdict instanceof Challenged challenged) {
            Verdict soFar = completed(source, challenged.soFar());
            return soFar instanceof Authenticated login ? ownStep(source, challenged, login) : soFar;
        }
        if (verdict instanceof Authenticated decided) {
            Verdict completed = completed(source, decided);
            return completed instanceof Authenticated login && !(credentials instanceof IssuedCredentials)
                    ? nextStep(login, Set.of())
                    : completed;
        }
        if (credentials instanceof PasswordCredentials) {
            // Takes as long as for an unknown name, so that the time does not reveal the source of the account.
            spendAsUnknown(source);
        }
        return verdict;
    }

    private Verdict completed(LoginSource<?> source, Authenticated decided) {
        if (!chain.completion.isInTime(decided)) {
            return EXPIRED;
        }
        Authenticated login =
                within(source.name(), () -> chain.completion.ofSource(source, credentials, decided, begun));
        return login == null ? UNNAMEABLE : login;
    }

    /** A source may need its own step before the steps of the service. The source then checks the response. */
    private Challenged ownStep(LoginSource<?> source, Challenged challenged, Authenticated login) {
        if (chain.roles.step(source.name()).isEmpty()) {
            throw fail(
                    source.name(),
                    new AuthPluginException(
                            source.name(), "challenged a login, and is no LoginStep to check the response"));
        }
        return challenged.of(login, source.name(), Set.of());
    }

    /** The login, or the first missing step. */
    private Verdict nextStep(Authenticated login, Set<String> passed) {
        for (LoginStep step : chain.roles.steps()) {
            if (!passed.contains(step.name())) {
                Challenged wanted = wanted(step, login);
                if (wanted != null) {
                    return wanted.of(login, step.name(), passed);
                }
            }
        }
        return login;
    }

    private @Nullable Challenged wanted(LoginStep step, Authenticated login) {
        try {
            return chain.calls.wantedStep(step, login, context, devices);
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            throw fail(step.name(), e);
        }
    }

    private Verdict afterResponse(ChallengeResponse response) {
        Challenged challenge = response.challenge();
        LoginStep step = chain.roles.step(challenge.plugin()).orElse(null);
        if (step == null) {
            return refused(
                    challenge, Rejected.because(RejectionReason.NOT_RECOGNIZED).withDetail("no_such_step"));
        }
        Authenticated before = use.passed();
        if (before != null) {
            return afterPassed(challenge, before);
        }
        StepResult result;
        try {
            result = chain.calls.ask(step, asked -> asked.answer(response, context), PluginCalls.secretsOf(response));
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            throw fail(step.name(), e);
        }
        chain.calls.answered(step);
        if (result instanceof Challenged again) {
            return decided(
                    step.name(), challenge.followedBy(again.of(challenge.soFar(), step.name(), challenge.passed())));
        }
        if (!(result instanceof Passed passed)) {
            return refused(challenge, (Rejected) result);
        }
        Authenticated login = within(challenge.plugin(), () -> chain.completion.afterStep(challenge, passed));
        use.passed(login);
        return afterPassed(challenge, login);
    }

    private Verdict afterPassed(Challenged challenge, Authenticated login) {
        if (!chain.completion.isInTime(login)) {
            return refused(challenge, EXPIRED);
        }
        Set<String> passed = new HashSet<>(challenge.passed());
        passed.add(challenge.plugin());
        Verdict next = nextStep(login, passed);
        if (next instanceof Challenged wanted) {
            return decided(challenge.plugin(), challenge.followedBy(wanted));
        }
        challenge.answered(true);
        return decided(challenge.plugin(), next);
    }

    private Verdict refused(Challenged challenge, Rejected rejection) {
        challenge.answered(false);
        return decided(challenge.plugin(), rejection);
    }

    /**
     * Makes all other password sources do the work of a wrong password. After a rejection, exceptions of these sources are
     * ignored. For an unknown account, an exception ends the login, as for a known account.
     *
     * @param rejecting the source that rejected the password; skipped, because this source has done the work. Null if no source
     *     knows the account
     * @return whether this method called at least one source
     */
    private boolean spendAsUnknown(@Nullable LoginSource<?> rejecting) {
        boolean hasSource = false;
        for (LoginSource<?> source : chain.roles.sources()) {
            boolean hasWorked = rejecting != null && source.name().equals(rejecting.name());
            if (hasWorked || !source.kind().isInstance(credentials)) {
                continue;
            }
            hasSource = true;
            try {
                chain.calls.unrecognized(source, credentials);
            } catch (AuthUnavailableException | AuthPluginException | Error e) {
                if (rejecting == null || e instanceof Error) {
                    throw fail(source.name(), e);
                }
            }
        }
        return hasSource;
    }

    /** If the login cannot be completed from a plugin's answer, the plugin broke its contract. */
    private <T extends @Nullable Object> T within(String plugin, Supplier<T> completing) {
        try {
            return completing.get();
        } catch (IllegalArgumentException e) {
            throw fail(plugin, new AuthPluginException(plugin, "gave a login more than a login may have", e));
        }
    }

    private Verdict decided(String plugin, Verdict verdict) {
        listeners.decided(plugin, credentials, verdict, start);
        return verdict;
    }

    /** Calls the listeners, and throws. */
    private RuntimeException fail(String plugin, Throwable failure) {
        listeners.undecided(plugin, credentials, failure, start);
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
