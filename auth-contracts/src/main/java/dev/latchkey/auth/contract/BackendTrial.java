package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** A plugin and its backend, for a test. */
final class BackendTrial<P extends AuthPlugin> implements Closeable {

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    private final Trial<P> trial;
    private final HttpBackend settings;
    private final FaultyBackend backend;
    private final P plugin;

    BackendTrial(Trial<P> trial, HttpBackend settings) throws Exception {
        this.trial = trial;
        this.settings = settings;
        this.backend = new FaultyBackend(settings.answers());
        AuthPlugin made = TimeLimit.call(
                TimeLimit.USUAL,
                "making the plugin of backend()",
                () -> settings.plugin().at(backend.uri()));
        @SuppressWarnings("unchecked")
        P ofTheRole = (P) made;
        this.plugin = trial.closingLater(ofTheRole);
    }

    FaultyBackend backend() {
        return backend;
    }

    P plugin() {
        return plugin;
    }

    /** Else nothing that follows would mean anything. A first answer may come late on a loaded machine. */
    void assertWorks() throws Exception {
        assertAllRight(", the backend works");
    }

    /** In the end all answers are right again, and none is wrong before. */
    void assertRecovers(Fault fault) throws Exception {
        assertAllRight(", the backend works again; before, it " + fault);
    }

    private void assertAllRight(String when) throws Exception {
        for (Probe<P> probe : trial.fixture().probes()) {
            String input = probe.input() + when;
            Trial.right(probe, input, patient(input, probe.to(plugin)));
        }
    }

    /** The calls of all probes, made while the backend works. */
    Map<Probe<P>, Callable<Object>> prepared() throws Exception {
        Map<Probe<P>, Callable<Object>> calls = new LinkedHashMap<>();
        for (Probe<P> probe : trial.fixture().probes()) {
            calls.put(probe, Calls.answer(probe.input(), () -> probe.question().prepare(plugin)));
        }
        return calls;
    }

    /** Asserts an outage of the plugin, and returns its answer. */
    Object assertOutage(Fault fault, Probe<P> probe, Callable<Object> call) throws Exception {
        String input = probe.input() + ", while the backend " + fault;
        return Calls.outage(probe, input, within(input, call));
    }

    private Object patient(String input, Callable<Object> call) throws Exception {
        long end =
                System.nanoTime() + settings.recovery().plus(settings.grace()).toNanos();
        while (true) {
            Object answer = within(input, call);
            if (!(answer instanceof AuthUnavailableException e)) {
                return answer;
            }
            if (System.nanoTime() > end) {
                return fail("still an outage: " + input, e);
            }
            LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
        }
    }

    private Object within(String input, Callable<Object> call) throws Exception {
        return TimeLimit.call(settings.longestAnswer(), input, () -> Calls.answerOrOutageHere(input, call));
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
