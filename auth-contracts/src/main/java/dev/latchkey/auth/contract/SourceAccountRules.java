package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.text.Normalizer;
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

/** Unknown accounts, and accounts with refreshable sessions. */
interface SourceAccountRules extends Rules<LoginSource<?>> {

    /** A name in other spellings. User stores ignore some of these differences. */
    private static Map<String, String> spellings(String name) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("in upper case", name.toUpperCase(Locale.ROOT));
        all.put("in lower case", name.toLowerCase(Locale.ROOT));
        all.put("with a blank at the end", name + " ");
        all.put("with a blank at the start", " " + name);
        all.put("with a soft hyphen", name + "\u00ad");
        all.put("with an accent", Normalizer.normalize(name + "\u0301", Normalizer.Form.NFC));
        all.put("with its first character in full width", wide(name));
        all.values().removeIf(name::equals);
        return all;
    }

    private static String wide(String name) {
        char first = name.isEmpty() ? ' ' : name.charAt(0);
        return first > ' ' && first < 0x7f ? (char) (first + '\uff01' - '!') + name.substring(1) : name;
    }

    private LoginSourceContract fixture() {
        return (LoginSourceContract) trial().fixture();
    }

    @TestFactory
    default Stream<DynamicTest> unknownAccount_isNeverAuthenticated() throws Exception {
        return fixture().credentialsOfUnknownAccount().stream()
                .map(unknown -> dynamicTest("unknown account", () -> assertNobody(trial().open(), unknown)));
    }

    private static void assertNobody(LoginSource<?> source, Credentials unknown) throws Exception {
        Decision decision = Calls.answer("an unknown account", () -> LoginSourceContract.decide(source, unknown));
        assertFalse(
                LoginSourceContract.letsIn(decision),
                () -> "must authenticate nobody, but answered " + Hostile.shown(decision) + " for an unknown account");
    }

    @Test
    default void unrecognized_takesAnyCredentials_andChangesNothing() throws Exception {
        LoginSource<?> source = trial().open();
        List<Credentials> presented = new ArrayList<>(List.of(fixture().wrongCredentials()));
        fixture().credentialsOfUnknownAccount().ifPresent(presented::add);
        for (String text : Hostile.TEXTS) {
            Hostile.unlessRefused(() -> fixture().credentialsWith(text)).ifPresent(presented::add);
            if (source.kind() == PasswordCredentials.class) {
                presented.add(new PasswordCredentials(text, Secret.of(text)));
            }
        }
        for (Credentials credentials : presented) {
            Calls.answer("unrecognized, " + Hostile.shown(credentials), () -> {
                unrecognized(source, credentials);
                return true;
            });
        }
        assertNobody(
                source, fixture().credentialsOfUnknownAccount().orElse(fixture().wrongCredentials()));
        Decision valid = Calls.answer(
                LoginSourceContract.VALID,
                () -> LoginSourceContract.decide(source, fixture().validCredentials()));
        LoginSourceContract.login(source, "valid credentials after unrecognized ones", valid);
    }

    private static <C extends Credentials> void unrecognized(LoginSource<C> source, Credentials credentials) {
        source.unrecognized(source.kind().cast(credentials));
    }

    @TestFactory
    default Stream<DynamicTest> unknownAccount_takesTheTimeOfAWrongPassword() throws Exception {
        return fixture().credentialsOfUnknownAccount().stream()
                .map(unknown -> dynamicTest(
                        "unknown account",
                        () -> new AnswerTimes(
                                        "an unknown account",
                                        unknown,
                                        LoginSourceContract.WRONG,
                                        fixture().wrongCredentials())
                                .assertAlike(() -> trial().open())));
    }

    @Test
    default void stamp_isThatOfTheAccount() throws Exception {
        LoginSource<?> source = trial().open();
        Authenticated login = loginOf(source, fixture().validCredentials());
        String id = login.subject().id();
        Secret stamp = login.stamp();
        Optional<Verdict> account = account(source, id);
        if (stamp == null) {
            assertEquals(Optional.empty(), account, "an account, and no stamp: its sessions are never refreshed");
        } else {
            assertTrue(account.isPresent(), "a stamp, and no account of the subject's id");
            Authenticated state = assertInstanceOf(
                    Authenticated.class, account.get(), "the account that just logged in may not log in");
            Secret ofAccount = state.stamp();
            assertTrue(ofAccount != null && ofAccount.matches(stamp), "the account has another stamp than its login");
            assertEquals(id, state.subject().id(), "the account is another one");
        }
        assertEquals(Optional.empty(), account(source, Trial.NOBODY), "an account that nobody has");
        for (String text : Hostile.TEXTS) {
            if (Subject.isId(text) || text.isEmpty()) {
                assertEquals(Optional.empty(), account(source, text), () -> "the account " + Hostile.shown(text));
            }
        }
    }

    /** Codes, passkeys, keys and revocations belong to the exact id. */
    @Test
    default void account_hasOneId_forAllSpellingsOfItsName() throws Exception {
        LoginSource<?> source = trial().open();
        Credentials valid = fixture().validCredentials();
        String id = loginOf(source, valid).subject().id();
        for (Map.Entry<String, String> other : spellings(id).entrySet()) {
            account(source, other.getValue())
                    .filter(Authenticated.class::isInstance)
                    .ifPresent(found -> assertOneId(
                            id, ((Authenticated) found).subject(), "account(), asked for an id " + other.getKey()));
        }
        String name = valid.account().orElse("");
        if (name.isEmpty() || fixture().isRightOnce() || letsIn(source, valid, name + " of nobody")) {
            // In a source that admits any name, each name is an account.
            return;
        }
        for (Map.Entry<String, String> other : spellings(name).entrySet()) {
            Optional<Credentials> respelled = renamed(valid, name, other.getValue());
            if (respelled.isPresent()) {
                String input = "the name of valid credentials " + other.getKey();
                Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, respelled.get()));
                if (LoginSourceContract.letsIn(decision)) {
                    assertOneId(
                            id,
                            LoginSourceContract.login(source, input, decision).subject(),
                            input);
                }
            }
        }
    }

    private static void assertOneId(String id, Subject found, String input) {
        assertEquals(id, found.id(), "another id for " + input + ". Answer with the stored name for all spellings");
    }

    private static boolean letsIn(LoginSource<?> source, Credentials valid, String name) throws Exception {
        Optional<Credentials> other = renamed(valid, valid.account().orElse(""), name);
        return other.isPresent()
                && LoginSourceContract.letsIn(
                        Calls.answer("another name", () -> LoginSourceContract.decide(source, other.get())));
    }

    private static Optional<Credentials> renamed(Credentials valid, String name, String other) throws Exception {
        return Hostile.unlessRefused(() -> Variants.withNames(valid, text -> text.equals(name) ? other : text));
    }

    /** An outage must neither end nor refresh a session. A closed source refreshes no session. */
    @Test
    default void account_isAnOutageWithoutTheStore_andNobodyAfterClose() throws Exception {
        LoginSource<?> source = trial().open();
        Authenticated login = loginOf(source, fixture().validCredentials());
        if (login.stamp() == null) {
            return;
        }
        String id = login.subject().id();
        Optional<? extends LoginSource<?>> down = fixture().newPluginInOutage();
        if (down.isPresent()) {
            LoginSource<?> plugin = trial().closingLater(down.get());
            String input = "the account of " + Hostile.shown(id) + ", store down";
            assertInstanceOf(
                    AuthUnavailableException.class, Calls.answerOrOutage(input, () -> plugin.account(id)), input);
        }
        Trial.close(source);
        Object closed = Calls.answerOrOutage("the account after close()", () -> source.account(id));
        assertFalse(
                closed instanceof Optional<?> account
                        && account.filter(Authenticated.class::isInstance).isPresent(),
                "a closed source has an account that may log in");
    }

    @TestFactory
    default Stream<DynamicTest> accounts_areNotMixedUp_byManyThreads() throws Exception {
        LoginSource<?> source = trial().open();
        Authenticated login = loginOf(source, fixture().validCredentials());
        Optional<Credentials> second = fixture().secondValidCredentials();
        if (login.stamp() == null || second.isEmpty()) {
            return Stream.empty();
        }
        List<String> ids = List.of(
                login.subject().id(), loginOf(source, second.get()).subject().id());
        AtomicInteger asked = new AtomicInteger();
        return ManyThreads.kinds()
                .map(kind -> dynamicTest(
                        kind.name(),
                        () -> ManyThreads.run(kind, () -> {
                            String id = ids.get(asked.getAndIncrement() % 2);
                            String input = "the account of " + Hostile.shown(id) + " on " + kind.name();
                            Optional<Verdict> account = Calls.answerHere(input, () -> source.account(id));
                            Optional<String> found = account.map(state -> state instanceof Authenticated present
                                    ? present.subject().id()
                                    : "rejected");
                            assertEquals(Optional.of(id), found, input);
                        })));
    }

    @Test
    default void stampOfAnAccount_isNeverPrinted() throws Exception {
        Printed printed = new Printed();
        printed.listenWhile(() -> {
            LoginSource<?> source = trial().open();
            Authenticated login = loginOf(source, fixture().validCredentials());
            Secret stamp = login.stamp();
            if (stamp != null) {
                fixture().seen(stamp);
                printed.add(source, login, account(source, login.subject().id()));
            }
        });
        printed.assertWithout(fixture().secrets(), "with the account of a subject");
    }

    private static Authenticated loginOf(LoginSource<?> source, Credentials credentials) throws Exception {
        Decision decision =
                Calls.answer(LoginSourceContract.VALID, () -> LoginSourceContract.decide(source, credentials));
        return LoginSourceContract.login(source, LoginSourceContract.VALID, decision);
    }

    private static Optional<Verdict> account(LoginSource<?> source, String id) throws Exception {
        return Calls.answer("the account of " + Hostile.shown(id), () -> source.account(id));
    }
}
