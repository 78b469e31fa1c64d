package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Calls of a plugin, each with a time limit. A failure names the input. */
final class Calls {

    private Calls() {}

    /** The answer to this input. An exception or null fails the test. */
    static <T> T answer(String input, Callable<? extends @Nullable T> call) throws Exception {
        return TimeLimit.call(TimeLimit.USUAL, input, () -> Calls.<T>answerHere(input, call));
    }

    /** The same on the calling thread, for tests about the kind of thread. */
    static <T> T answerHere(String input, Callable<? extends @Nullable T> call) {
        Object answer = answerOrOutageHere(input, call);
        if (answer instanceof AuthUnavailableException e) {
            return fail("threw " + e.getClass().getName() + " where the contract asks for a value, for " + input, e);
        }
        @SuppressWarnings("unchecked")
        T value = (T) answer;
        return value;
    }

    /** The answer, or the exception for an outage. */
    static Object answerOrOutage(String input, Callable<? extends @Nullable Object> call) throws Exception {
        return TimeLimit.call(TimeLimit.USUAL, input, () -> answerOrOutageHere(input, call));
    }

    static Object answerOrOutageHere(String input, Callable<? extends @Nullable Object> call) {
        @Nullable Object answer;
        try {
            answer = call.call();
        } catch (AuthUnavailableException e) {
            return e;
        } catch (Exception | VirtualMachineError | LinkageError e) {
            // An OutOfMemoryError that reaches JUnit ends the whole run.
            return fail("threw " + e.getClass().getName() + " where the contract asks for a value, for " + input, e);
        }
        if (answer == null) {
            return fail("answered null where the contract asks for a value, for " + input);
        }
        return answer;
    }

    /** Asserts that an undecided answer is an outage, and returns the answer. */
    static Object outage(Probe<?> probe, String input, Object answer) {
        if (answer instanceof AuthUnavailableException e) {
            return e.kind() == AuthUnavailableException.Kind.THROTTLED
                    ? fail("blames the caller for an outage, for " + input, e)
                    : e;
        }
        return probe.isRightInOutage(answer)
                ? answer
                : fail("must be an outage, but answered " + Hostile.shown(answer) + " for " + input);
    }
}
