package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks plugins, and holds them to their contract: what they throw or leave out becomes an {@link AuthPluginException} with their name,
 * and what is down is in the log.
 */
final class PluginCalls {

    /** Under the chain's name, which is the one that is known outside. */
    private static final Logger LOG = System.getLogger(AuthChain.class.getName());

    private final OutageLog outages;

    PluginCalls(OutageLog outages) {
        this.outages = outages;
    }

    /** What the source decides about these credentials. Called for each request with a token, so no function object is made. */
    <C extends Credentials> Decision decide(LoginSource<C> source, Credentials credentials, RequestContext context) {
        @Nullable Decision decision;
        try {
            Class<C> kind = source.kind();
            decision = kind.isInstance(credentials)
                    ? source.authenticate(kind.cast(credentials), context)
                    : Decision.abstained();
        } catch (Throwable e) { // also what only Kotlin lets out undeclared
            throw failureOf(source, e, secretsOf(credentials));
        }
        return required(decision, source);
    }

    /** Has the source do the work of wrong credentials. */
    <C extends Credentials> void unrecognized(LoginSource<C> source, Credentials credentials) {
        Function<LoginSource<C>, @Nullable Boolean> question = asked -> {
            asked.unrecognized(asked.kind().cast(credentials));
            return true;
        };
        boolean unused = ask(source, question, secretsOf(credentials));
    }

    /** What the step wants of this login; null where it wants nothing, or where a remembered device stands in for it. */
    @Nullable
    Challenged wantedStep(LoginStep step, Authenticated login, RequestContext context, LoginPipeline.Devices devices) {
        Optional<Challenged> wanted = ask(step, asked -> asked.wanted(login, context));
        boolean isSpared = wanted.isPresent()
                && devices == LoginPipeline.Devices.COUNT
                && ask(step, asked -> asked.knowsDevice(login, context));
        return isSpared ? null : wanted.orElse(null);
    }

    /** What the plugin answers to this question. */
    <P extends AuthPlugin, T> T ask(P plugin, Function<P, @Nullable T> question) {
        return ask(plugin, question, message -> false);
    }

    /** The same for a question with secrets, of which no exception's message may reach a log. */
    <P extends AuthPlugin, T> T ask(P plugin, Function<P, @Nullable T> question, Predicate<String> isSecret) {
        @Nullable T answer;
        try {
            answer = question.apply(plugin);
        } catch (Throwable e) {
            throw failureOf(plugin, e, isSecret);
        }
        return required(answer, plugin);
    }

    /**
     * What the chain throws where the plugin threw this: an outage, which is noted, or that it broke its contract.
     *
     * <p>Of what the JVM itself fails by, nothing is a plugin's fault but that its calls were too deep. Any other error (a class that is missing, an
     * assertion) is a failure of the plugin alone, and let out it would be answered by whatever a web server makes of it: Spring Security's
     * rules, which ask an error page's reader to log in.
     */
    private RuntimeException failureOf(AuthPlugin plugin, Throwable failure, Predicate<String> isSecret) {
        if (failure instanceof AuthUnavailableException unavailable) {
            outages.failed(plugin.name(), unavailable, isSecret);
            return unavailable;
        }
        if (failure instanceof VirtualMachineError ofTheMachine && !(failure instanceof StackOverflowError)) {
            throw ofTheMachine;
        }
        return new AuthPluginException(
                plugin.name(),
                "threw " + failure.getClass().getName() + " where the contract asks for a value",
                failure);
    }

    private static <T> T required(@Nullable T answer, AuthPlugin plugin) {
        if (answer == null) {
            throw new AuthPluginException(plugin.name(), "answered null where the contract asks for a value");
        }
        return answer;
    }

    /** Whether any answers yes; all are asked, and the first failure is thrown afterwards. */
    <P extends AuthPlugin> boolean askAll(List<P> plugins, Function<P, @Nullable Boolean> question) {
        boolean any = false;
        RuntimeException failure = null;
        for (P plugin : plugins) {
            try {
                if (ask(plugin, question)) {
                    answered(plugin);
                    any = true;
                }
            } catch (AuthUnavailableException | AuthPluginException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return any;
    }

    /** Closes the last one first; one that fails does not keep the others open. */
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

    /** It had an opinion, so what it stands on is there. */
    void answered(AuthPlugin plugin) {
        outages.answered(plugin.name());
    }

    /** Whether a library's message repeats something secret of these credentials. Of a plugin's own credentials that cannot be told. */
    static Predicate<String> secretsOf(Credentials credentials) {
        if (credentials instanceof PasswordCredentials given) {
            return message -> repeats(message, List.of(given.password()));
        }
        if (credentials instanceof ChallengeResponse given) {
            return message -> repeats(message, given.fields().values());
        }
        return credentials instanceof BearerToken bearer
                ? message -> repeats(message, List.of(bearer.token()))
                : message -> true;
    }

    private static boolean repeats(String message, Collection<Secret> secrets) {
        try {
            return secrets.stream().anyMatch(secret -> isIn(message, secret));
        } catch (IllegalStateException e) {
            // A wiped secret cannot be compared, so the message is not shown.
            return true;
        }
    }

    private static boolean isIn(String message, Secret secret) {
        return secret.withText(text -> text.length() > 0 && message.contains(text));
    }
}
