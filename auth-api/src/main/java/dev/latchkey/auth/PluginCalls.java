package dev.latchkey.auth;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
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

    /** What the plugin decides about these credentials. Asked for each request with a token, so no function is made to ask it. */
    Decision decide(AuthPlugin plugin, Credentials credentials, RequestContext context) {
        @Nullable Decision decision;
        try {
            decision = plugin.supports(credentials.getClass())
                    ? plugin.authenticate(credentials, context)
                    : Decision.abstained();
        } catch (Throwable e) { // also what only Kotlin lets out undeclared
            throw failureOf(plugin, e, message -> repeats(message, credentials));
        }
        return required(decision, plugin);
    }

    /** Tells the plugin, if passwords are its business, that nobody knows this account; whether they are. */
    boolean unrecognized(AuthPlugin plugin, PasswordCredentials credentials) {
        Function<AuthPlugin, @Nullable Boolean> question = p -> {
            boolean concerned = p.supports(PasswordCredentials.class);
            if (concerned) {
                p.unrecognized(credentials);
            }
            return concerned;
        };
        return ask(plugin, question, message -> repeats(message, credentials));
    }

    /**
     * The step that the first of these plugins wants of this login; one that could not check it is not asked.
     *
     * @param undecided hears which plugin could not say, and why, before that is thrown
     */
    Optional<Challenged> secondStep(
            List<AuthPlugin> plugins,
            Authenticated login,
            RequestContext context,
            BiConsumer<String, Throwable> undecided) {
        for (AuthPlugin plugin : plugins) {
            try {
                Optional<Challenged> wanted = ask(
                        plugin,
                        p -> p.supports(ChallengeResponse.class) ? p.secondStep(login, context) : Optional.empty());
                if (wanted.isPresent()) {
                    return Optional.of(wanted.get().of(login, plugin.name()));
                }
            } catch (AuthUnavailableException | AuthPluginException | Error e) {
                undecided.accept(plugin.name(), e);
                throw e;
            }
        }
        return Optional.empty();
    }

    /** What the plugin answers to this question. */
    <T> T ask(AuthPlugin plugin, Function<AuthPlugin, @Nullable T> question) {
        return ask(plugin, question, message -> false);
    }

    private <T> T ask(AuthPlugin plugin, Function<AuthPlugin, @Nullable T> question, Predicate<String> isSecret) {
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
    boolean askAll(List<AuthPlugin> plugins, Function<AuthPlugin, @Nullable Boolean> question) {
        boolean any = false;
        RuntimeException failure = null;
        for (AuthPlugin plugin : plugins) {
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

    /** What the plugin of this name answers, where there is one; no other is asked. */
    <T> Optional<T> askOne(
            List<AuthPlugin> plugins, String name, Function<AuthPlugin, @Nullable Optional<T>> question) {
        for (AuthPlugin candidate : plugins) {
            if (candidate.name().equals(name)) {
                Optional<T> answer = ask(candidate, question);
                answer.ifPresent(found -> answered(candidate));
                return answer;
            }
        }
        return Optional.empty();
    }

    /** The answer of the first that has one; those behind it are not asked. */
    <T> Optional<T> firstOf(List<AuthPlugin> plugins, Function<AuthPlugin, @Nullable Optional<T>> question) {
        for (AuthPlugin plugin : plugins) {
            Optional<T> answer = ask(plugin, question);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /** The answers of all that have one. */
    <T> List<T> each(List<AuthPlugin> plugins, Function<AuthPlugin, @Nullable Optional<T>> question) {
        List<T> answers = new ArrayList<>();
        plugins.forEach(plugin -> ask(plugin, question).ifPresent(answers::add));
        return answers;
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

    /** What somebody presented may stand in a message of a library below; of credentials of a plugin's own nobody here knows. */
    private static boolean repeats(String message, Credentials credentials) {
        try {
            if (credentials instanceof PasswordCredentials given) {
                return isIn(message, given.password());
            }
            if (credentials instanceof ChallengeResponse given) {
                return isIn(message, given.response());
            }
            return !(credentials instanceof BearerToken bearer)
                    || bearer.token().withText(message::contains);
        } catch (IllegalStateException e) {
            // Wiped meanwhile, so nobody knows here either.
            return true;
        }
    }

    private static boolean isIn(String message, Secret secret) {
        return secret.withText(text -> text.length() > 0 && message.contains(text));
    }
}
