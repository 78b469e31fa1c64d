package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Verdict;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a chain, and which threads are behind it: what a plugin asks in turn, of the chain or of something else that decides logins, is a
 * part of the question that it is asked.
 */
final class GatedQuestions {

    private final LoginGate gate;

    /** Of one chain and of those that are made of it. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Boolean> deciding;

    private GatedQuestions(LoginGate gate, ThreadLocal<@Nullable Boolean> deciding) {
        this.gate = gate;
        this.deciding = deciding;
    }

    static GatedQuestions open() {
        return new GatedQuestions(LoginGate.OPEN, new ThreadLocal<>());
    }

    GatedQuestions behind(LoginGate gate) {
        return new GatedQuestions(gate, deciding);
    }

    LoginGate gate() {
        return gate;
    }

    /** What the question comes to behind this gate. */
    Verdict ask(LoginGate asked, Credentials credentials, Supplier<Verdict> question) {
        Boolean outer = deciding.get();
        deciding.set(true);
        try {
            return asked.decide(credentials, Listeners.accountOf(credentials), question);
        } finally {
            // Not removed, which would cost the thread's next login an object: an entry without a value holds nothing.
            deciding.set(outer);
        }
    }

    /** Whether this thread is within a question. */
    boolean areAskedHere() {
        return deciding.get() != null;
    }
}
