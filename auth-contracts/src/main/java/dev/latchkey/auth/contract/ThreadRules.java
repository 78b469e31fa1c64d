package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Many callers at once, and the threads that a plugin starts itself. */
interface ThreadRules extends Rules {

    /** Long enough for two callers to meet between two statements, where a plugin answers at once. */
    Duration A_WHILE = Duration.ofMillis(200);

    @TestFactory
    default Stream<DynamicTest> manyThreads_getTheSameAnswers() {
        return ManyThreads.kinds()
                .map(kind -> dynamicTest(kind.name(), () -> {
                    AuthPlugin plugin = trial().open();
                    Credentials valid = trial().fixture().validCredentials();
                    Credentials wrong = trial().fixture().wrongCredentials();
                    Subject subject = trial().subjectOf(plugin);
                    ManyThreads.run(kind, () -> {
                        assertSubject(subject, plugin, "valid credentials on " + kind.name(), valid);
                        Trial.assertNobody(Trial.answerHere(plugin, Trial.WRONG, wrong), Trial.WRONG);
                    });
                }));
    }

    @TestFactory
    default Stream<DynamicTest> accountsOnManyThreads_areNotMixedUp() throws Exception {
        Optional<Credentials> other = trial().fixture().secondValidCredentials();
        return ManyThreads.kinds()
                .filter(kind -> other.isPresent())
                .map(kind -> dynamicTest(kind.name(), () -> {
                    AuthPlugin plugin = trial().open();
                    Credentials one = trial().fixture().validCredentials();
                    Credentials two = other.orElseThrow();
                    Subject first = trial().subjectOf(plugin);
                    Subject second = Trial.authenticated(plugin, "the second valid credentials", two)
                            .subject();
                    assertNotEquals(first.id(), second.id(), "secondValidCredentials() are of the same account");
                    ManyThreads.run(kind, 1, A_WHILE, () -> {
                        assertSubject(first, plugin, "the first account, beside the second", one);
                        assertSubject(second, plugin, "the second account, beside the first", two);
                    });
                }));
    }

    private static void assertSubject(Subject subject, AuthPlugin plugin, String input, Credentials credentials) {
        Authenticated verdict =
                assertInstanceOf(Authenticated.class, Trial.answerHere(plugin, input, credentials), input);
        assertEquals(subject, verdict.subject(), input);
    }

    @Test
    default void closedPlugin_leavesNoThread() throws Exception {
        AuthPluginContract fixture = trial().fixture();
        // What is started once for all plugins (a timer of the JDK's, say) is started by the first.
        StartedThreads.of(() -> live(fixture));
        StartedThreads.of(() -> live(fixture)).assertEnd();
    }

    /** Holds on to no plugin: the HTTP client of JDK 17 ends its thread when nobody can use it any more. */
    private static void live(AuthPluginContract fixture) throws Exception {
        AuthPlugin plugin = fixture.newPlugin();
        try {
            Trial.answerHere(plugin, Trial.VALID, fixture.validCredentials());
            Trial.answerHere(plugin, Trial.WRONG, fixture.wrongCredentials());
        } finally {
            plugin.close();
        }
    }
}
