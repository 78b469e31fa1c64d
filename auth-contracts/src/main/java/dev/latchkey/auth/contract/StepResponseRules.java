package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Which response passes a step. */
interface StepResponseRules extends Rules<LoginStep> {

    private LoginStepContract fixture() {
        return (LoginStepContract) trial().fixture();
    }

    /** Fails if the response passes. A plugin may also refuse after too many wrong responses. */
    private void assertRefused(LoginStep step, String input, Challenged challenge, Map<String, Secret> fields)
            throws Exception {
        Object answer = Calls.answerOrOutage(
                input, () -> step.answer(new ChallengeResponse(challenge, fields), RequestContext.none()));
        assertFalse(answer instanceof Passed, () -> "passed the step, for " + input);
        if (answer instanceof AuthUnavailableException e && e.kind() == AuthUnavailableException.Kind.OUTAGE) {
            fail("an outage where a rejection is right, for " + input, e);
        }
    }

    private void assertPassed(LoginStep step, String input, Challenged challenge, Map<String, Secret> fields)
            throws Exception {
        assertInstanceOf(Passed.class, Calls.answer(input, () -> fixture().answered(step, challenge, fields)), input);
    }

    private Challenged challenge(LoginStep step) throws Exception {
        return Calls.answer(
                "login()", () -> fixture().challenged(step, fixture().login()));
    }

    private Challenged otherChallenge(LoginStep step) throws Exception {
        return Calls.answer(
                "otherLogin()", () -> fixture().challenged(step, fixture().otherLogin()));
    }

    @Test
    default void responseThatIsDamaged_isRefused() throws Exception {
        Map<String, Secret> right = fixture().rightResponse(challenge(trial().open()));
        for (String field : right.keySet()) {
            assertTrue(right.get(field).length() > 0, () -> "rightResponse() has an empty field " + field);
        }
        for (Map.Entry<String, Map<String, Secret>> damaged : damaged(right).entrySet()) {
            LoginStep step = trial().open();
            assertRefused(step, damaged.getKey(), challenge(step), damaged.getValue());
        }
    }

    private static Map<String, Map<String, Secret>> damaged(Map<String, Secret> right) {
        Map<String, Map<String, Secret>> all = new LinkedHashMap<>();
        all.put("a response without fields", Map.of());
        all.put(
                "a response in a field of another name",
                Map.of("kit", right.values().iterator().next()));
        for (String field : right.keySet()) {
            Map<String, Secret> without = new LinkedHashMap<>(right);
            without.remove(field);
            all.put("a response without the field " + field, without);
            for (String text : Hostile.TEXTS) {
                Map<String, Secret> hostile = new LinkedHashMap<>(right);
                hostile.put(field, Secret.of(text));
                all.put("the field " + field + " with " + Hostile.shown(text), hostile);
            }
        }
        return all;
    }

    @Test
    default void responseThatIsNearlyRight_isRefused() throws Exception {
        if (!fixture().responsesAreExact()) {
            return;
        }
        LoginStep first = trial().open();
        Challenged challenge = challenge(first);
        Map<String, Secret> right = fixture().rightResponse(challenge);
        for (String field : right.keySet()) {
            String text = Variants.textOf(right.get(field));
            for (Map.Entry<String, String> nearly : NearlyRight.of(text).entrySet()) {
                Map<String, Secret> fields = new LinkedHashMap<>(right);
                fields.put(field, Secret.of(nearly.getValue()));
                assertRefused(first, "the right " + field + " " + nearly.getKey(), challenge, fields);
            }
        }
    }

    @Test
    default void responseOfAnotherAccount_isRefused() throws Exception {
        LoginStep step = trial().open();
        Challenged own = challenge(step);
        Challenged other = otherChallenge(step);
        Map<String, Secret> right = fixture().rightResponse(own);
        assertRefused(step, "the right response to another login's challenge", other, right);
        LoginStep again = trial().open();
        Challenged next = otherChallenge(again);
        assertRefused(
                again,
                "the response of another account",
                challenge(again),
                fixture().rightResponse(next));
    }

    /** What a plugin keeps of a challenge in a field is another login's by the time of the response. */
    @Test
    default void challengesOfTwoLogins_areNotMixedUp() throws Exception {
        LoginStep step = trial().open();
        Challenged own = challenge(step);
        Challenged other = otherChallenge(step);
        assertPassed(
                step,
                "the right response, after another login was challenged",
                own,
                fixture().rightResponse(own));
        assertPassed(
                step, "the right response of the other login", other, fixture().rightResponse(other));
    }

    @Test
    default void rightResponse_isRight_afterAWrongOne() throws Exception {
        LoginStep step = trial().open();
        Challenged wrong = challenge(step);
        assertRefused(step, LoginStepContract.WRONG, wrong, fixture().wrongResponse(wrong));
        Challenged challenge = challenge(step);
        assertPassed(
                step,
                "the right response after a wrong one",
                challenge,
                fixture().rightResponse(challenge));
    }

    @TestFactory
    default Stream<DynamicTest> responseThatIsRightOnce_isRefusedInAnotherLogin() {
        return fixture().isRightOnce()
                ? Stream.of(
                        dynamicTest("one after the other", this::assertRightOnce),
                        dynamicTest("at once", this::assertRightOnceAtOnce))
                : Stream.empty();
    }

    private void assertRightOnce() throws Exception {
        LoginStep step = trial().open();
        Challenged challenge = challenge(step);
        Map<String, Secret> right = fixture().rightResponse(challenge);
        assertPassed(step, LoginStepContract.RIGHT, challenge, right);
        assertRefused(step, "a response that was used, in another login", challenge(step), right);
        LoginStep node = trial().open();
        assertRefused(node, "a response that was used, at another instance", challenge(node), right);
    }

    private void assertRightOnceAtOnce() throws Exception {
        record Login(LoginStep step, Challenged challenge) {}
        LoginStep one = trial().open();
        LoginStep other = trial().open();
        Queue<Login> logins = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < ManyThreads.THREADS; i++) {
            LoginStep step = i % 2 == 0 ? one : other;
            logins.add(new Login(step, challenge(step)));
        }
        Map<String, Secret> right = fixture().rightResponse(logins.element().challenge());
        AtomicInteger passed = new AtomicInteger();
        try {
            ManyThreads.run(ManyThreads.kinds().findFirst().orElseThrow(), 1, Duration.ZERO, () -> {
                Login login = logins.remove();
                if (Calls.answerOrOutageHere(
                                "one response to many challenges",
                                () -> fixture().answered(login.step(), login.challenge(), right))
                        instanceof Passed) {
                    passed.incrementAndGet();
                }
            });
        } catch (Throwable e) {
            throw TimeLimit.rethrown(e);
        }
        assertTrue(
                passed.get() <= 1,
                () -> passed.get() + " logins were passed by one response, shown at once at two instances");
    }
}
