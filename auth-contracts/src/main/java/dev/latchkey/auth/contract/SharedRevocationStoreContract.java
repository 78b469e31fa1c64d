package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link SharedRevocationStore}, as tests: the rules of {@link RevocationStoreContract}, and the rules of {@link
 * LocalRevocations} for a copy. Extend this class in place of the other class.
 */
public abstract class SharedRevocationStoreContract extends RevocationStoreContract {

    private static final int MANY = 1_000;

    /** The most that a node asks for at a time, and the most that it restores at a time. */
    private static final int PAGE = 5_000;

    private static final int RESTORED = 200;

    private final Instant end = start.plusSeconds(600);

    @Override
    protected abstract SharedRevocationStore node(InstantSource clock) throws Exception;

    @Override
    protected abstract SharedRevocationStore nodeOfAnotherService(InstantSource clock) throws Exception;

    @Override
    SharedRevocationStore opened(InstantSource clock) throws Exception {
        return ByTurns.of(node(clock));
    }

    @Override
    SharedRevocationStore openedOfAnotherService(InstantSource clock) throws Exception {
        return ByTurns.of(nodeOfAnotherService(clock));
    }

    @Test
    void entriesOfAService_areReadByNoOtherService() throws Exception {
        SharedRevocationStore store = opened(clock);
        SharedRevocationStore others = openedOfAnotherService(clock);
        store.revokeToken("t", end);
        store.revokeSubject("ada", start);
        store.restore(List.of(Revocation.ofToken("lost", end)));
        assertEquals(List.of(), others.recordedAfter(0, MANY), "a copy has what is its own service's");
        Revocation own = others.recordToken("t", end.plusSeconds(1));
        assertEquals(List.of(own), revocations(others.recordedAfter(0, MANY)));
        assertEquals(3, store.recordedAfter(0, MANY).size());
    }

    @Test
    void entriesOfANode_areReadByAnotherNode_inTheOrderOfPositions() throws Exception {
        SharedRevocationStore one = opened(clock);
        SharedRevocationStore other = opened(clock);
        List<Revocation> recorded = new ArrayList<>();
        for (String id : List.of("m", "z", "a")) {
            recorded.add(one.recordToken(id, end));
            recorded.add(one.recordSubject(id, start));
            recorded.add(one.recordTokenOf(id, "of-" + id, end));
        }
        List<Recorded> read = other.recordedAfter(0, MANY);
        assertEquals(recorded, read.stream().map(Recorded::revocation).toList());
        for (int i = 0; i < read.size(); i++) {
            long before = i == 0 ? 0 : read.get(i - 1).position();
            assertTrue(read.get(i).position() > before, "positions grow, and zero is before the first");
        }
    }

    @Test
    void returnedEntry_isTheRequestedRevocation() throws Exception {
        SharedRevocationStore store = opened(clock);
        assertEquals(Revocation.ofToken("t", end), store.recordToken("t", end));
        assertEquals(Revocation.ofToken("of", end), store.recordTokenOf("ada", "of", end));
        assertEquals(
                Revocation.ofSubject("ada", start.plusMillis(500), LONGEST_LIFETIME),
                store.recordSubject("ada", start.plusMillis(500)));
    }

    @Test
    void repeatedRevocation_hasANewPosition() throws Exception {
        SharedRevocationStore store = opened(clock);
        store.revokeToken("t", start.plusSeconds(60));
        store.revokeSubject("ada", start);
        long last = lastPosition(store);
        Revocation token = store.recordToken("t", end);
        Revocation subject = store.recordSubject("ada", start.plusSeconds(5));
        List<Revocation> news = revocations(store.recordedAfter(last, MANY));
        assertEquals(List.of(token, subject), news, "who has read the first ones hears of the later ends as well");
        store.revokeToken("t", start.plusSeconds(60));
        assertHas(store, token);
    }

    @Test
    void pages_haveAsManyAsThereAre() throws Exception {
        SharedRevocationStore store = opened(clock);
        for (int i = 0; i < 7; i++) {
            store.revokeToken("t" + i, end);
        }
        List<Revocation> all = revocations(store.recordedAfter(0, MANY));
        assertEquals(7, all.size());
        List<Revocation> paged = new ArrayList<>();
        long position = 0;
        for (int expected : new int[] {3, 3, 1, 0}) {
            List<Recorded> page = store.recordedAfter(position, 3);
            assertEquals(expected, page.size(), "a page that is not full says that there is no more");
            paged.addAll(revocations(page));
            position = page.isEmpty() ? position : page.get(page.size() - 1).position();
        }
        assertEquals(all, paged);
    }

    @Test
    void pageOfANode_isNotCutShort() throws Exception {
        SharedRevocationStore store = opened(clock);
        for (int first = 0; first < PAGE; first += RESTORED) {
            store.restore(IntStream.range(first, first + RESTORED)
                    .mapToObj(i -> Revocation.ofToken("t" + i, end))
                    .toList());
        }
        assertEquals(PAGE, store.recordedAfter(0, PAGE).size(), "a node reads no further after a short page");
    }

    @Test
    void restoredEntries_areRevoked_andReadByOtherNodes() throws Exception {
        SharedRevocationStore store = opened(clock);
        Revocation token = Revocation.ofToken("t", end);
        Revocation subject = Revocation.ofSubject("ada", start, LONGEST_LIFETIME);
        store.restore(List.of(token, subject));
        assertTrue(store.isTokenRevoked("t"));
        assertEquals(start.plusSeconds(1), store.notBefore("ada"));
        assertEquals(Set.of(token, subject), new HashSet<>(revocations(store.recordedAfter(0, MANY))));
    }

