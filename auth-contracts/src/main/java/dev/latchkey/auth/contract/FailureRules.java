package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A failed store or backend: an outage in time, neither a rejection nor a success, and no leaked secret. */
interface FailureRules<P extends AuthPlugin> extends Rules<P> {

    @TestFactory
    default Stream<DynamicTest> outage_isAnExceptionAndNeverAnAnswer() throws Exception {
        Optional<? extends P> down = trial().fixture().newPluginInOutage();
        down.ifPresent(trial()::closingLater);
        return down.stream()
                .map(plugin -> dynamicTest("store down", () -> {
                    for (Probe<P> probe : trial().fixture().probes()) {
                        String input = probe.input() + ", store down";
                        Calls.outage(probe, input, Calls.answerOrOutage(input, probe.to(plugin)));
                    }
                }));
    }

    @TestFactory
    default Stream<DynamicTest> backendThatFails_isAnOutageInTime_andIsAskedAgain() throws Exception {
        return trial().fixture().backend().stream()
                .flatMap(backend -> Arrays.stream(Fault.values())
                        .map(fault -> dynamicTest("backend that " + fault, () -> check(backend, fault))));
    }

    private void check(HttpBackend backend, Fault fault) throws Exception {
        try (BackendTrial<P> run = new BackendTrial<>(trial(), backend)) {
            run.assertWorks();
            Map<Probe<P>, Callable<Object>> calls = run.prepared();
            run.backend().fail(fault);
            Printed printed = new Printed();
            printed.listenWhile(() -> {
                for (Map.Entry<Probe<P>, Callable<Object>> call : calls.entrySet()) {
                    printed.add(run.assertOutage(fault, call.getKey(), call.getValue()));
                }
            });
            printed.assertWithout(trial().fixture().secrets(), "while the backend " + fault);
            assertEquals(
                    List.of(),
                    run.backend().redirected(),
                    "followed a redirect to another origin, which gets what the backend gets; its requests");
            run.backend().work();
            run.assertRecovers(fault);
        }
    }

    @TestFactory
    default Stream<DynamicTest> backendThatHangs_isAnOutageInTimeForManyAtOnce() throws Exception {
        return trial().fixture().backend().stream()
                .flatMap(backend ->
                        ManyThreads.kinds().map(kind -> dynamicTest(kind.name(), () -> checkMany(backend, kind))));
    }

    private void checkMany(HttpBackend backend, ManyThreads.Kind kind) throws Throwable {
        try (BackendTrial<P> run = new BackendTrial<>(trial(), backend)) {
            run.assertWorks();
            Map.Entry<Probe<P>, Callable<Object>> first =
                    run.prepared().entrySet().iterator().next();
            run.backend().fail(Fault.HANGS);
            ManyThreads.run(
                    kind, 1, Duration.ZERO, () -> run.assertOutage(Fault.HANGS, first.getKey(), first.getValue()));
            run.backend().work();
            run.assertRecovers(Fault.HANGS);
        }
    }

    @TestFactory
    default Stream<DynamicTest> callerInterruptedWhileTheBackendHangs_isToldAnOutage() throws Exception {
        return trial().fixture().backend().stream()
                .map(backend -> dynamicTest("hangs", () -> {
                    try (BackendTrial<P> run = new BackendTrial<>(trial(), backend)) {
                        run.assertWorks();
                        Map<Probe<P>, Callable<Object>> calls = run.prepared();
                        run.backend().fail(Fault.HANGS);
                        for (Map.Entry<Probe<P>, Callable<Object>> call : calls.entrySet()) {
                            String input = call.getKey().input() + ", interrupted while the backend hangs";
                            Callable<Object> interrupted = Interruption.during(input, call.getValue());
                            Calls.outage(call.getKey(), input, Calls.answerOrOutage(input, interrupted));
                        }
                        run.backend().work();
                    }
                }));
    }

    /** Paths and queries end in the logs of every machine on the way. */
    @TestFactory
    default Stream<DynamicTest> backend_isSentNoSecretInAPath() throws Exception {
        return trial().fixture().backend().stream()
                .map(backend -> dynamicTest("path and query", () -> {
                    try (BackendTrial<P> run = new BackendTrial<>(trial(), backend)) {
                        run.assertWorks();
                        Printed printed = new Printed();
                        for (String path : run.backend().paths()) {
                            URI uri = URI.create(path);
                            printed.add(path, String.valueOf(uri.getPath()), String.valueOf(uri.getQuery()));
                        }
                        assertFalse(run.backend().paths().isEmpty(), "the plugin of backend() did not ask its backend");
                        printed.assertWithout(trial().fixture().secrets(), "in the path of a request");
                    }
                }));
    }

    @TestFactory
    default Stream<DynamicTest> closedPlugin_doesNotAskItsBackend() throws Exception {
        return trial().fixture().backend().stream()
                .map(backend -> dynamicTest("closed", () -> {
                    try (BackendTrial<P> run = new BackendTrial<>(trial(), backend)) {
                        run.assertWorks();
                        Map<Probe<P>, Callable<Object>> calls = run.prepared();
                        Trial.close(run.plugin());
                        int asked = run.backend().paths().size();
                        for (Map.Entry<Probe<P>, Callable<Object>> call : calls.entrySet()) {
                            String input = call.getKey().input() + ", after close()";
                            Calls.answerOrOutage(input, call.getValue());
                            assertEquals(asked, run.backend().paths().size(), "asked the backend for " + input);
                        }
                    }
                }));
    }
}
