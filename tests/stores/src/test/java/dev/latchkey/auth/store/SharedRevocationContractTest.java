package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.SharedRevocationStoreContract;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The needs of a copy: a store of a few lines meets them, and for each rule there is a broken store. */
class SharedRevocationContractTest extends SharedRevocationStoreContract {

    private static final String OF_ONE_SERVICE = "entriesOfAService_areReadByNoOtherService";

    private MapSharedRevocations store = new MapSharedRevocations();
    private MapSharedRevocations another = new MapSharedRevocations();

    @Override
    protected SharedRevocationStore node(InstantSource clock) {
        store.clock = clock;
        return store;
    }

    @Override
    protected SharedRevocationStore nodeOfAnotherService(InstantSource clock) {
        return another;
    }

    @Override
    protected void breakDown() {
        store.breakDown();
    }

    @Override
    protected void repair() {
        store.repair();
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                broken("entriesOfANode_areReadByAnotherNode_inTheOrderOfPositions", "the newest first", () -> {
                    return new MapSharedRevocations() {
                        @Override
                        public synchronized List<Recorded> recordedAfter(long position, int most) {
                            List<Recorded> page = new ArrayList<>(super.recordedAfter(position, most));
                            Collections.reverse(page);
                            return page;
                        }
                    };
                }),
                broken("returnedEntry_isTheRequestedRevocation", "by the day", () -> new MapSharedRevocations() {
                    @Override
                    public Revocation recordSubject(String subjectId, Instant notBefore) {
                        return super.recordSubject(subjectId, notBefore.minus(Duration.ofDays(1)));
                    }
                }),
                broken("repeatedRevocation_hasANewPosition", "is there already", () -> new MapSharedRevocations() {
                    @Override
                    synchronized Revocation record(Revocation revocation) {
                        boolean isKnown = super.recordedAfter(0, 100).stream()
                                .anyMatch(each -> each.revocation().id().equals(revocation.id()));
                        return isKnown ? revocation : super.record(revocation);
                    }
                }),
                broken("pages_haveAsManyAsThereAre", "a page of its own length", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized List<Recorded> recordedAfter(long position, int most) {
                        return super.recordedAfter(position, Math.min(most, 2));
                    }
                }),
                broken("pageOfANode_isNotCutShort", "at most a thousand", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized List<Recorded> recordedAfter(long position, int most) {
                        return super.recordedAfter(position, Math.min(most, 1_000));
                    }
                }),
                broken("restoredEntries_areRevoked_andReadByOtherNodes", "takes nothing back", () -> {
                    return new MapSharedRevocations() {
                        @Override
                        public synchronized void restore(List<Revocation> lost) {
                            // unnoticed
                        }
                    };
                }),
                broken("restoredEntries_lowerNoBoundAndNoEnd", "the last one counts", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized Instant notBefore(String subjectId) {
                        return super.recordedAfter(0, 100).stream()
                                .map(Recorded::revocation)
                                .filter(each -> each.id().equals(IdDigest.ofSubject(subjectId)))
                                .reduce((one, other) -> other)
                                .map(Revocation::notBefore)
                                .orElse(Instant.MIN);
                    }
                }),
                broken("restoredEntries_lowerNoBoundAndNoEnd", "the last end counts", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized Instant notBefore(String subjectId) {
                        boolean isOver = super.recordedAfter(0, 100).stream()
                                .map(Recorded::revocation)
                                .filter(each -> each.id().equals(IdDigest.ofSubject(subjectId)))
                                .reduce((one, other) -> other)
                                .filter(last -> last.until().isAfter(clock.instant()))
                                .isEmpty();
                        return isOver ? Instant.MIN : super.notBefore(subjectId);
                    }
                }),
                broken("restoredEntries_lowerNoBoundAndNoEnd", "replaces the entry", LastEntry::new),
                broken("repeatedRevocation_hasANewPosition", "replaces the entry", LastEntry::new),
                broken("restoredEntries_raiseBoundsAndEnds", "only what is missing", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized void restore(List<Revocation> lost) {
                        Set<IdDigest> present = super.recordedAfter(0, 100).stream()
                                .map(each -> each.revocation().id())
                                .collect(Collectors.toSet());
                        super.restore(lost.stream()
                                .filter(each -> !present.contains(each.id()))
                                .toList());
                    }
                }),
                broken("positionsOfAllNodes_growWithEachWrite", "each node counts", () -> new MapSharedRevocations() {
                    @Override
                    public synchronized List<Recorded> recordedAfter(long position, int most) {
                        return super.recordedAfter(0, 100).stream()
                                .map(each -> new Recorded((each.position() + 1) / 2, each.revocation()))
                                .filter(each -> each.position() > position)
                                .limit(most)
                                .toList();
                    }
                }),
                broken("latePositions_areNoLaterThanCopiesWaitFor", "a minute", () -> new MapSharedRevocations() {
                    @Override
                    public Duration lateness() {
                        return Duration.ofMinutes(1);
                    }
                }),
                broken("nodeThatReadsOn_missesNothing_ifNoPositionComesLate", "says that none comes late", Late::new),
                broken("copy_canBeKept", "takes no mark", () -> new MapSharedRevocations() {
                    @Override
                    public Revocation recordSubject(String subjectId, Instant notBefore) {
                        if (subjectId.contains("\0")) {
                            throw new IllegalArgumentException("No subject has a NUL");
                        }
                        return super.recordSubject(subjectId, notBefore);
                    }
                }),
                broken("storeThatIsDown_givesNothingAndTakesNothingBack", "has nothing", () -> {
                    return new MapSharedRevocations() {
                        @Override
                        synchronized void breakDown() {
                            loseAll();
                        }
                    };
                }));
    }

    /** Has one entry for each id: the last entry. */
    private static final class LastEntry extends MapSharedRevocations {

        @Override
        public synchronized List<Recorded> recordedAfter(long position, int most) {
            Map<IdDigest, Recorded> entries = new HashMap<>();
            super.recordedAfter(position, most)
                    .forEach(each -> entries.put(each.revocation().id(), each));
            return entries.values().stream()
                    .sorted(Comparator.comparingLong(Recorded::position))
                    .toList();
        }
    }

    /** The first entry becomes visible only after a reading of a later entry. */
    private static final class Late extends MapSharedRevocations {

        private boolean isFirst = true;

        @Override
        public Duration lateness() {
            return Duration.ZERO;
        }

        @Override
        synchronized Revocation record(Revocation revocation) {
            if (isFirst) {
                isFirst = false;
                holdBack();
            }
            Revocation recorded = super.record(revocation);
            showOthers();
            return recorded;
        }

        @Override
        public synchronized List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> read = super.recordedAfter(position, most);
            if (!read.isEmpty()) {
                showHeldBack();
            }
            return read;
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("broken")
    void brokenStore_isFound(String rule, String defect, Supplier<MapSharedRevocations> store) {
        SharedRevocationContractTest contract = new SharedRevocationContractTest();
        contract.store = store.get();
        assertThat(StoreContractsTest.fails(
                        StoreContractsTest.ruleOf(SharedRevocationStoreContract.class, rule), contract))
                .isTrue();
    }

    @Test
    void storeThatServicesReadTogether_isFound() {
        SharedRevocationContractTest contract = new SharedRevocationContractTest();
        contract.another = contract.store;
        assertThat(StoreContractsTest.fails(
                        StoreContractsTest.ruleOf(SharedRevocationStoreContract.class, OF_ONE_SERVICE), contract))
                .isTrue();
    }

    /** A rule with a single node does not find this defect. */
    @Test
    void storeWithALockInTheNode_isFound() {
        LateBetweenNodes server = new LateBetweenNodes();
        SharedRevocationContractTest contract = new SharedRevocationContractTest() {
            @Override
            protected SharedRevocationStore node(InstantSource clock) {
                server.nodes++;
                return server;
            }
        };
        assertThat(StoreContractsTest.fails(
                        StoreContractsTest.ruleOf(
                                SharedRevocationStoreContract.class,
                                "nodeThatReadsOn_missesNothing_ifNoPositionComesLate"),
                        contract))
                .isTrue();
    }

    /** The first entry of a node becomes visible only after a reading of another node's entry. */
    private static final class LateBetweenNodes extends MapSharedRevocations {

        private final CountDownLatch laterIsRead = new CountDownLatch(1);
        private boolean isFirst = true;
        private int nodes;

        @Override
        public Duration lateness() {
            return Duration.ZERO;
        }

        @Override
        public Revocation recordToken(String tokenId, Instant expiresAt) {
            Revocation revocation = Revocation.ofToken(tokenId, expiresAt);
            if (recordedAtOnce(revocation)) {
                return revocation;
            }
            try {
                assertThat(laterIsRead.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            showHeldBack();
            return revocation;
        }

        private synchronized boolean recordedAtOnce(Revocation revocation) {
            boolean isHeldBack = isFirst && nodes == 2;
            isFirst = false;
            if (isHeldBack) {
                holdBack();
            }
            record(revocation);
            showOthers();
            return !isHeldBack;
        }

        @Override
        public synchronized List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> read = super.recordedAfter(position, most);
            if (!read.isEmpty()) {
                laterIsRead.countDown();
            }
            return read;
        }
    }

    @Test
    void eachRule_isShownToFail() {
        Set<Object> shown = Stream.concat(broken().map(arguments -> arguments.get()[0]), Stream.of(OF_ONE_SERVICE))
                .collect(Collectors.toSet());
        assertThat(StoreContractsTest.rules(SharedRevocationStoreContract.class)
                        .map(Method::getName)
                        .collect(Collectors.<Object>toSet()))
                .isEqualTo(shown);
    }

    private static Arguments broken(String rule, String defect, Supplier<MapSharedRevocations> store) {
        return Arguments.of(rule, defect, store);
    }
}
