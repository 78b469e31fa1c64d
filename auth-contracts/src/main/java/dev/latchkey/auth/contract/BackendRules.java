package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A backend that fails: an outage in time, neither a rejection nor a success, and no secret goes where it should not. */
interface BackendRules extends Rules {

    @TestFactory
    default Stream<DynamicTest> backendThatFails_isAnOutageInTime_andIsAskedAgain() throws Exception {
        return trial().fixture().backend().stream()
                .flatMap(backend -> Arrays.stream(Fault.values())
                        .map(fault -> dynamicTest("backend that " + fault, () -> check(backend, fault))));
    }

    private void check(HttpBackend backend, Fault fault) throws Exception {
        List<Credentials> inputs =
                List.of(trial().fixture().validCredentials(), trial().fixture().wrongCredentials());
        try (BackendTrial run = new BackendTrial(trial(), backend)) {
            run.assertWorks();
            run.backend().fail(fault);
            Printed printed = new Printed();
            printed.listenWhile(() -> {
                printed.add(run.assertOutage(fault, Trial.VALID, inputs.get(0)));
                printed.add(run.assertOutage(fault, Trial.WRONG, inputs.get(1)));
            });
            printed.assertWithout(trial().fixture().secretTexts(), "while the backend " + fault);
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
        Credentials valid = trial().fixture().validCredentials();
        String input = "valid credentials of " + ManyThreads.THREADS + " callers on " + kind.name();
        try (BackendTrial run = new BackendTrial(trial(), backend)) {
            run.assertWorks();
            run.backend().fail(Fault.HANGS);
            ManyThreads.run(kind, 1, Duration.ZERO, () -> run.assertOutage(Fault.HANGS, input, valid));
            run.backend().work();
            run.assertRecovers(Fault.HANGS);
        }
    }

    /** Paths and queries end in the logs of every machine on the way. */
    @TestFactory
    default Stream<DynamicTest> backend_isSentNoSecretInAPath() throws Exception {
        return trial().fixture().backend().stream()
                .map(backend -> dynamicTest("path and query", () -> {
                    try (BackendTrial run = new BackendTrial(trial(), backend)) {
                        run.assertWorks();
                        Printed printed = new Printed();
                        for (String path : run.backend().paths()) {
                            printed.add(
                                    path,
                                    URI.create(path).getPath(),
                                    URI.create(path).getQuery());
                        }
                        assertFalse(run.backend().paths().isEmpty(), "the plugin of backend() did not ask its backend");
                        printed.assertWithout(trial().fixture().secretTexts(), "in the path of a request");
                    }
                }));
    }

    @TestFactory
    default Stream<DynamicTest> closedPlugin_doesNotAskItsBackend() throws Exception {
        return trial().fixture().backend().stream()
                .map(backend -> dynamicTest("closed", () -> {
                    try (BackendTrial run = new BackendTrial(trial(), backend)) {
                        run.assertWorks();
                        AuthPlugin plugin = run.plugin();
                        Trial.close(plugin);
                        int asked = run.backend().paths().size();
                        Printed.thrownBy(() -> Trial.answer(
                                plugin,
                                "valid credentials after close",
                                trial().fixture().validCredentials()));
                        assertEquals(asked, run.backend().paths().size(), "requests after close()");
                    }
                }));
    }
}
