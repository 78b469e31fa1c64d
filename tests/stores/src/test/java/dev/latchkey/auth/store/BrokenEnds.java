package dev.latchkey.auth.store;

import static dev.latchkey.auth.store.BrokenStores.revocations;

import dev.latchkey.auth.store.BrokenStores.Gap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Stores of revocations whose entries end too early, each with the rule that finds the defect. */
final class BrokenEnds {

    private static final String BOUND = "laterRevocation_canOnlyExtendTheBound";
    private static final Duration LIFETIME = Duration.ofHours(1);

    private BrokenEnds() {}

    static Stream<Arguments> all() {
        return Stream.of(
                broken(BOUND, "the last end", () -> boundsEnding((first, last) -> last, bound -> bound)),
                broken(BOUND, "the first end", () -> boundsEnding((first, last) -> first, bound -> bound)),
                broken(
                        BOUND,
                        "a lifetime from now",
                        () -> revocations((shared, clock) ->
                                new EndingBounds(shared, clock, MapRevocations::later, bound -> clock.instant()))),
                broken(
                        "tokenRevokedTwice_isRevokedUntilTheLaterEnd",
                        "the last end, of a subject's token",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeTokenOf(String subjectId, String tokenId, Instant end) {
                                super.revokeToken(tokenId, end);
                                shared.tokens.put(tokenId, end);
                            }
                        })),
                broken(
                        "tokenRevokedForEver_isRevokedForEver",
                        "a year is long, for a subject's token",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeTokenOf(String subjectId, String tokenId, Instant end) {
                                Instant latest = clock.instant().plusSeconds(9);
                                super.revokeToken(tokenId, end.equals(Instant.MAX) ? latest : end);
                            }
                        })),
                broken("tokensRevokedByEightThreads_areAllRevoked", "reads the end, then writes", () -> {
                    Gap gap = new Gap();
                    return revocations((shared, clock) -> new MapRevocations(shared, clock) {
                        @Override
                        public void revokeTokenOf(String subjectId, String tokenId, Instant end) {
                            Instant present = shared.tokens.getOrDefault(tokenId, Instant.MIN);
                            gap.await();
                            shared.tokens.put(tokenId, later(present, end));
                        }
                    });
                }));
    }

    private static Object boundsEnding(BinaryOperator<Instant> ofTwo, UnaryOperator<Instant> from) {
        return revocations((shared, clock) -> new EndingBounds(shared, clock, ofTwo, from));
    }

    /** Forgets a subject's bound after the end of its entry. */
    private static final class EndingBounds extends MapRevocations {

        private final Map<String, Instant> ends = new ConcurrentHashMap<>();
        private final BinaryOperator<Instant> ofTwo;
        private final UnaryOperator<Instant> from;

        EndingBounds(Shared shared, InstantSource clock, BinaryOperator<Instant> ofTwo, UnaryOperator<Instant> from) {
            super(shared, clock);
            this.ofTwo = ofTwo;
            this.from = from;
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            super.revokeSubject(subjectId, notBefore);
            Instant end = from.apply(rounded(notBefore)).plus(LIFETIME).plus(kept());
            ends.merge(subjectId, end, ofTwo);
        }

        @Override
        public Instant notBefore(String subjectId) {
            Instant end = ends.getOrDefault(subjectId, Instant.MAX);
            return end.isBefore(clock.instant()) ? Instant.MIN : super.notBefore(subjectId);
        }
    }

    private static Arguments broken(String rule, String defect, Supplier<Object> contract) {
        return Arguments.of(rule, defect, contract);
    }
}
