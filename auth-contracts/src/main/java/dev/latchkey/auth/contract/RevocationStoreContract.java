package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link RevocationStore}, as tests: extend this class, supply the store, and run the tests.
 *
 * <p>Each test gets an empty store, with one or two nodes. The clocks of the nodes may differ by five seconds, as the clocks of
 * servers do. No node may accept a token after a revocation by the other node. A store in memory has a single node with the clock
 * of the first call. Needs only JUnit Jupiter.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class RevocationStoreContract {

    /** The longest lifetime of a token. The stores under test are configured for this lifetime. */
    protected static final Duration LONGEST_LIFETIME = Duration.ofHours(1);

    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    /**
     * The present time, because a server may remove entries by its own clock. A whole second, so that rounding is visible.
     */
    final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    final MovedClock clock = new MovedClock(start);

    /**
     * A node of the store under test, with this clock; another node of the same store at the second call.
     *
     * @param clock of the node
     * @return a node
     * @throws Exception if the fixture fails
     */
    protected abstract RevocationStore node(InstantSource clock) throws Exception;

    /**
     * A node of another service on the same server, with this clock. If each service has its own server, a store on another
     * server.
     *
     * @param clock of the node
     * @return a node
     * @throws Exception if the fixture fails
     */
    protected abstract RevocationStore nodeOfAnotherService(InstantSource clock) throws Exception;

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
     * Transfers all changes to every node. Does nothing unless overridden, for nodes that ask the store directly. {@link
     * RevocationStore#currentNotBefore} and {@link RevocationStore#isSubjectRevoked} must know a change before this call.
     *
     * @throws Exception if the fixture fails
     */
    protected void catchUp() throws Exception {}

    /**
     * A number of tokens of a single subject. If the store keeps a limited number separately, return a larger number.
     *
     * @return a number small enough for separate writes in a build
     */
    protected int tokensOfOneSubject() {
        return 1_200;
    }

    RevocationStore opened(InstantSource clock) throws Exception {
        return ByTurns.of(node(clock));
    }

    RevocationStore openedOfAnotherService(InstantSource clock) throws Exception {
        return ByTurns.of(nodeOfAnotherService(clock));
    }

    @Test
    void unknownIds_areNotRevoked() throws Exception {
        RevocationStore store = opened(clock);
        assertFalse(store.isTokenRevoked("t1"));
        assertEquals(Instant.MIN, store.notBefore("ada"));
        assertFalse(store.isSubjectRevoked("ada", Instant.EPOCH));
    }

    @Test
    void revokedToken_isRevoked_andNoOtherIs() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeToken("t1", start.plusSeconds(60));
        assertTrue(store.isTokenRevoked("t1"));
        assertFalse(store.isTokenRevoked("t2"));
        assertEquals(Instant.MIN, store.notBefore("t1"), "a token's id is no subject's");
    }

    @Test
    void revocation_holdsInItsOwnServiceOnly() throws Exception {
        RevocationStore store = opened(clock);
        RevocationStore others = openedOfAnotherService(clock);
        store.revokeToken("t1", start.plusSeconds(60));
        store.revokeTokenOf("ada", "t2", start.plusSeconds(60));
        store.revokeSubject("ada", start);
        catchUp();
        assertFalse(others.isTokenRevoked("t1"));
        assertFalse(others.isTokenRevoked("t2"));
        assertEquals(Instant.MIN, others.notBefore("ada"), "each service may have another person of that name");
        assertFalse(others.isSubjectRevoked("ada", Instant.EPOCH));
        others.revokeSubject("ada", start.minusSeconds(60));
        others.revokeToken("t1", start.plusSeconds(20));
        catchUp();
        assertEquals(start.plusSeconds(1), store.notBefore("ada"));
        assertTrue(store.isTokenRevoked("t1"));
        assertTrue(store.isTokenRevoked("t2"));
    }

    @Test
    void revokedToken_isRevokedUntilItsEnd() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeToken("t1", start.plusSeconds(60));
        clock.moveTo(start.plusSeconds(60).minusNanos(1));
        tidy(store);
        assertTrue(store.isTokenRevoked("t1"));
    }

    @Test
    void tokenRevokedTwice_isRevokedUntilTheLaterEnd() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeToken("t1", start.plusSeconds(600));
        store.revokeToken("t1", start.plusSeconds(20));
        store.revokeToken("t2", start.plusSeconds(20));
        store.revokeToken("t2", start.plusSeconds(600));
        store.revokeTokenOf("ada", "t3", start.plusSeconds(600));
        store.revokeTokenOf("ada", "t3", start.plusSeconds(20));
        store.revokeTokenOf("ada", "t4", start.plusSeconds(20));
        store.revokeTokenOf("ada", "t4", start.plusSeconds(600));
        clock.moveTo(start.plusSeconds(599));
        tidy(store);
        assertTrue(store.isTokenRevoked("t1"));
        assertTrue(store.isTokenRevoked("t2"));
        assertTrue(isRevoked(store, "ada", "t3", start));
        assertTrue(isRevoked(store, "ada", "t4", start));
    }

    @Test
    void tokenRevokedForEver_isRevokedForEver() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeToken("t1", Instant.MAX);
        store.revokeTokenOf("ada", "t2", Instant.MAX);
        // A store may revoke the subject in place of the token. The bound of the subject ends after this time.
        clock.moveTo(start.plus(LONGEST_LIFETIME));
        tidy(store);
        assertTrue(isRevoked(store, "ada", "t2", start));
        clock.moveTo(start.plus(Duration.ofDays(100_000)));
        tidy(store);
        assertTrue(store.isTokenRevoked("t1"));
    }

    @Test
    void tokenOfASubject_isRevoked() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeTokenOf("ada", "t1", start.plusSeconds(60));
        store.revokeTokenOf("ada", "t1", start.plusSeconds(60));
        assertTrue(isRevoked(store, "ada", "t1", start));
        assertFalse(isRevoked(store, "grace", "t2", start));
    }

    @Test
    void tokensOfOneSubjectWithoutEnd_stayRevoked_andLeaveRoomForOthers() throws Exception {
        RevocationStore store = opened(clock);
        for (int i = 0; i < tokensOfOneSubject(); i++) {
            store.revokeTokenOf("ada", "t" + i, start.plusSeconds(600));
        }
        store.revokeToken("other", start.plusSeconds(600));
        store.revokeSubject("grace", start);
        for (int i = 0; i < tokensOfOneSubject(); i++) {
            assertTrue(isRevoked(store, "ada", "t" + i, start), "a token that was revoked is good again");
        }
        assertTrue(store.isTokenRevoked("other"));
        assertTrue(store.isSubjectRevoked("grace", start));
        Instant atLast = start.plus(CLOCK_DIFFERENCE).plusSeconds(1);
        assertFalse(store.isSubjectRevoked("ada", atLast), "who logs out often is kept out longer and longer");
    }

    @Test
    void subjectsBound_isTheNextWholeSecond() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeSubject("ada", start.plusMillis(500));
        store.revokeSubject("grace", start);
        assertEquals(start.plusSeconds(1), store.notBefore("ada"));
        assertTrue(store.isSubjectRevoked("ada", start.plusMillis(999)));
        assertFalse(store.isSubjectRevoked("ada", start.plusSeconds(1)));
        assertEquals(start.plusSeconds(1), store.currentNotBefore("ada"));
        assertEquals(start.plusSeconds(1), store.notBefore("grace"));
        assertEquals(Instant.MIN, store.notBefore("joan"));
        assertFalse(store.isTokenRevoked("ada"), "a subject's id is no token's");
    }

    @Test
    void laterRevocation_canOnlyExtendTheBound() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeSubject("ada", start);
        store.revokeSubject("ada", start.minusSeconds(3600));
        assertEquals(start.plusSeconds(1), store.notBefore("ada"));
        store.revokeSubject("ada", start.plusSeconds(1800));
        assertEquals(start.plusSeconds(1801), store.notBefore("ada"));
        store.revokeSubject("ada", start);
        clock.moveTo(start.plusSeconds(1801).plus(LONGEST_LIFETIME).minusNanos(1));
        tidy(store);
        assertTrue(store.isSubjectRevoked("ada", start.plusSeconds(1800)), "its entry ends before its tokens");
    }

    @Test
    void subjectRevokedTwiceWithinASecond_isKeptOutNoLonger() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeSubject("ada", start.plusMillis(200));
        store.revokeSubject("ada", start.plusMillis(700));
        assertEquals(start.plusSeconds(1), store.notBefore("ada"));
    }

    @Test
    void tokenOfTheFastestNodeBetweenTwoRevocations_isRevoked() throws Exception {
        RevocationStore slow = opened(clock);
        RevocationStore fast = opened(clock.differingBy(CLOCK_DIFFERENCE));
        slow.revokeSubject("ada", start.plus(CLOCK_DIFFERENCE));
        catchUp();
        Instant issuedAt = fast.notBefore("ada");
        // The issuer has waited until the bound, by the fast clock.
        clock.moveTo(issuedAt.minus(CLOCK_DIFFERENCE));
        assertFalse(fast.isSubjectRevoked("ada", issuedAt));
        slow.revokeSubject("ada", clock.instant().plus(CLOCK_DIFFERENCE));
        catchUp();
        assertTrue(slow.isSubjectRevoked("ada", issuedAt));
        assertTrue(fast.isSubjectRevoked("ada", issuedAt));
    }

    @Test
    void subjectsRevocation_isKeptForTheLongestLifetimeOfAToken() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeSubject("ada", start);
        clock.moveTo(start.plusSeconds(1).plus(LONGEST_LIFETIME).minusNanos(1));
        tidy(store);
        assertTrue(store.isSubjectRevoked("ada", start));
    }

    @Test
    void subjectRevokedForEver_isRevokedForEver() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeSubject("ada", Instant.MAX);
        clock.moveTo(start.plus(Duration.ofDays(100_000)));
        tidy(store);
        assertTrue(store.isSubjectRevoked("ada", clock.instant()));
    }

    @Test
    void subjectsRevokedByEightThreads_haveTheLatestBound() throws Exception {
        RevocationStore one = opened(clock);
        RevocationStore other = opened(clock);
        try (Race race = new Race()) {
            for (int round = 0; round < 20; round++) {
                String subject = "ada" + round;
                List<Race.Runner> runners = new ArrayList<>();
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    RevocationStore store = i % 2 == 0 ? one : other;
                    Instant bound = start.plusSeconds((i * 5L) % Race.MOST_THREADS);
                    runners.add(() -> store.revokeSubject(subject, bound));
                }
                race.run(runners);
                catchUp();
                assertEquals(start.plusSeconds(Race.MOST_THREADS), one.notBefore(subject));
                assertEquals(start.plusSeconds(Race.MOST_THREADS), other.notBefore(subject));
            }
        }
    }

    @Test
    void tokensRevokedByEightThreads_areAllRevoked() throws Exception {
        RevocationStore one = opened(clock);
        RevocationStore other = opened(clock);
        List<String> tokens = new ArrayList<>();
        try (Race race = new Race()) {
            for (int round = 0; round < 20; round++) {
                String prefix = "t" + round + "-";
                List<Race.Runner> runners = new ArrayList<>();
                for (int i = 0; i < Race.MOST_THREADS; i++) {
                    // Two nodes revoke the same token: a repeated revocation is no error.
                    RevocationStore store = i % 2 == 0 ? one : other;
                    String token = prefix + i / 2;
                    Instant end = start.plusSeconds(i % 2 == 0 ? 60 : 600);
                    runners.add(() -> store.revokeTokenOf("ada", token, end));
                    tokens.add(token);
                }
                race.run(runners);
            }
        }
        catchUp();
        for (String token : tokens) {
            assertTrue(isRevoked(one, "ada", token, start));
            assertTrue(isRevoked(other, "ada", token, start));
        }
        clock.moveTo(start.plusSeconds(599));
        tidy(one);
        for (String token : tokens) {
            assertTrue(isRevoked(one, "ada", token, start), "the earlier end of two applies");
        }
    }

    @Test
    void revocationOfANode_holdsOnAnotherNode() throws Exception {
        RevocationStore one = opened(clock);
        RevocationStore other = opened(clock);
        // No node may keep these answers. Each node gives them by a view and by the store itself.
        for (RevocationStore node : List.of(one, other, one, other)) {
            assertFalse(node.isTokenRevoked("t1"));
            assertFalse(node.isTokenRevoked("t2"));
            assertFalse(isRevoked(node, "grace", "t3", start));
            assertEquals(Instant.MIN, node.notBefore("ada"));
        }
        one.revokeToken("t1", start.plusSeconds(60));
        other.revokeToken("t2", start.plusSeconds(60));
        one.revokeTokenOf("grace", "t3", start.plusSeconds(60));
        other.revokeSubject("ada", start);
        other.revokeSubject("joan", start);
        assertKnownAtOnce(one, start);
        catchUp();
        for (RevocationStore node : List.of(one, other, one, other)) {
            assertTrue(node.isTokenRevoked("t1"));
            assertTrue(node.isTokenRevoked("t2"));
            assertTrue(isRevoked(node, "grace", "t3", start));
            assertFalse(node.isTokenRevoked("another"));
            assertTrue(node.isSubjectRevoked("ada", start));
            assertEquals(start.plusSeconds(1), node.notBefore("ada"));
            assertEquals(start.plusSeconds(1), node.currentNotBefore("ada"));
        }
        one.revokeSubject("ada", start.plusSeconds(5));
        one.revokeSubject("joan", start.plusSeconds(5));
        assertKnownAtOnce(other, start.plusSeconds(5));
        catchUp();
        assertEquals(start.plusSeconds(6), other.notBefore("ada"));
    }

    /** A subject for each method, because a copy may keep the answer. The node answers by a view and by the store itself. */
    private static void assertKnownAtOnce(RevocationStore node, Instant revoked) {
        String missed = "missed a change of another node";
        assertEquals(revoked.plusSeconds(1), node.currentNotBefore("ada"), missed);
        assertEquals(revoked.plusSeconds(1), node.currentNotBefore("ada"), missed);
        assertTrue(node.isSubjectRevoked("joan", revoked), missed);
        assertTrue(node.isSubjectRevoked("joan", revoked), missed);
    }

    @Test
    void nodesWhoseClocksDiffer_forgetNothingThatTheSlowerOneStillAccepts() throws Exception {
        RevocationStore slow = opened(clock);
        RevocationStore fast = opened(clock.differingBy(CLOCK_DIFFERENCE));
        slow.revokeToken("t1", start.plusSeconds(60));
        slow.revokeSubject("ada", start);
        clock.moveTo(start.plusSeconds(59));
        tidy(fast);
        // The token has expired by the fast clock, and is valid by the slow clock.
        fast.revokeToken("t2", start.plusSeconds(60));
        catchUp();
        assertTrue(slow.isTokenRevoked("t1"));
        assertTrue(slow.isTokenRevoked("t2"));
        clock.moveTo(start.plus(LONGEST_LIFETIME));
        tidy(fast);
        catchUp();
        assertTrue(slow.isSubjectRevoked("ada", start));
    }

    @Test
    void storeThatIsDown_answersNothing_andHasWhatItHadAfterwards() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeToken("before", start.plusSeconds(60));
        store.revokeSubject("joan", start);
        List<String> ids = List.of("unknown-token", "unknown-subject");
        Instant end = start.plusSeconds(60);
        breakDown();
        assertAll(
                () -> StoreOutage.assertOutage(() -> store.revokeToken("unknown-token", end), ids),
                () -> StoreOutage.assertOutage(() -> store.revokeTokenOf("unknown-subject", "unknown-token", end), ids),
                () -> StoreOutage.assertOutage(() -> store.revokeSubject("unknown-subject", start), ids),
                () -> StoreOutage.assertOutage(() -> store.notBefore("unknown-subject"), ids),
                () -> StoreOutage.assertOutage(() -> store.isTokenRevoked("unknown-token"), ids),
                () -> StoreOutage.assertOutage(() -> store.isSubjectRevoked("unknown-subject", start), ids));
        repair();
        catchUp();
        store.revokeToken("after", end);
        assertTrue(store.isTokenRevoked("before"));
        assertTrue(store.isTokenRevoked("after"));
        assertTrue(store.isSubjectRevoked("joan", start));
        assertFalse(store.isTokenRevoked("another"));
    }

    @Test
    void hostileIdsOfTokens_areDistinguished() throws Throwable {
        RevocationStore store = opened(clock);
        List<String> revoked = new ArrayList<>();
        for (String id : HostileIds.ALL) {
            boolean isAsked = StoreOutage.isTaken(() -> assertFalse(store.isTokenRevoked(id), () -> Hostile.shown(id)));
            boolean isRevoked = StoreOutage.isTaken(() -> store.revokeToken(id, start.plusSeconds(60)));
            assertEquals(isAsked, isRevoked, "an id that can be asked for can be revoked");
            if (isRevoked) {
                revoked.add(id);
            }
        }
        assertTrue(revoked.size() > HostileIds.ALL.size() / 2);
        for (String id : revoked) {
            assertTrue(store.isTokenRevoked(id), () -> "not revoked: " + Hostile.shown(id));
            assertEquals(Instant.MIN, store.notBefore(id));
        }
    }

    @Test
    void hostileIdsOfSubjects_areDistinguished() throws Throwable {
        RevocationStore store = opened(clock);
        for (int i = 0; i < HostileIds.ALL.size(); i++) {
            String id = HostileIds.ALL.get(i);
            Instant bound = start.plusSeconds(i);
            if (StoreOutage.isTaken(() -> assertEquals(Instant.MIN, store.notBefore(id)))) {
                store.revokeSubject(id, bound);
                store.revokeTokenOf(id, "token-of-" + i, start.plusSeconds(60));
                assertEquals(bound.plusSeconds(1), store.notBefore(id), () -> Hostile.shown(id));
            }
        }
    }

    @Test
    void text_holdsNoId() throws Exception {
        RevocationStore store = opened(clock);
        store.revokeTokenOf("subject-nobody-sees", "token-nobody-sees", start.plusSeconds(60));
        store.revokeSubject("subject-nobody-sees", start);
        String text = assertDoesNotThrow(() -> store.toString() + store);
        assertFalse(text.contains("nobody-sees"), "the store prints what it holds");
    }

    /** Asks in the order of the interface: a store may replace the tokens of a subject by a bound of the subject. */
    private static boolean isRevoked(RevocationStore store, String subjectId, String tokenId, Instant issuedAt) {
        return store.isTokenRevoked(tokenId) || store.isSubjectRevoked(subjectId, issuedAt);
    }

    /** A write, because a write triggers the removal of expired entries. */
    private void tidy(RevocationStore store) {
        store.revokeToken("tidy", clock.instant().plusSeconds(3600));
    }
}
