package dev.latchkey.auth.contract;

import dev.latchkey.auth.AuthPlugin;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * A question to a plugin, with the answers that are right and those that let a caller in. The rules that hold for every role ask the probes of the role.
 *
 * @param input names the input in the message of a failure
 * @param question makes the call for a plugin that works; the call itself may come when the plugin is closed or its backend fails
 * @param isRight of an answer of a plugin that works
 * @param letsIn of an answer that gives a caller something
 * @param use how often the call of one preparation may be made
 * @param store whether the answer needs the plugin's store or backend
 */
record Probe<P extends AuthPlugin>(
        String input, Question<P> question, Predicate<Object> isRight, Predicate<Object> letsIn, Use use, Store store) {

    /** How often the same input is right. */
    enum Use {
        /** As often as anybody likes: a password. */
        OFTEN,
        /** Once for each preparation: a response to a challenge. */
        ONCE_EACH,
        /** Once, and a second preparation may make the first one invalid: a one-time code. */
        ALONE
    }

    /** What an answer takes. */
    enum Store {
        /** Without its store the plugin cannot know the answer. */
        NEEDED,
        /** A plugin may know the answer from the input alone: a wrong signature. */
        MAYBE
    }

    /** Makes a call to this plugin. */
    @FunctionalInterface
    interface Question<P extends AuthPlugin> {
        Callable<Object> prepare(P plugin) throws Exception;
    }

    /** Whether this answer is right while the store or the backend does not answer. */
    boolean isRightInOutage(Object answer) {
        return store == Store.MAYBE && isRight.test(answer);
    }

    /** Prepares and asks at once. */
    Callable<Object> to(P plugin) {
        return () -> question.prepare(plugin).call();
    }
}
