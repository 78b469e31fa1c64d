package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Copies of a store that shows positions in order, goes on after a loss of the last positions, and then finds its traces gone.
 */
class LostTracesTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant END = START.plusSeconds(1800);

    private final MapSharedRevocations rows = new MapSharedRevocations();

    @Test
    void lostRevocation_isGivenBackByTheNextReading() {
        LocalRevocations copy = copy(new Traced(rows));
        rows.revokeToken("early", END);
        copy.refresh();
        long before = rows.lastPosition();
        rows.revokeToken("lost", END);
        copy.refresh();
        copy.refresh();
        rows.goBackTo(before);
        copy.refresh();
        assertThat(rows.isTokenRevoked("lost")).isTrue();
    }

    @Test
    void traceThatIsGone_causesAReadingOfAll() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        rows.revokeToken("t", END);
        copy.refresh();
        copy.refresh();
        store.firstPosition = Long.MAX_VALUE;
        store.losses++;
        copy.refresh();
        assertThat(store.firstPosition).isZero();
    }

    @Test
    void traceThatIsThere_causesNoReadingOfAll() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        rows.revokeToken("t", END);
        copy.refresh();
        copy.refresh();
        store.firstPosition = Long.MAX_VALUE;
        copy.refresh();
        // In order: only the highest entry is read twice.
        assertThat(store.firstPosition).isEqualTo(rows.lastPosition() - 1);
    }

    @Test
    void newPositionThatWasOneOfTheLost_isRead() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        long before = rows.lastPosition();
        rows.revokeToken("lost", END);
        rows.revokeToken("lost too", END);
        copy.refresh();
        copy.refresh();
        rows.goBackTo(before);
        rows.revokeToken("new", END);
        store.losses++;
        copy.refresh();
        assertThat(copy.isTokenRevoked("new")).isTrue();
    }

    @Test
    void positionThatIsGivenOnceMore_betweenAReadingOfAllAndItsTrace_isRead() {
        LocalRevocations other = copy(new Traced(rows));
        other.refresh();
        long before = rows.lastPosition();
        rows.revokeToken("lost", END);
        Traced store = new Traced(rows);
        store.beforeATrace = () -> rows.goBackTo(before);
        LocalRevocations copy = copy(store);
        store.beforeATrace = () -> {};
        rows.revokeToken("new", END);
        copy.refresh();
        assertThat(copy.isTokenRevoked("new")).isTrue();
    }

    /** The store goes back to a state with the node's last trace, and without the entry that the node has just read. */
    @Test
    void lossBetweenAReadingAndItsTrace_isGivenBackByTheNextReading() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        long before = rows.lastPosition();
        rows.revokeToken("lost", END);
        copy.refresh();
        rows.goBackTo(before);
        copy.refresh();
        assertThat(rows.isTokenRevoked("lost")).isTrue();
    }

    @Test
    void positionGivenAgainAfterSuchALoss_isRead() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        long before = rows.lastPosition();
        rows.revokeToken("lost", END);
        copy.refresh();
        rows.goBackTo(before);
        copy.refresh();
        rows.revokeToken("new", END);
        copy.refresh();
        assertThat(copy.isTokenRevoked("new")).isTrue();
    }

    @Test
    void highestPositionGivenAgain_whereAnotherNodeHasGivenBackTheRest_isRead() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        long before = rows.lastPosition();
        rows.revokeToken("recorded twice", END);
        rows.revokeToken("recorded twice", END);
        copy.refresh();
        rows.goBackTo(before);
        rows.revokeToken("recorded twice", END);
        copy.refresh();
        rows.revokeToken("new", END);
        copy.refresh();
        assertThat(copy.isTokenRevoked("new")).isTrue();
    }

    @Test
    void entriesThatAreStillThere_orHaveExpired_causeNoReadingOfAll() {
        Traced store = new Traced(rows);
        LocalRevocations copy = copy(store);
        rows.revokeToken("early", END);
        copy.refresh();
        copy.refresh();
        long before = rows.lastPosition();
        rows.revokeToken("expired", START);
        rows.revokeToken("repeated", END);
        copy.refresh();
        rows.goBackTo(before);
        rows.revokeToken("another", END);
        rows.revokeToken("repeated", END.plusSeconds(1));
        store.firstPosition = Long.MAX_VALUE;
        copy.refresh();
        assertThat(store.firstPosition).isPositive();
    }

    private static LocalRevocations copy(Traced store) {
        AtomicLong nanos = new AtomicLong();
        LocalRevocations copy =
                LocalRevocations.of(store, LocalRevocationSettings.defaults(), () -> START, nanos::incrementAndGet);
        copy.refresh();
        return copy;
    }

    /** Says how often it has lost something. */
    private static final class Traced implements SharedRevocationStore {

        private final SharedRevocationStore rows;
        private long losses;
        private Runnable beforeATrace = () -> {};
        private long firstPosition = Long.MAX_VALUE;

        Traced(SharedRevocationStore rows) {
            this.rows = rows;
        }

        @Override
        public Duration lateness() {
            return Duration.ZERO;
        }

        @Override
        public long leaveTrace() {
            beforeATrace.run();
            return losses;
        }

        @Override
        public Revocation recordToken(String tokenId, Instant expiresAt) {
            return rows.recordToken(tokenId, expiresAt);
        }

        @Override
        public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            return rows.recordTokenOf(subjectId, tokenId, expiresAt);
        }

        @Override
        public Revocation recordSubject(String subjectId, Instant notBefore) {
            return rows.recordSubject(subjectId, notBefore);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return rows.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return rows.isTokenRevoked(tokenId);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            firstPosition = Math.min(firstPosition, position);
            return rows.recordedAfter(position, most);
        }

        @Override
        public void restore(List<Revocation> lost) {
            rows.restore(lost);
        }
    }
}
