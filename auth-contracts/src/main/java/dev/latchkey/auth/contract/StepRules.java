package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rules about the logins that need a step, and about the content of a challenge. */
interface StepRules extends Rules<LoginStep> {

    private LoginStepContract fixture() {
        return (LoginStepContract) trial().fixture();
    }

    @Test
    default void challenge_isForThisLogin_byTheSameMethodEachTime() throws Exception {
        LoginStep step = trial().open();
        Set<String> methods = new TreeSet<>();
        for (Authenticated login :
                List.of(fixture().login(), fixture().otherLogin(), fixture().login())) {
            String input = "the login of " + login.subject().id();
            Challenged challenge = Calls.answer(input, () -> fixture().challenge(step, login));
            assertEquals(login.subject(), challenge.soFar().subject(), "challenged another subject, for " + input);
            methods.add(challenge.method());
        }
        assertEquals(1, methods.size(), () -> "one step, and several methods: " + methods);
    }

    /** The client sees every parameter. */
    @Test
    default void challenge_showsNeitherTheResponseNorTheState() throws Exception {
        LoginStep step = trial().open();
        Challenged challenge = Calls.answer(
                "login()", () -> fixture().challenge(step, fixture().login()));
        Map<String, Secret> response = new HashMap<>(fixture().rightResponse(challenge));
        response.keySet().removeAll(fixture().publicFields());
        fixture().seen(response);
        challenge.state().ifPresent(fixture()::seen);
        Printed printed = new Printed();
        printed.add(challenge.parameters(), challenge);
        printed.assertWithout(fixture().secrets(), "in the parameters of a challenge");
    }

    @Test
    default void wanted_takesAnyLogin() throws Exception {
        LoginStep step = trial().open();
        for (Map.Entry<String, Authenticated> login :
                Logins.unusual(fixture().login()).entrySet()) {
            String input = "wanted, for " + login.getKey();
            Optional<Challenged> wanted =
                    Calls.answer(input, () -> step.wanted(login.getValue(), RequestContext.none()));
            wanted.ifPresent(challenge -> assertEquals(
                    login.getValue().subject(),
                    challenge.soFar().subject(),
                    "challenged another subject, for " + input));
        }
    }

    @TestFactory
    default Stream<DynamicTest> loginWithoutStep_isNotAsked() throws Exception {
        return fixture().loginWithoutStep().stream()
                .map(login -> dynamicTest("not enrolled", () -> {
                    LoginStep step = trial().open();
                    String id = login.subject().id();
                    assertEquals(Optional.empty(), wanted(step, login), "wanted a step of a login that has none");
                    assertEquals(
                            Optional.empty(),
                            wanted(step, login.decidedBy("another-source")),
                            () -> "wanted a step of " + id + " after a login of another source");
                }));
    }

    /**
     * An account of another source has another id. The enrolment of an account with an equal name does not count for
     * this account.
     */
    @Test
    default void subjectOfAnotherSource_isAnotherAccount() throws Exception {
        Authenticated login = fixture().login();
        for (String id : List.of(
                "another-source:" + login.subject().id(), login.subject().id() + "x")) {
            LoginStep step = trial().open();
            Authenticated other = login.withSubject(login.subject().withId(id));
            Optional<Challenged> wanted = wanted(step, other);
            if (wanted.isPresent()) {
                Challenged own = Calls.answer("login()", () -> fixture().challenged(step, login));
                Challenged theirs =
                        Calls.answer("the login of " + id, () -> fixture().challenged(step, other));
                Object answer = Calls.answer(
                        "the response of " + login.subject().id() + " for " + id,
                        () -> fixture().answered(step, theirs, fixture().rightResponse(own)));
                assertFalse(
                        answer instanceof Passed,
                        () -> "took the response of " + login.subject().id() + " for the subject " + id);
            }
        }
    }

    /**
     * With several sources of accounts, a chain prefixes the ids of a source with the name of the source. The subjects
     * of the source's own challenges then have this prefix too.
     */
    @Test
    default void ownStepOfASource_isPassed_whereIdsHaveThePrefixOfTheSource() throws Exception {
        LoginStep step = trial().open();
        Authenticated login = fixture().login();
        if (!(step instanceof LoginSource<?>) || wanted(step, login).isPresent()) {
            return;
        }
        Challenged own = Calls.answer("login()", () -> fixture().challenge(step, login));
        String id = step.name() + ":" + login.subject().id();
        Challenged named = fixture()
                .challenged(step, own, login.withSubject(login.subject().withId(id)));
        String input = "the right response of the subject " + id;
        assertInstanceOf(
                Passed.class,
                Calls.answer(
                        input,
                        () -> fixture().answered(step, named, login, fixture().rightResponse(own))),
                input);
    }

    private static Optional<Challenged> wanted(LoginStep step, Authenticated login) throws Exception {
        return Calls.answer("wanted, for " + login.subject().id(), () -> step.wanted(login, RequestContext.none()));
    }

    /** Otherwise a login would need no step while the plugin's store is down, or after the plugin is closed. */
    @TestFactory
    default Stream<DynamicTest> loginIsNotComplete_withoutTheStep() throws Exception {
        LoginStep asking = trial().open();
        boolean isWantedHere = wanted(asking, fixture().login()).isPresent();
        if (!isWantedHere) {
            return Stream.empty(); // a login source that challenges by itself
        }
        Map<String, LoginStep> plugins = new LinkedHashMap<>();
        LoginStep closed = trial().open();
        Trial.close(closed);
        plugins.put("after close()", closed);
        fixture().newPluginInOutage().ifPresent(down -> plugins.put("store down", trial().closingLater(down)));
        return plugins.entrySet().stream()
                .map(plugin -> dynamicTest(plugin.getKey(), () -> {
                    Object answer = Calls.answerOrOutage(
                            "wanted, " + plugin.getKey(),
                            () -> plugin.getValue().wanted(fixture().login(), RequestContext.none()));
                    if (answer instanceof Optional<?> wanted) {
                        assertTrue(
                                wanted.isPresent(), () -> "let a login through without the step, " + plugin.getKey());
                    }
                }));
    }

    @Test
    default void passedStep_endsInTheFuture_andFitsIntoTheLogin() throws Exception {
        LoginStep step = trial().open();
        Challenged challenge = Calls.answer(
                "login()", () -> fixture().challenged(step, fixture().login()));
        Passed passed = assertInstanceOf(
                Passed.class,
                Calls.answer(
                        LoginStepContract.RIGHT,
                        () -> fixture().answered(step, challenge, fixture().rightResponse(challenge))));
        assertTrue(
                passed.validUntil().isAfter(fixture().clock().instant()),
                () -> "already over: passed until " + passed.validUntil());
        for (String authority : passed.authorities()) {
            assertFalse(authority.isBlank(), "an authority is blank");
        }
        Authenticated login = challenge.soFar();
        try {
            login.factors()
                    .and(Set.of(challenge.method()), passed.validUntil())
                    .and(passed.factors(), passed.validUntil());
        } catch (IllegalArgumentException e) {
            fail("gives a login more factors than a login may have", e);
        }
    }
}
