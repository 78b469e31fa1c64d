package dev.latchkey.auth.store;

import static dev.latchkey.auth.store.BrokenStores.logins;
import static dev.latchkey.auth.store.BrokenStores.revocations;

import dev.latchkey.tests.contracts.TwoNodes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Stores that read and then write under a lock of the node, each with the rule that finds the defect. */
final class BrokenNodeLocks {

    private BrokenNodeLocks() {}

    static Stream<Arguments> ofRevocations() {
        return Stream.of(
                        "subjectsRevokedByEightThreads_haveTheLatestBound", "tokensRevokedByEightThreads_areAllRevoked")
                .map(rule -> broken(rule, "locks in the node", () -> {
                    TwoNodes nodes = new TwoNodes();
                    return revocations((shared, clock) -> new Revocations(shared, clock, nodes));
                }));
    }

    static Stream<Arguments> ofLogins() {
        return Stream.of("endByEightThreads_isToldToOne", "endAmidReplacements_isTheEnd")
                .map(rule -> broken(rule, "locks in the node", () -> {
                    TwoNodes nodes = new TwoNodes();
                    Map<String, CountDownLatch> ended = new ConcurrentHashMap<>();
                    return rule.startsWith("endBy")
                            ? logins((shared, clock) -> new EndedTwice(shared, clock, nodes))
                            : logins((shared, clock) -> new Revived(shared, clock, nodes.opened(), ended));
                }));
    }

    private static final class Revocations extends MapRevocations {

        private final Map<String, Object> locks = new ConcurrentHashMap<>();
        private final TwoNodes nodes;

        Revocations(Shared shared, InstantSource clock, TwoNodes nodes) {
            super(shared, clock);
            this.nodes = nodes;
            nodes.opened();
        }

        @Override
        public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            write(shared.tokens, tokenId, expiresAt);
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            write(shared.bounds, subjectId, rounded(notBefore));
        }

        private void write(Map<String, Instant> entries, String id, Instant end) {
            synchronized (locks.computeIfAbsent(id, any -> new Object())) {
                Instant latest = later(entries.getOrDefault(id, Instant.MIN), end);
                nodes.writeLaterFirst(id, latest, () -> entries.put(id, latest));
            }
        }
    }

    private static final class EndedTwice extends MapLogins {

        private final TwoNodes nodes;

        EndedTwice(MapLogins server, InstantSource clock, TwoNodes nodes) {
            super(server.shared, clock);
            this.nodes = nodes;
            nodes.opened();
        }

        @Override
        public synchronized boolean end(String id) {
            boolean isPresent = shared.containsKey(id);
            nodes.meet(id);
            shared.remove(id);
            return isPresent;
        }
    }

    /** The second node writes after the end of the session by the first node. */
    private static final class Revived extends MapLogins {

        private final int number;
        private final Map<String, CountDownLatch> ended;

        Revived(MapLogins server, InstantSource clock, int number, Map<String, CountDownLatch> ended) {
            super(server.shared, clock);
            this.number = number;
            this.ended = ended;
        }

        @Override
        public synchronized boolean replace(String expectedTokenHash, StoredLogin next) {
            boolean isPresent = find(next.id())
                    .filter(login -> login.tokenHash().equals(expectedTokenHash))
                    .isPresent();
            if (isPresent && number == 2) {
                awaitEnd(next.id());
            }
            return isPresent && shared.put(next.id(), next) != null;
        }

        @Override
        public synchronized boolean end(String id) {
            boolean isEnded = super.end(id);
            endOf(id).countDown();
            return isEnded;
        }

        private void awaitEnd(String id) {
            try {
                if (!endOf(id).await(10, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("no end of " + id);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private CountDownLatch endOf(String id) {
            return ended.computeIfAbsent(id, any -> new CountDownLatch(1));
        }
    }

    private static Arguments broken(String rule, String defect, Supplier<Object> contract) {
        return Arguments.of(rule, defect, contract);
    }
}
