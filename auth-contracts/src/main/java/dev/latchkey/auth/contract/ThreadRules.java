package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Many callers at once, and the threads that a plugin starts itself. */
interface ThreadRules<P extends AuthPlugin> extends Rules<P> {

    @TestFactory
    default Stream<DynamicTest> manyThreads_getTheSameAnswers() {
        return ManyThreads.kinds()
                .map(kind -> dynamicTest(kind.name(), () -> {
                    P plugin = trial().open();
                    for (Probe<P> probe : trial().fixture().probes()) {
                        if (probe.use() != Probe.Use.ALONE) {
                            askAtOnce(kind, probe, plugin);
                        }
                    }
                }));
    }

    private void askAtOnce(ManyThreads.Kind kind, Probe<P> probe, P plugin) throws Throwable {
        String input = probe.input() + " on " + kind.name();
        List<Callable<Object>> calls = new ArrayList<>();
        for (int thread = 0; thread < ManyThreads.THREADS; thread++) {
            calls.add(Calls.answer(probe.input(), () -> probe.question().prepare(plugin)));
        }
        Iterator<Callable<Object>> each = calls.iterator();
        Map<Thread, Callable<Object>> ofThread = new ConcurrentHashMap<>();
        int rounds = probe.use() == Probe.Use.OFTEN ? ManyThreads.ROUNDS : 1;
        ManyThreads.run(kind, rounds, Duration.ZERO, () -> {
            Callable<Object> call = ofThread.computeIfAbsent(Thread.currentThread(), any -> next(each));
            Trial.right(probe, input, Calls.answerHere(input, call));
        });
    }

    private static <T> T next(Iterator<T> each) {
        synchronized (each) {
            return each.next();
        }
    }

    @Test
    default void closedPlugin_leavesNoThread() throws Exception {
        // What is started once for all plugins (a timer of the JDK's, for example) is started by the first one.
        StartedThreads.of(this::live);
        StartedThreads.of(this::live).assertEnd();
    }

    /** Holds on to no plugin: the HTTP client of JDK 17 ends its thread when the client is collected. */
    private void live() throws Exception {
        P plugin = trial().fixture().newPlugin();
        try {
            for (Probe<P> probe : trial().fixture().probes()) {
                Calls.answerOrOutageHere(probe.input(), probe.to(plugin));
            }
        } finally {
            plugin.close();
        }
    }
}
