package dev.latchkey.auth;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One question to a chain: what it decides about these credentials. Each is asked once. */
final class LoginQuestion {

    private static final Verdict EXPIRED = Rejected.because(RejectionReason.CREDENTIALS_EXPIRED);

    private final Credentials credentials;
    private final RequestContext context;
    private final InstantSource clock;
    private final PluginCalls calls;
    private final Listeners listeners;

    LoginQuestion(
            Credentials credentials,
            RequestContext context,
            InstantSource clock,
            PluginCalls calls,
            Listeners listeners) {
        this.credentials = credentials;
        this.context = context;
        this.clock = clock;
        this.calls = calls;
        this.listeners = listeners;
    }

    /** The verdict of the first of these plugins that does not abstain. */
    Verdict ask(List<AuthPlugin> plugins) {
        Listeners told = listeners.begin(credentials.getClass());
        long start = System.nanoTime();
        for (AuthPlugin plugin : plugins) {
            if (isForAnother(plugin)) {
                continue;
            }
            Verdict decided = verdictOf(plugin, told, start);
            if (decided != null) {
                Verdict result = credentials instanceof PasswordCredentials && decided instanceof Authenticated login
                        ? afterSteps(login, plugins, told, start)
                        : decided;
                told.decided(plugin.name(), credentials, result, start);
                return result;
            }
        }
        Verdict unknown = Rejected.because(nobodyKnows(plugins, told, start));
        told.decided("", credentials, unknown, start);
        return unknown;
    }

    /** What this plugin decides, as the chain answers it; null where it abstains. */
    private @Nullable Verdict verdictOf(AuthPlugin plugin, Listeners told, long start) {
        try {
            if (calls.decide(plugin, credentials, context) instanceof Verdict verdict) {
                calls.answered(plugin);
                return finalWord(verdict, plugin);
            }
            return null;
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            told.undecided(plugin.name(), credentials, e, start);
            throw e;
        }
    }

    private RejectionReason nobodyKnows(List<AuthPlugin> plugins, Listeners told, long start) {
        RejectionReason reason = RejectionReason.NOT_RECOGNIZED;
        if (credentials instanceof PasswordCredentials password) {
            for (AuthPlugin plugin : plugins) {
                if (isConcerned(plugin, password, told, start)) {
                    reason = RejectionReason.UNKNOWN_ACCOUNT;
                }
            }
        }
        return reason;
    }

    private boolean isConcerned(AuthPlugin plugin, PasswordCredentials password, Listeners told, long start) {
        try {
            return calls.unrecognized(plugin, password);
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            told.undecided(plugin.name(), credentials, e, start);
            throw e;
        }
    }

    private boolean isForAnother(AuthPlugin plugin) {
        return credentials instanceof ChallengeResponse answer
                && !plugin.name().equals(answer.challenge().plugin());
    }

    /** A verdict as the chain answers it: with the plugin's name, how it was proved, and nothing whose time is over. */
    private Verdict finalWord(Verdict verdict, AuthPlugin plugin) {
        if (credentials instanceof ChallengeResponse response) {
            return afterChallenge(response.challenge(), verdict, plugin);
        }
        if (verdict instanceof Challenged challenged) {
            return decided(challenged.soFar(), plugin) instanceof Authenticated soFar
                    ? challenged.of(soFar, plugin.name())
                    : EXPIRED;
        }
        return verdict instanceof Authenticated login ? decided(login, plugin) : verdict;
    }

    private Verdict decided(Authenticated login, AuthPlugin plugin) {
        if (!isInTime(login)) {
            return EXPIRED;
        }
        Authenticated decided = login.decidedBy(plugin.name());
        return credentials instanceof PasswordCredentials
                        && login.factors().methods().isEmpty()
                ? decided.withFactors(Factors.of(clock.instant(), Factors.PASSWORD))
                : decided;
    }

    /** The login that was challenged, once its step is passed: what was decided first, for as long as both let it hold. */
    private Verdict afterChallenge(Challenged challenge, Verdict verdict, AuthPlugin plugin) {
        if (verdict instanceof Challenged next) {
            return challenge.followedBy(next);
        }
        if (!(verdict instanceof Authenticated answer)) {
            return challenge.answered(verdict);
        }
        if (!answer.subject().id().equals(challenge.soFar().subject().id())) {
            throw new AuthPluginException(plugin.name(), "answered a challenge with another subject");
        }
        boolean holds = isInTime(answer) && isInTime(challenge.soFar());
        return challenge.answered(holds ? challenge.withThisFactor().until(answer.validUntil()) : EXPIRED);
    }

    private boolean isInTime(Authenticated login) {
        return clock.instant().isBefore(login.validUntil());
    }

    /** The login, or the step that the first plugin wants before it. */
    private Verdict afterSteps(Authenticated login, List<AuthPlugin> plugins, Listeners told, long start) {
        Optional<Challenged> wanted = calls.secondStep(
                plugins, login, context, (plugin, reason) -> told.undecided(plugin, credentials, reason, start));
        return wanted.isPresent() ? wanted.get() : login;
    }
}
