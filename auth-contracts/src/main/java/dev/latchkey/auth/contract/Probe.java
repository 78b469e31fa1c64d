package dev.latchkey.auth.contract;

import dev.latchkey.auth.AuthPlugin;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * A question to a plugin, with the right answers and the answers that give access. The rules of a role use the probes of this
 * role.
 *
 * @param input names the input in the message of a failure
 * @param question makes the call for a working plugin; the call itself may run after the plugin's close or during its backend's
 *     failure
 * @param isRight whether a working plugin may give this answer
 * @param letsIn whether this answer gives access
 * @param use how often the call of a preparation may run
 * @param store whether the answer needs the plugin's store or backend
 */
record Probe<P extends AuthPlugin>(
        String input, Question<P> question, Predicate<Object> isRight, Predicate<Object> letsIn, Use use, Store store) {

    /** How often the same input is right. */
    enum Use {
        /** Any number of times: a password. */
        OFTEN,
        /** Once for each preparation: a response to a challenge. */
        ONCE_EACH,
        /** Once, and a second preparation may invalidate the first: a one-time code. */
        ALONE
    }

    /** The need for a store. */
    enum Store {
        /** The plugin cannot know the answer without the store. */
        NEEDED,
        /** A plugin may know the answer from the input alone: a wrong signature. */
        MAYBE
    }

    /** Makes a call to this plugin. */
    @FunctionalInterface
    interface Question<P extends AuthPlugin> {
        Callable<Object> prepare(P plugin) throws Exception;
    }

    /** Whether this answer is right during an outage of the store or the backend. */
    boolean isRightInOutage(Object answer) {
        return store == Store.MAYBE && isRight.test(answer);
    }

    /** A call that prepares the question and then asks. */
    Callable<Object> to(P plugin) {
        return () -> question.prepare(plugin).call();
    }
}
