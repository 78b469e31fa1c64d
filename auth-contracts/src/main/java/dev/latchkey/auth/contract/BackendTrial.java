package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RequestContext;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A plugin and the backend that it asks, for one test. */
final class BackendTrial implements Closeable {

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    private final Trial trial;
    private final HttpBackend settings;
    private final FaultyBackend backend;
    private final AuthPlugin plugin;

    BackendTrial(Trial trial, HttpBackend settings) throws Exception {
        this.trial = trial;
        this.settings = settings;
        this.backend = new FaultyBackend(settings.answers());
        this.plugin = trial.closingLater(settings.plugin().at(backend.uri()));
    }

    FaultyBackend backend() {
        return backend;
    }

    AuthPlugin plugin() {
        return plugin;
    }

    /** Else nothing that follows would mean anything; a first answer may come late on a machine that does other things. */
    void assertWorks() throws Exception {
        String valid = "valid credentials, the backend works";
        String wrong = "wrong credentials, the backend works";
        assertInstanceOf(
                Authenticated.class, firstDecision(valid, trial.fixture().validCredentials()), valid);
        Trial.assertNobody(firstDecision(wrong, trial.fixture().wrongCredentials()), wrong);
    }

    /** The exception with which the plugin says so. */
    AuthUnavailableException assertOutage(Fault fault, String credentialsName, Credentials credentials) {
        String input = credentialsName + ", while the backend " + fault;
        try {
            return fail("must be an outage, but answered " + ask(input, credentials) + " for " + input);
        } catch (AuthUnavailableException e) {
            assertNotEquals(
                    AuthUnavailableException.Kind.THROTTLED,
                    e.kind(),
                    () -> "blames the caller for an outage, for " + input);
            return e;
        } catch (Exception e) {
            return fail(
                    "must be an AuthUnavailableException, but threw "
                            + e.getClass().getName() + " for " + input,
                    e);
        }
    }

    /** In the end both answers are right again, and none is a wrong one before. */
    void assertRecovers(Fault fault) throws Exception {
        String after = ", the backend works again; before, it " + fault;
        Decision valid = firstDecision(Trial.VALID + after, trial.fixture().validCredentials());
        assertInstanceOf(Authenticated.class, valid, Trial.VALID + after);
        String wrong = Trial.WRONG + after;
        Trial.assertNobody(firstDecision(wrong, trial.fixture().wrongCredentials()), wrong);
        Decision again = firstDecision(Trial.VALID + after, trial.fixture().validCredentials());
        assertEquals(valid, again, Trial.VALID + after);
    }

    private Decision firstDecision(String input, Credentials credentials) throws Exception {
        long end =
                System.nanoTime() + settings.recovery().plus(settings.grace()).toNanos();
        while (true) {
            try {
                return ask(input, credentials);
            } catch (AuthUnavailableException e) {
                if (System.nanoTime() > end) {
                    return fail("still an outage: " + input, e);
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    private Decision ask(String input, Credentials credentials) throws Exception {
        return TimeLimit.call(
                settings.longestAnswer(),
                "authenticate for " + input,
                () -> plugin.authenticate(credentials, RequestContext.none()));
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
