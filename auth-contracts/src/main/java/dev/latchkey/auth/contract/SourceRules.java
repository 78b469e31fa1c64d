package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Accepted and rejected credentials. */
interface SourceRules extends Rules<LoginSource<?>> {

    private LoginSourceContract fixture() {
        return (LoginSourceContract) trial().fixture();
    }

    /** The login of these credentials. */
    private Authenticated login(LoginSource<?> source, String input, Credentials credentials) throws Exception {
        Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, credentials));
        return LoginSourceContract.login(source, input, decision);
    }

    private void assertNobody(LoginSource<?> source, String input, Credentials credentials) throws Exception {
        Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, credentials));
        assertFalse(
                LoginSourceContract.letsIn(decision),
                () -> "must authenticate nobody, but answered " + Hostile.shown(decision) + " for " + input);
    }

    @Test
    default void kind_isThatOfTheCredentials_andConstant() throws Exception {
        LoginSource<?> source = trial().open();
        Class<?> kind = Calls.answer("kind()", source::kind);
        for (Credentials credentials :
                List.of(fixture().validCredentials(), fixture().wrongCredentials())) {
            assertTrue(
                    kind.isInstance(credentials),
                    () -> "kind() is " + kind + ", and the credentials are "
                            + credentials.getClass().getName());
        }
        assertEquals(kind, source.kind(), "kind(), the second time");
    }

    @Test
    default void reusableFor_isPositive_andAtMostFifteenMinutes() throws Exception {
        LoginSource<?> source = trial().open();
        Optional<Duration> time = Calls.answer("reusableFor()", source::reusableFor);
        time.ifPresent(longest -> assertTrue(
                longest.compareTo(Duration.ZERO) > 0 && longest.compareTo(Duration.ofMinutes(15)) <= 0,
                () -> "reusableFor() is " + longest));
        assertEquals(time, source.reusableFor(), "reusableFor(), the second time");
    }

    @Test
    default void validCredentials_areTheSameSubjectEachTime() throws Exception {
        LoginSource<?> source = trial().open();
        Subject first = login(source, LoginSourceContract.VALID, fixture().validCredentials())
                .subject();
        assertEquals(
                first,
                login(source, "valid credentials, the second time", fixture().validCredentials())
                        .subject());
        assertEquals(
                first,
                login(
                                trial().open(),
                                "valid credentials, by another instance",
                                fixture().validCredentials())
                        .subject());
    }

    @Test
    default void login_endsInTheFuture_andExpiredCredentialsAreRefused() throws Exception {
        LoginSource<?> source = trial().open();
        Instant end = login(source, LoginSourceContract.VALID, fixture().validCredentials())
                .validUntil();
        assertTrue(end.isAfter(fixture().clock().instant()), () -> "already over: valid until " + end);
        Optional<Credentials> expired = fixture().expiredCredentials();
        if (expired.isPresent()) {
            assertNobody(source, "credentials that have expired", expired.get());
        } else {
            assertEquals(
                    Instant.MAX,
                    end,
                    "the login of valid credentials has an end: override expiredCredentials(), so that the kit can try some");
        }
    }

    @TestFactory
    default Stream<DynamicTest> credentialsThatAreRightOnce_areRefusedTheSecondTime() {
        return fixture().isRightOnce()
                ? Stream.of(
                        dynamicTest("one after the other", this::assertRightOnce),
                        dynamicTest("at once", this::assertRightOnceAtOnce))
                : Stream.empty();
    }

    private void assertRightOnce() throws Exception {
        LoginSource<?> source = trial().open();
        Credentials once = fixture().validCredentials();
        login(source, LoginSourceContract.VALID, once);
        assertNobody(source, "valid credentials that were used", once);
        assertNobody(trial().open(), "valid credentials that were used, at another instance", once);
    }

    private void assertRightOnceAtOnce() throws Exception {
        LoginSource<?> one = trial().open();
        LoginSource<?> other = trial().open();
        Credentials once = fixture().validCredentials();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger logins = new AtomicInteger();
        try {
            ManyThreads.run(ManyThreads.kinds().findFirst().orElseThrow(), 1, Duration.ZERO, () -> {
                LoginSource<?> source = asked.getAndIncrement() % 2 == 0 ? one : other;
                if (LoginSourceContract.letsIn(
                        Calls.answerHere("one-time credentials", () -> LoginSourceContract.decide(source, once)))) {
                    logins.incrementAndGet();
                }
            });
        } catch (Throwable e) {
            throw TimeLimit.rethrown(e);
        }
        assertEquals(1, logins.get(), "logins by the same one-time credentials, shown at once at two instances");
    }

    @Test
    default void hostileCredentials_areAnsweredWithAValue() throws Exception {
        LoginSource<?> source = trial().open();
        for (String text : Hostile.TEXTS) {
            for (Map.Entry<String, Credentials> input : hostile(text).entrySet()) {
                assertNobody(source, input.getKey() + " " + Hostile.shown(text), input.getValue());
            }
        }
        if (source.kind() == PasswordCredentials.class) {
            Credentials surrogate = new PasswordCredentials(Hostile.LONE_SURROGATE, Secret.of(""));
            assertNobody(source, "a name with a lone surrogate", surrogate);
        }
        login(source, "valid credentials after hostile ones", fixture().validCredentials());
    }

    private Map<String, Credentials> hostile(String text) throws Exception {
        Map<String, Credentials> inputs = new LinkedHashMap<>();
        Credentials wrong = fixture().wrongCredentials();
        Hostile.unlessRefused(() -> fixture().credentialsWith(text)).ifPresent(own -> inputs.put("the secret", own));
        Hostile.unlessRefused(() -> Variants.withNames(wrong, name -> text))
                .ifPresent(own -> inputs.put("the name", own));
        if (wrong instanceof PasswordCredentials) {
            inputs.put("the name and the password", new PasswordCredentials(text, Secret.of(text)));
        }
        return inputs;
    }

    @Test
    default void accountsOnManyThreads_areNotMixedUp() throws Exception {
        Optional<Credentials> other = fixture().secondValidCredentials();
        if (other.isEmpty() || fixture().isRightOnce()) {
            return;
        }
        LoginSource<?> source = trial().open();
        Credentials one = fixture().validCredentials();
        Credentials two = other.get();
        Subject first = login(source, LoginSourceContract.VALID, one).subject();
        Subject second = login(source, "the second valid credentials", two).subject();
        assertNotEquals(first.id(), second.id(), "secondValidCredentials() are of the same account");
        for (ManyThreads.Kind kind : ManyThreads.kinds().toList()) {
            try {
                ManyThreads.run(kind, 1, Duration.ofMillis(200), () -> {
                    assertSubject(first, source, "the first account, beside the second", one);
                    assertSubject(second, source, "the second account, beside the first", two);
                });
            } catch (Throwable e) {
                throw TimeLimit.rethrown(e);
            }
        }
    }

    private static void assertSubject(Subject subject, LoginSource<?> source, String input, Credentials credentials) {
        Decision decision = Calls.answerHere(input, () -> LoginSourceContract.decide(source, credentials));
        assertEquals(subject, LoginSourceContract.login(source, input, decision).subject(), input);
    }

    /** In Turkey the lower case of I has no dot, so {@code toLowerCase()} without a locale finds other accounts there. */
    @Test
    default void decisions_doNotDependOnTheDefaultLocale() throws Exception {
        List<Credentials> inputs = new ArrayList<>(List.of(fixture().validCredentials()));
        fixture().secondValidCredentials().ifPresent(inputs::add);
        fixture().credentialsWithLongSecret().ifPresent(inputs::add);
        boolean foldsCase = false;
        boolean hasAnI = false;
        for (Credentials credentials : fixture().isRightOnce() ? List.<Credentials>of() : inputs) {
            for (Map.Entry<String, Credentials> input :
                    Locales.spellings(credentials).entrySet()) {
                LoginSource<?> source = trial().open();
                Decision usual =
                        Calls.answer(input.getKey(), () -> LoginSourceContract.decide(source, input.getValue()));
                LoginSource<?> another = trial().open();
                Decision turkish = Locales.inTurkey(() ->
                        Calls.answer(input.getKey(), () -> LoginSourceContract.decide(another, input.getValue())));
                if (!Locales.shown(usual).equals(Locales.shown(turkish))) {
                    fail("answered " + Locales.shown(usual) + ", and in the default locale tr-TR "
                            + Locales.shown(turkish) + ", for " + input.getKey());
                }
                boolean isRespelled = !input.getValue().account().equals(credentials.account());
                foldsCase |= isRespelled && LoginSourceContract.letsIn(usual);
                hasAnI |= credentials
                        .account()
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .contains("i");
            }
        }
        assertTrue(
                !foldsCase || hasAnI,
                "names count in any case: give one account of the fixture a name with the letter i, so that the kit can try it in Turkey");
    }
}
