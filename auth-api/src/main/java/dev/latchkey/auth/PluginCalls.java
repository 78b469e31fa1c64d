package dev.latchkey.auth;

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

    private final OutageLog outages;

    PluginCalls(OutageLog outages) {
        this.outages = outages;
    }

    /** What the plugin decides about these credentials. */
    Decision decide(AuthPlugin plugin, Credentials credentials, RequestContext context) {
        return ask(plugin, p -> decisionOf(p, credentials, context), message -> repeats(message, credentials));
    }

    private static @Nullable Decision decisionOf(AuthPlugin plugin, Credentials credentials, RequestContext context) {
        return plugin.supports(credentials.getClass())
                ? plugin.authenticate(credentials, context)
                : Decision.abstained();
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

    /** The step that the plugin wants of this login; one that could not check it is not asked. */
    Optional<Challenged> secondStep(AuthPlugin plugin, Authenticated login, RequestContext context) {
        return ask(plugin, p -> p.supports(ChallengeResponse.class) ? p.secondStep(login, context) : Optional.empty());
    }

    /** What the plugin answers to this question. */
    <T> T ask(AuthPlugin plugin, Function<AuthPlugin, @Nullable T> question) {
        return ask(plugin, question, message -> false);
    }

    private <T> T ask(AuthPlugin plugin, Function<AuthPlugin, @Nullable T> question, Predicate<String> isSecret) {
        T answer;
        try {
            answer = question.apply(plugin);
        } catch (AuthUnavailableException e) {
            outages.failed(plugin.name(), e, isSecret);
            throw e;
        } catch (RuntimeException e) {
            throw new AuthPluginException(
                    plugin.name(), "threw " + e.getClass().getName() + " where the contract asks for a value", e);
        }
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
