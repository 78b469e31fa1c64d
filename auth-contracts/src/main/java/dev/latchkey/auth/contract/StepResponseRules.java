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
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
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

    /** Each damaged response is right for its own challenge, apart from the damage. */
    @Test
    default void responseThatIsDamaged_isRefused() throws Exception {
        Map<String, Secret> first = fixture().rightResponse(challenge(trial().open()));
        for (String field : first.keySet()) {
            assertTrue(first.get(field).length() > 0, () -> "rightResponse() has an empty field " + field);
        }
        for (Map.Entry<String, UnaryOperator<Map<String, Secret>>> damage :
                damages(first.keySet()).entrySet()) {
            LoginStep step = trial().open();
            Challenged challenge = challenge(step);
            Map<String, Secret> right = fixture().rightResponse(challenge);
            assertRefused(step, damage.getKey(), challenge, damage.getValue().apply(right));
        }
    }

    private static Map<String, UnaryOperator<Map<String, Secret>>> damages(Set<String> fields) {
        Map<String, UnaryOperator<Map<String, Secret>>> all = new LinkedHashMap<>();
        all.put("a response without fields", right -> Map.of());
        all.put(
                "a response in a field of another name",
                right -> Map.of("kit", right.values().iterator().next()));
        for (String field : fields) {
            all.put("a response without the field " + field, right -> {
                Map<String, Secret> without = new LinkedHashMap<>(right);
                without.remove(field);
                return without;
            });
            for (String text : Hostile.TEXTS) {
                all.put("the field " + field + " with " + Hostile.shown(text), right -> with(right, field, text));
            }
        }
        return all;
    }

    private static Map<String, Secret> with(Map<String, Secret> right, String field, String text) {
        Map<String, Secret> fields = new LinkedHashMap<>(right);
        fields.put(field, Secret.of(text));
        return fields;
    }

    @Test
    default void responseThatIsNearlyRight_isRefused() throws Exception {
        if (!fixture().responsesAreExact()) {
            return;
        }
        Map<String, Secret> first = fixture().rightResponse(challenge(trial().open()));
        for (String field : first.keySet()) {
            for (String way : NearlyRight.of(Variants.textOf(first.get(field))).keySet()) {
                assertRefusedIfNearlyRight(field, way);
            }
        }
    }

    /** A wrong response may void its challenge, so each has a new challenge. The right response shows that nothing is locked. */
    private void assertRefusedIfNearlyRight(String field, String way) throws Exception {
        LoginStep step = trial().open();
        Challenged challenge = challenge(step);
        Map<String, Secret> right = fixture().rightResponse(challenge);
        Secret secret = right.get(field);
        String nearly =
                secret == null ? null : NearlyRight.of(Variants.textOf(secret)).get(way);
        if (nearly == null) {
            return; // this response has no letters, for example, and the first response had some
        }
        String input = "the right " + field + " " + way;
        assertRefused(step, input, challenge, with(right, field, nearly));
        Challenged next = challenge(step);
        assertPassed(step, "the right response after " + input, next, fixture().rightResponse(next));
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
