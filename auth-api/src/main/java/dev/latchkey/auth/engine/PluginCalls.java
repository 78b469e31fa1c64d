package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls plugins, and checks their contract: a forbidden exception or a missing answer becomes an {@link AuthPluginException} with
 * the plugin's name. Outages are logged.
 */
final class PluginCalls {

    /** The chain's name, because this name is public. */
    private static final Logger LOG = System.getLogger(AuthChain.class.getName());

    private final OutageLog outages;

    PluginCalls(OutageLog outages) {
        this.outages = outages;
    }

    /** The source's decision about these credentials. Creates no function object: each request with a token needs this call. */
    <C extends Credentials> Decision decide(LoginSource<C> source, Credentials credentials, RequestContext context) {
        @Nullable Decision decision;
        try {
            Class<C> kind = source.kind();
            decision = kind.isInstance(credentials)
                    ? source.authenticate(kind.cast(credentials), context)
                    : Decision.abstained();
        } catch (Throwable e) { // Kotlin code may throw undeclared checked exceptions.
            throw failureOf(source, e, secretsOf(credentials));
        }
        return required(decision, source);
    }

    /** Makes the source do the work of wrong credentials. */
    <C extends Credentials> void unrecognized(LoginSource<C> source, Credentials credentials) {
        Function<LoginSource<C>, @Nullable Boolean> question = asked -> {
            asked.unrecognized(asked.kind().cast(credentials));
            return true;
        };
        boolean unused = ask(source, question, secretsOf(credentials));
    }

    /** The challenge of this step; null if the login does not need the step, or a remembered device replaces the step. */
    @Nullable
    Challenged wantedStep(LoginStep step, Authenticated login, RequestContext context, LoginPipeline.Devices devices) {
        Optional<Challenged> wanted = ask(step, asked -> asked.wanted(login, context));
        boolean isSpared = wanted.isPresent()
                && devices == LoginPipeline.Devices.COUNT
                && askWithUnknownSecrets(step, asked -> asked.knowsDevice(login, context));
        return isSpared ? null : wanted.orElse(null);
    }

    /** The plugin's answer to this question. */
    <P extends AuthPlugin, T> T ask(P plugin, Function<P, @Nullable T> question) {
        return ask(plugin, question, message -> false);
    }

    /** The same for a question about a request: no message is logged, because a message may repeat any header field or cookie. */
    <P extends AuthPlugin, T> T askWithUnknownSecrets(P plugin, Function<P, @Nullable T> question) {
        return ask(plugin, question, message -> true);
    }

    /** The same for a question with secrets: exception messages with a secret must not reach a log. */
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
     * The chain's exception for a plugin's exception: an outage, recorded in the log, or a broken contract.
     *
     * <p>Errors of the JVM itself, except a stack overflow, are not the plugin's fault and are thrown unchanged. Any other error
     * (a missing class, an assertion) is a failure of the plugin. Outside of the chain such an error would reach the web server's
     * error page. Spring Security's rules would then ask the client to log in.
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
                LoggedFailure.of(failure, isSecret));
    }

    private static <T> T required(@Nullable T answer, AuthPlugin plugin) {
        if (answer == null) {
            throw new AuthPluginException(plugin.name(), "answered null where the contract asks for a value");
        }
        return answer;
    }

    /**
     * Whether any plugin answers yes; all plugins are asked, and the first failure is thrown afterwards. Exception messages with a
     * secret must not reach a log.
     */
    <P extends AuthPlugin> boolean askAll(
            List<P> plugins, Function<P, @Nullable Boolean> question, Predicate<String> isSecret) {
        boolean any = false;
        RuntimeException failure = null;
        for (P plugin : plugins) {
            try {
                if (ask(plugin, question, isSecret)) {
                    answered(plugin);
                    any = true;
                }
            } catch (AuthUnavailableException | AuthPluginException e) {
                if (failure == null) {
                    failure = e;
                } else if (!e.equals(failure)) {
                    // An exception cannot suppress itself.
                    failure.addSuppressed(LoggedFailure.of(e, isSecret));
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return any;
    }

    /** Closes the last plugin first. A failure is logged, and does not keep the rest open. */
    static void closeAll(List<AuthPlugin> plugins) {
        for (int i = plugins.size() - 1; i >= 0; i--) {
            AuthPlugin plugin = plugins.get(i);
            try {
                plugin.close();
            } catch (Throwable e) { // the other plugins must close too
                LOG.log(Level.WARNING, "Plugin " + plugin.getClass().getName() + " failed to close", e);
            }
        }
    }

    /** The answer of {@link AuthChain#pluginsDown}. */
    Set<String> down() {
        return outages.down();
    }

    /** Notes a decision of the plugin: its backend works. An abstention tells nothing about the backend, and is not noted. */
    void answered(AuthPlugin plugin) {
        outages.answered(plugin.name());
    }

    /** Whether a library's message repeats a secret of these credentials, or their secrets are unknown. */
    static Predicate<String> secretsOf(Credentials credentials) {
        return anyOf(credentials::secrets);
    }

    /** Whether a library's message repeats one of these secrets, or the secrets are unknown. */
    static Predicate<String> anyOf(Supplier<? extends Collection<Secret>> known) {
        return message -> {
            try {
                Collection<Secret> secrets = known.get();
                return secrets.isEmpty() || secrets.stream().anyMatch(secret -> isIn(message, secret));
            } catch (RuntimeException e) {
                // A wiped secret cannot be compared, so the message is hidden. The same holds for a defect of a plugin.
                return true;
            }
        };
    }

    private static boolean isIn(String message, Secret secret) {
        return secret.withText(text -> text.length() > 0 && message.contains(text));
    }
}
