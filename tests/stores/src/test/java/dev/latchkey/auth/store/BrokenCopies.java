package dev.latchkey.auth.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Copies that answer alone where a decision must not miss a change of another node. */
final class BrokenCopies {

    private BrokenCopies() {}

    static Stream<Arguments> all() {
        return Stream.of(
                broken("the present bound is from the copy", Copy::new),
                broken("a refresh asks the copy", store -> new Copy(store) {
                    @Override
                    public Instant currentNotBefore(String subjectId) {
                        return store.currentNotBefore(subjectId);
                    }

                    @Override
                    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
                        return issuedAt.isBefore(notBefore(subjectId));
                    }
                }));
    }

    /** Answers all questions about subjects from the copy, by the defaults of the interface. */
    private static class Copy implements RevocationStore {

        private final RevocationStore store;

        Copy(RevocationStore store) {
            this.store = store;
        }

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            store.revokeToken(tokenId, expiresAt);
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            store.revokeSubject(subjectId, notBefore);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return store.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return store.isTokenRevoked(tokenId);
        }
    }

    private static Arguments broken(String defect, Function<RevocationStore, RevocationStore> copy) {
        Supplier<Object> contract = () -> new LocalRevocationsContractTest() {
            @Override
            protected RevocationStore node(InstantSource clock) {
                return copy.apply(super.node(clock));
            }
        };
        return Arguments.of("revocationOfANode_holdsOnAnotherNode", defect, contract);
    }
}