    @Test
    void restoredEntries_lowerNoBoundAndNoEnd() throws Exception {
        SharedRevocationStore store = opened(clock);
        store.revokeToken("t", end);
        store.revokeSubject("ada", start.plusSeconds(1800));
        store.restore(List.of(
                Revocation.ofToken("t", start.plusSeconds(60)),
                Revocation.ofSubject("ada", start, LONGEST_LIFETIME),
                Revocation.ofToken("t", start.plusSeconds(60))));
        assertHas(store, Revocation.ofToken("t", end));
        assertEquals(start.plusSeconds(1801), store.notBefore("ada"));
        clock.moveTo(end.minusSeconds(1));
        store.revokeToken("tidy", end.plusSeconds(3600));
        assertTrue(store.isTokenRevoked("t"));
        clock.moveTo(start.plusSeconds(1801).plus(LONGEST_LIFETIME).minusNanos(1));
        store.revokeToken("tidy", clock.instant().plusSeconds(3600));
        assertEquals(start.plusSeconds(1801), store.notBefore("ada"));
    }

    /** After a loss, nodes restore entries that are later than the entries of the store. */
    @Test
    void restoredEntries_raiseBoundsAndEnds() throws Exception {
        SharedRevocationStore store = opened(clock);
        store.revokeToken("t", start.plusSeconds(60));
        store.revokeSubject("ada", start);
        store.restore(List.of(
                Revocation.ofToken("t", end), Revocation.ofSubject("ada", start.plusSeconds(1800), LONGEST_LIFETIME)));
        assertHas(store, Revocation.ofToken("t", end));
        assertEquals(start.plusSeconds(1801), store.notBefore("ada"));
    }

    @Test
    void positionsOfAllNodes_growWithEachWrite() throws Exception {
        SharedRevocationStore one = opened(clock);
        SharedRevocationStore other = opened(clock);
        List<Revocation> written = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            written.add(one.recordToken("one" + i, end));
            written.add(other.recordToken("other" + i, end));
        }
        List<Recorded> read = one.recordedAfter(0, MANY);
        assertEquals(written, revocations(read));
        assertEquals(
                written.size(), read.stream().map(Recorded::position).distinct().count(), "two nodes use one position");
    }

    @Test
    void latePositions_areNoLaterThanCopiesWaitFor() throws Exception {
        Duration lateness = opened(clock).lateness();
        assertFalse(lateness.isNegative());
        assertFalse(lateness.compareTo(Duration.ofSeconds(SharedRevocationStore.LATEST_SECONDS)) > 0);
    }

    @Test
    void nodeThatReadsOn_missesNothing_ifNoPositionComesLate() throws Exception {
        SharedRevocationStore one = opened(clock);
        SharedRevocationStore other = opened(clock);
        Set<Revocation> seen = new HashSet<>();
        AtomicInteger writing = new AtomicInteger(Race.MOST_THREADS - 1);
        List<Race.Runner> runners = new ArrayList<>();
        for (int i = 1; i < Race.MOST_THREADS; i++) {
            SharedRevocationStore store = i % 2 == 0 ? one : other;
            String prefix = "t" + i + "-";
            runners.add(() -> {
                for (int j = 0; j < 50; j++) {
                    store.revokeToken(prefix + j, end);
                }
                writing.decrementAndGet();
            });
        }
        // Without a reliable order, each reading begins before the first change.
        boolean isInOrder = one.lateness().isZero();
        runners.add(() -> {
            long position = 0;
            boolean isLast;
            do {
                isLast = writing.get() == 0;
                for (Recorded each : one.recordedAfter(isInOrder ? position : 0, MANY)) {
                    seen.add(each.revocation());
                    position = each.position();
                }
            } while (!isLast);
        });
        try (Race race = new Race()) {
            race.run(runners);
        }
        assertEquals(50 * (Race.MOST_THREADS - 1), seen.size(), "a revocation was never read");
    }

    @Test
    void copy_canBeKept() throws Exception {
        SharedRevocationStore store = opened(clock);
        LocalRevocations copy = LocalRevocations.of(opened(clock), LocalRevocationSettings.defaults());
        copy.refresh();
        store.revokeToken("t", Instant.MAX);
        store.revokeSubject("ada", Instant.MAX);
        copy.refresh();
        assertEquals(2, copy.status().size(), "a copy sets a mark of its own, and has what was revoked");
        assertTrue(copy.isTokenRevoked("t"));
        assertTrue(copy.isSubjectRevoked("ada", start));
        assertFalse(copy.isTokenRevoked("another"));
    }

    @Test
    void storeThatIsDown_givesNothingAndTakesNothingBack() throws Exception {
        SharedRevocationStore store = opened(clock);
        List<Revocation> lost = List.of(Revocation.ofToken("unknown-token", end));
        breakDown();
        assertAll(
                () -> StoreOutage.assertOutage(() -> store.recordedAfter(0, MANY), List.of()),
                () -> StoreOutage.assertOutage(() -> store.restore(lost), List.of("unknown-token")));
        repair();
    }

    /** A node that starts later reads the ends from the entries. */
    private static void assertHas(SharedRevocationStore store, Revocation revocation) {
        assertTrue(
                revocations(store.recordedAfter(0, MANY)).contains(revocation), "an earlier end replaced a later end");
    }

    private static long lastPosition(SharedRevocationStore store) {
        List<Recorded> all = store.recordedAfter(0, MANY);
        return all.get(all.size() - 1).position();
    }

    private static List<Revocation> revocations(List<Recorded> recorded) {
        return recorded.stream().map(Recorded::revocation).toList();
    }
}
