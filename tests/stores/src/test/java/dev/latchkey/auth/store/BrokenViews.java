package dev.latchkey.auth.store;

import static dev.latchkey.auth.store.BrokenStores.logins;
import static dev.latchkey.auth.store.BrokenStores.revocations;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Broken views of right stores, and nodes that keep their own answers, each with the rule that finds the defect. */
final class BrokenViews {

    private BrokenViews() {}

    static Stream<Arguments> ofRevocations() {
        return Stream.of(
                broken(
                        "revokedToken_isRevoked_andNoOtherIs",
                        "a view of its own",
                        () -> revocationsWith(store -> new MapRevocations(new MapRevocations.Shared(), store.clock))),
                broken(
                        "revokedToken_isRevoked_andNoOtherIs",
                        "no view",
                        () -> revocationsWith(store -> {
                            throw new UnsupportedOperationException("no view");
                        })),
                broken(
                        "subjectsBound_isTheNextWholeSecond",
                        "no present bound",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public Instant currentNotBefore(String subjectId) {
                                return Instant.MIN;
                            }

                            @Override
                            public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
                                return issuedAt.isBefore(notBefore(subjectId));
                            }
                        })),
                broken(
                        "revocationOfANode_holdsOnAnotherNode",
                        "keeps what was not revoked",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            private final Set<String> good = ConcurrentHashMap.newKeySet();

                            @Override
                            public void revokeToken(String tokenId, Instant expiresAt) {
                                super.revokeToken(tokenId, expiresAt);
                                good.remove(tokenId);
                            }

                            @Override
                            public boolean isTokenRevoked(String tokenId) {
                                boolean isGood = good.contains(tokenId) || !super.isTokenRevoked(tokenId);
                                if (isGood) {
                                    good.add(tokenId);
                                }
                                return !isGood;
                            }
                        })),
                broken(
                        "revocationOfANode_holdsOnAnotherNode",
                        "keeps bounds",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            private final Map<String, Instant> bounds = new ConcurrentHashMap<>();

                            @Override
                            public void revokeSubject(String subjectId, Instant notBefore) {
                                super.revokeSubject(subjectId, notBefore);
                                bounds.remove(subjectId);
                            }

                            @Override
                            public Instant notBefore(String subjectId) {
                                return bounds.computeIfAbsent(subjectId, super::notBefore);
                            }
                        })));
    }

    static Stream<Arguments> ofLogins() {
        return Stream.of(
                broken(
                        "startedLogin_isFoundAsItWas_andNoOtherIs",
                        "a view of its own",
                        () -> loginsWith(store -> new MapLogins(store.clock))),
                broken(
                        "startedLogin_isFoundAsItWas_andNoOtherIs",
                        "no view",
                        () -> loginsWith(store -> {
                            throw new UnsupportedOperationException("no view");
                        })),
                broken(
                        "replacementByEightThreads_isWonByOne_andTheOthersFindWhatItWrote",
                        "a view that only writes",
                        () -> loginsWith(store -> new MapLogins(store.shared, store.clock) {
                            @Override
                            public boolean replace(String expectedTokenHash, StoredLogin next) {
                                shared.put(next.id(), next);
                                return true;
                            }
                        })),
                broken(
                        "changeOfANode_holdsOnAnotherNode",
                        "keeps what it found",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            private final Map<String, Optional<StoredLogin>> found = new ConcurrentHashMap<>();

                            @Override
                            public void start(StoredLogin login) {
                                super.start(login);
                                found.remove(login.id());
                            }

                            @Override
                            public Optional<StoredLogin> find(String id) {
                                return found.computeIfAbsent(id, super::find);
                            }

                            @Override
                            public boolean replace(String expectedTokenHash, StoredLogin next) {
                                boolean isReplaced = super.replace(expectedTokenHash, next);
                                found.remove(next.id());
                                return isReplaced;
                            }

                            @Override
                            public boolean end(String id) {
                                boolean isEnded = super.end(id);
                                found.remove(id);
                                return isEnded;
                            }
                        })));
    }

    private static Object revocationsWith(Function<MapRevocations, RevocationStore> view) {
        return revocations((shared, clock) -> new MapRevocations(shared, clock) {
            @Override
            public RevocationStore within(Duration longest) {
                return view.apply(this);
            }
        });
    }

    private static Object loginsWith(Function<MapLogins, LoginStore> view) {
        return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
            @Override
            public LoginStore within(Duration longest) {
                return view.apply(this);
            }
        });
    }

    private static Arguments broken(String rule, String defect, Supplier<Object> contract) {
        return Arguments.of(rule, defect, contract);
    }
}
