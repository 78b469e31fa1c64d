package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link LoginStore}, as tests: extend this class, supply the store, and run the tests.
 *
 * <p>Each test gets an empty store, with one or two nodes. The clocks of the nodes may differ by five seconds. A store in memory
 * has a single node with the clock of the first call. Times are compared to the millisecond. Needs only JUnit Jupiter.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LoginStoreContract {

    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);
    private static final String ADA = "ada";

    /**
     * The present time, because a server may remove entries by its own clock. A time with milliseconds, because a store must keep
     * the milliseconds.
     */
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(123);

    private final MovedClock clock = new MovedClock(start);

    /**
     * A node of the store under test, with this clock; another node of the same store at the second call.
     *
     * @param clock of the node
     * @return a node
     * @throws Exception if the fixture fails
     */
    protected abstract LoginStore node(InstantSource clock) throws Exception;

    /**
     * A node of another service on the same server, with this clock. If each service has its own server, a store on another
     * server.
     *
     * @param clock of the node
     * @return a node
     * @throws Exception if the fixture fails
     */
    protected abstract LoginStore nodeOfAnotherService(InstantSource clock) throws Exception;

    /**
     * From now on the store does not answer, until {@link #repair}.
     *
     * @throws Exception if the fixture fails
     */
    protected abstract void breakDown() throws Exception;

    /**
     * The store answers again, with its previous data.
     *
     * @throws Exception if the fixture fails
     */
    protected abstract void repair() throws Exception;

    /**
     * The number of rounds of each race. Two hundred rounds find a store without atomic steps nearly always, twenty rounds only
     * sometimes. Use fewer rounds only for a further set-up of a store that has passed.
     *
     * @return 200 unless overridden
     */
    protected int rounds() {
        return 200;
    }

    private LoginStore opened(InstantSource clock) throws Exception {
        return ByTurns.of(node(clock));
    }

    private LoginStore openedOfAnotherService(InstantSource clock) throws Exception {
        return ByTurns.of(nodeOfAnotherService(clock));
    }

    @Test
    void startedLogin_isFoundAsItWas_andNoOtherIs() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        assertEquals(Optional.of(login("f", "ada", "1")), store.find("f"));
        assertEquals(Optional.empty(), store.find("g"));
    }

    @Test
    void loginOfOneService_isNoneOfAnother() throws Exception {
        LoginStore store = opened(clock);
        LoginStore others = openedOfAnotherService(clock);
        store.start(login("f", "ada", "1"));
        assertEquals(Optional.empty(), others.find("f"));
        assertEquals(List.of(), others.ofOwner(ADA));
        assertFalse(others.replace("1", login("f", "ada", "2")), "a token is good at its own service alone");
        assertFalse(others.end("f"), "a login is ended by its own service alone");
        assertEquals(Optional.of(login("f", "ada", "1")), store.find("f"));
        for (int i = 0; i <= LoginStore.MOST_OF_OWNER; i++) {
            others.start(login("g" + i, "ada", "1"));
        }
        assertEquals(
                List.of(login("f", "ada", "1")), store.ofOwner(ADA), "logins of one service push out none of another");
        others.start(login("f", "ada", "9"));
        assertTrue(others.end("f"));
        assertEquals(Optional.of(login("f", "ada", "1")), store.find("f"));
    }

    @Test
    void device_isKept_alsoWhereHalfOfItIsKnown() throws Exception {
        LoginStore store = opened(clock);
        List<StoredLogin.Device> devices = List.of(
                new StoredLogin.Device("Ada's \"phone\" \uD83D\uDCF1", "2001:db8::7"),
                new StoredLogin.Device("phone", null),
                new StoredLogin.Device(null, "192.0.2.7"),
                new StoredLogin.Device(
                        "n".repeat(StoredLogin.Device.LONGEST), "\u4e2d".repeat(StoredLogin.Device.LONGEST)),
                StoredLogin.Device.UNKNOWN);
        for (int i = 0; i < devices.size(); i++) {
            StoredLogin login = login("f" + i, "ada", "1").withDevice(devices.get(i));
            store.start(login);
            assertEquals(Optional.of(login), store.find("f" + i));
            StoredLogin next = login("f" + i, "ada", "2").withDevice(devices.get(i));
            assertTrue(store.replace("1", next));
            assertEquals(Optional.of(next), store.find("f" + i));
        }
    }

    @Test
    void replacement_needsTheTokenThatIsGoodNow() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        assertFalse(store.replace("2", login("f", "ada", "3")));
        assertTrue(store.replace("1", login("f", "ada", "2")));
        assertFalse(store.replace("1", login("f", "ada", "3")));
        assertEquals(Optional.of(login("f", "ada", "2")), store.find("f"));
        store.start(login("g", "ada", "Hash-of-the-token-1"));
        for (String other :
                List.of("hash-of-the-token-1", "Hash-of-the-token", "Hash-of-the-token-2", "Hash-of-the-token-12")) {
            assertFalse(
                    store.replace(other, login("g", "ada", "3")), () -> "another hash counts as the hash: " + other);
        }
        assertFalse(store.replace("1", login("unknown", "ada", "2")));
        assertEquals(Optional.empty(), store.find("unknown"), "a replacement starts no login");
    }

    @Test
    void replacement_isWrittenAsAWhole() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        StoredLogin next = new StoredLogin(
                "f",
                "users",
                "ada",
                "2",
                "another stamp",
                Set.of("pwd", "otp"),
                start,
                start.plusSeconds(600),
                start.plusSeconds(300),
                new StoredLogin.Replaced("1", "seed", start.plusMillis(1)),
                new StoredLogin.Device("another name", "192.0.2.7"));
        assertTrue(store.replace("1", next));
        assertEquals(Optional.of(next), store.find("f"));
        assertEquals(List.of(next), store.ofOwner(ADA));
        StoredLogin last = new StoredLogin(
                "f",
                "users",
                "ada",
                "3",
                "a third stamp",
                Set.of(),
                start,
                start.plusSeconds(500),
                start.plusSeconds(200),
                new StoredLogin.Replaced("2", "another seed", start.plusMillis(2)),
                StoredLogin.Device.UNKNOWN);
        assertTrue(store.replace("2", last));
        assertEquals(Optional.of(last), store.find("f"), "a second replacement, with an earlier end");
    }

    @Test
    void replacementByEightThreads_isWonByOne_andTheOthersFindWhatItWrote() throws Exception {
        LoginStore one = opened(clock);
        LoginStore other = opened(clock);
        try (Race race = new Race()) {
            for (int round = 0; round < rounds(); round++) {
                String id = "f" + round;
                one.start(login(id, "ada", "1"));
                List<String> winners = new ArrayList<>();
                List<Race.Runner> runners = new ArrayList<>();
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    LoginStore store = i % 2 == 0 ? one : other;
                    String token = "token-" + i;
                    runners.add(() -> {
                        if (store.replace("1", login(id, "ada", token))) {
                            synchronized (winners) {
                                winners.add(token);
                            }
                        }
                    });
                }
                race.run(runners);
                assertEquals(1, winners.size(), "a token is good once");
                assertEquals(winners.get(0), one.find(id).orElseThrow().tokenHash());
                assertEquals(winners.get(0), other.find(id).orElseThrow().tokenHash());
            }
        }
    }

    @Test
    void endedLogin_isGone_andEndsOnce() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        store.start(login("g", "ada", "1"));
        assertTrue(store.end("f"));
        assertFalse(store.end("f"));
        assertFalse(store.end("unknown"));
        assertEquals(Optional.empty(), store.find("f"));
        assertFalse(store.replace("1", login("f", "ada", "2")));
        assertEquals(Optional.empty(), store.find("f"), "a login that ended has begun again");
        assertTrue(store.find("g").isPresent());
    }

    @Test
    void endByEightThreads_isToldToOne() throws Exception {
        LoginStore one = opened(clock);
        LoginStore other = opened(clock);
        try (Race race = new Race()) {
            for (int round = 0; round < rounds(); round++) {
                String id = "f" + round;
                one.start(login(id, "ada", "1"));
                AtomicInteger ended = new AtomicInteger();
                List<Race.Runner> runners = new ArrayList<>();
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    LoginStore store = i % 2 == 0 ? one : other;
                    runners.add(() -> {
                        if (store.end(id)) {
                            ended.incrementAndGet();
                        }
                    });
                }
                race.run(runners);
                assertEquals(1, ended.get());
            }
        }
    }

    @Test
    void endAmidReplacements_isTheEnd() throws Exception {
        LoginStore one = opened(clock);
        LoginStore other = opened(clock);
        try (Race race = new Race()) {
            for (int round = 0; round < rounds(); round++) {
                String id = "f" + round;
                one.start(login(id, "ada", "0"));
                List<Race.Runner> runners = new ArrayList<>();
                runners.add(() -> {
                    Race.letOthersIn();
                    one.end(id);
                });
                for (int i = 1; i < Race.MOST_THREADS; i++) {
                    LoginStore store = i % 2 == 0 ? one : other;
                    String next = Integer.toString(i);
                    runners.add(() -> {
                        String present =
                                store.find(id).map(StoredLogin::tokenHash).orElse("gone");
                        store.replace(present, login(id, "ada", next));
                    });
                }
                race.run(runners);
                assertEquals(Optional.empty(), one.find(id), "a login that ended has begun again");
                assertEquals(Optional.empty(), other.find(id), "a login that ended has begun again");
            }
        }
    }

    @Test
    void loginsOfAnAccount_areTheNewestFirst_howeverTheyWereProlonged() throws Exception {
        LoginStore store = opened(clock);
        // The order is neither the order of the ids nor of the start times, which are equal.
        for (String id : List.of("m", "z", "a")) {
            store.start(login(id, "ada", "1"));
        }
        assertTrue(store.replace("1", login("m", "ada", "2")));
        assertEquals(
                List.of(login("a", "ada", "1"), login("z", "ada", "1"), login("m", "ada", "2")), store.ofOwner(ADA));
    }

    @Test
    void loginsOfAnAccount_areOfNoOther() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        store.start(login("bobs", "bob", "1"));
        store.start(login("longer", "ada2", "1"));
        assertEquals(List.of(login("f", "ada", "1")), store.ofOwner(ADA));
        assertEquals(List.of(), store.ofOwner("Ada"));
        assertEquals(List.of(), store.ofOwner("bo"));
    }

    @Test
    void loginsOfAnAccount_areOfEveryPlugin() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("f", "ada", "1"));
        StoredLogin byPasskey =
                new StoredLogin("passkey", "passkeys", "ada", "1", "", Set.of(), start, end(), end(), null);
        store.start(byPasskey);
        assertEquals(List.of(byPasskey, login("f", "ada", "1")), store.ofOwner(ADA));
    }

    @Test
    void loginThatEndedOrExpired_isNotAmongThoseOfItsAccount() throws Exception {
        LoginStore store = opened(clock);
        StoredLogin longer =
                new StoredLogin("h", "users", "ada", "1", "", Set.of(), start, end(), end().minusMillis(1), null);
        store.start(login("f", "ada", "1"));
        store.start(login("g", "ada", "1"));
        store.start(longer);
        assertTrue(store.end("f"));
        assertEquals(List.of(longer, login("g", "ada", "1")), store.ofOwner(ADA));
        clock.moveTo(end().minusMillis(1));
        assertEquals(List.of(login("g", "ada", "1")), store.ofOwner(ADA));
        clock.moveTo(end());
        assertEquals(List.of(), store.ofOwner(ADA), "a login that expires now has expired");
    }

    @Test
    void loginsOfAnAccount_areBounded_andTheOldestAreForgotten() throws Exception {
        LoginStore store = opened(clock);
        for (int i = 0; i < LoginStore.MOST_OF_OWNER + 10; i++) {
            store.start(login("f" + i, "ada", "1"));
        }
        List<StoredLogin> held = store.ofOwner(ADA);
        assertEquals(LoginStore.MOST_OF_OWNER, held.size());
        for (int i = 0; i < held.size(); i++) {
            assertEquals("f" + (LoginStore.MOST_OF_OWNER + 9 - i), held.get(i).id());
        }
        for (int i = 0; i < 10; i++) {
            assertEquals(Optional.empty(), store.find("f" + i), "a session that no list shows, so no owner can end it");
        }
    }

    @Test
    void twoSimultaneousStarts_areSeenByAtLeastOneOfThem() throws Exception {
        LoginStore one = opened(clock);
        LoginStore other = opened(clock);
        try (Race race = new Race()) {
            for (int round = 0; round < rounds(); round++) {
                String subject = "ada" + round;
                List<List<String>> seen = new ArrayList<>();
                List<Race.Runner> runners = new ArrayList<>();
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    LoginStore store = i % 2 == 0 ? one : other;
                    String id = "f" + i + "-" + round;
                    seen.add(new ArrayList<>());
                    List<String> mine = seen.get(i);
                    runners.add(() -> {
                        store.start(login(id, subject, "1"));
                        store.ofOwner(subject).forEach(login -> mine.add(login.id()));
                    });
                }
                race.run(runners);
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    for (int j = 0; j <= i; j++) {
                        assertTrue(
                                seen.get(i).contains("f" + j + "-" + round)
                                        || seen.get(j).contains("f" + i + "-" + round),
                                "two logins were started, and neither saw the other");
                    }
                }
            }
        }
    }

    @Test
    void nodesWhoseClocksDiffer_haveOneOrder_whichIsThatOfTheStarts() throws Exception {
        LoginStore slow = opened(clock);
        LoginStore fast = opened(clock.differingBy(CLOCK_DIFFERENCE));
        Instant ahead = start.plus(CLOCK_DIFFERENCE);
        StoredLogin first = new StoredLogin("f", "users", "ada", "1", "", Set.of(), ahead, end(), end(), null);
        fast.start(first);
        slow.start(login("g", "ada", "1"));
        assertEquals(List.of(login("g", "ada", "1"), first), slow.ofOwner(ADA));
        assertEquals(List.of(login("g", "ada", "1"), first), fast.ofOwner(ADA));
    }

    @Test
    void subjectThatLogsInWithoutEnd_pushesOutNobodyElse() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("bobs", "bob", "1"));
        for (int i = 0; i < 200; i++) {
            store.start(login("f" + i, "ada", "1"));
        }
        assertTrue(store.find("bobs").isPresent());
        assertTrue(store.find("f199").isPresent(), "the login that just began is not the one to forget");
    }

    @Test
    void changeOfANode_holdsOnAnotherNode() throws Exception {
        LoginStore one = opened(clock);
        LoginStore other = opened(clock);
        assertStored(Optional.empty(), one, other);
        one.start(login("f", "ada", "1"));
        assertStored(Optional.of(login("f", "ada", "1")), one, other);
        assertTrue(other.replace("1", login("f", "ada", "2")));
        assertStored(Optional.of(login("f", "ada", "2")), one, other);
        assertTrue(one.end("f"));
        assertStored(Optional.empty(), one, other);
    }

    /** No node may keep its answers. Each node finds the session by a view and by the store itself. */
    private static void assertStored(Optional<StoredLogin> login, LoginStore... nodes) {
        for (LoginStore node : nodes) {
            assertEquals(login, node.find("f"));
            assertEquals(login, node.find("f"));
            assertEquals(login.stream().toList(), node.ofOwner(ADA));
        }
    }

    @Test
    void nodesWhoseClocksDiffer_forgetNoLoginThatTheSlowerOneStillAccepts() throws Exception {
        LoginStore slow = opened(clock);
        LoginStore fast = opened(clock.differingBy(CLOCK_DIFFERENCE));
        slow.start(login("f", "ada", "1"));
        clock.moveTo(end().minusMillis(1));
        fast.start(new StoredLogin(
                "g", "users", "bob", "1", "", Set.of(), start, end().plusSeconds(60), end().plusSeconds(60), null));
        assertTrue(slow.find("f").isPresent());
        assertTrue(slow.find("g").isPresent());
    }

    @Test
    void prolongedLogin_isKeptUntilItsNewEnd() throws Exception {
        LoginStore store = opened(clock);
        Instant later = end().plusSeconds(600);
        StoredLogin prolonged = new StoredLogin(
                "f",
                "users",
                "ada",
                "2",
                "stamp",
                Set.of("pwd"),
                start,
                later,
                later,
                new StoredLogin.Replaced("1", "seed", start));
        store.start(login("f", "ada", "1"));
        assertTrue(store.replace("1", prolonged));
        clock.moveTo(later.minusSeconds(1));
        // A new session triggers the removal of expired sessions.
        store.start(new StoredLogin("tidy", "users", "bob", "1", "", Set.of(), start, later, later, null));
        assertEquals(Optional.of(prolonged), store.find("f"), "it was forgotten when it would have ended before");
        assertEquals(List.of(prolonged), store.ofOwner(ADA));
    }

    @Test
    void storeThatIsDown_answersNothing_andHasWhatItHadAfterwards() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("before", "ada", "1"));
        List<String> ids = List.of("unknown-login", "unknown-subject", "secret-hash");
        StoredLogin login = login("unknown-login", "unknown-subject", "secret-hash");
        breakDown();
        assertAll(
                () -> StoreOutage.assertOutage(() -> store.start(login), ids),
                () -> StoreOutage.assertOutage(() -> store.find("unknown-login"), ids),
                () -> StoreOutage.assertOutage(() -> store.ofOwner(login.subjectId()), ids),
                () -> StoreOutage.assertOutage(() -> store.replace("secret-hash", login), ids),
                () -> StoreOutage.assertOutage(() -> store.end("unknown-login"), ids));
        repair();
        assertEquals(Optional.of(login("before", "ada", "1")), store.find("before"));
        store.start(login("after", "ada", "1"));
        assertTrue(store.find("after").isPresent());
    }

    @Test
    void hostileIds_areDistinguished() throws Throwable {
        LoginStore store = opened(clock);
        List<StoredLogin> started = new ArrayList<>();
        for (int i = 0; i < HostileIds.ALL.size(); i++) {
            String id = HostileIds.ALL.get(i);
            // A subject for each session, so that no session pushes out another.
            StoredLogin login = login(id, "subject-" + i, "1");
            if (StoreOutage.isTaken(() -> assertEquals(Optional.empty(), store.find(id), Hostile.shown(id)))
                    && StoreOutage.isTaken(() -> store.start(login))) {
                started.add(login);
            }
        }
        assertTrue(started.size() > HostileIds.ALL.size() / 2);
        for (StoredLogin login : started) {
            assertEquals(Optional.of(login), store.find(login.id()), Hostile.shown(login.id()));
        }
        for (StoredLogin login : started) {
            assertEquals(List.of(login), store.ofOwner(login.subjectId()), Hostile.shown(login.id()));
            assertTrue(store.end(login.id()), Hostile.shown(login.id()));
        }
    }

    @Test
    void hostileTexts_areKeptAsTheyAre() throws Throwable {
        LoginStore store = opened(clock);
        for (int i = 0; i < HostileIds.ALL.size(); i++) {
            String text = HostileIds.ALL.get(i);
            StoredLogin login = new StoredLogin(
                    "f" + i,
                    text,
                    text,
                    text,
                    text,
                    Set.of("pwd"),
                    start,
                    end(),
                    end(),
                    new StoredLogin.Replaced(text, text, start));
            if (StoreOutage.isTaken(() -> store.start(login))) {
                assertEquals(Optional.of(login), store.find(login.id()), Hostile.shown(text));
                assertEquals(List.of(login), store.ofOwner(login.subjectId()), Hostile.shown(text));
                assertTrue(store.replace(text, login), Hostile.shown(text));
            }
        }
    }

    @Test
    void text_holdsNothingOfALogin() throws Exception {
        LoginStore store = opened(clock);
        store.start(login("login-nobody-sees", "subject-nobody-sees", "hash-nobody-sees"));
        String text = assertDoesNotThrow(() -> store.toString() + store);
        assertFalse(text.contains("nobody-sees"), "the store prints what it holds");
    }

    private Instant end() {
        return start.plusSeconds(60);
    }

    private StoredLogin login(String id, String subject, String tokenHash) {
        return new StoredLogin(id, "users", subject, tokenHash, "stamp", Set.of("pwd"), start, end(), end(), null);
    }
}
