package dev.latchkey.auth.store;

import static dev.latchkey.auth.store.BrokenStores.logins;
import static dev.latchkey.auth.store.BrokenStores.revocations;
import static dev.latchkey.auth.store.BrokenStores.withoutSwitch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.contract.LoginStoreContract;
import dev.latchkey.auth.contract.RevocationStoreContract;
import dev.latchkey.auth.store.BrokenStores.Gap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contracts of stores can fail: for each rule there is a broken store, and the contract finds the defect. */
class StoreContractsTest {

    private static final String DOWN = "storeThatIsDown_answersNothing_andHasWhatItHadAfterwards";
    private static final String NOT_REVOKED = "unknownIds_areNotRevoked";

    static Stream<Arguments> brokenRevocations() {
        return Stream.of(
                broken(
                        NOT_REVOKED,
                        "refuses everything",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public boolean isTokenRevoked(String tokenId) {
                                return true;
                            }
                        })),
                broken(
                        "revocation_holdsInItsOwnServiceOnly",
                        "one store for all services",
                        () -> withoutSwitch(new MapRevocations(new MapRevocations.Shared(), time()))),
                broken(
                        "revokedToken_isRevoked_andNoOtherIs",
                        "one namespace",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public Instant notBefore(String id) {
                                return shared.tokens.getOrDefault(id, super.notBefore(id));
                            }
                        })),
                broken(
                        "revokedToken_isRevokedUntilItsEnd",
                        "forgets early",
                        () -> revocations((shared, clock) -> ending(shared, clock, end -> end.minusSeconds(30)))),
                broken(
                        "tokenRevokedTwice_isRevokedUntilTheLaterEnd",
                        "last end",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeToken(String tokenId, Instant end) {
                                super.revokeToken(tokenId, end);
                                shared.tokens.put(tokenId, end);
                            }
                        })),
                broken(
                        "tokenRevokedForEver_isRevokedForEver",
                        "a year is long",
                        () -> revocations((shared, clock) -> ending(
                                shared,
                                clock,
                                end -> end.equals(Instant.MAX) ? clock.instant().plusSeconds(9) : end))),
                broken(
                        "tokenOfASubject_isRevoked",
                        "leaves out subjects' tokens",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeTokenOf(String subjectId, String tokenId, Instant end) {}
                        })),
                broken(
                        "tokensOfOneSubjectWithoutEnd_stayRevoked_andLeaveRoomForOthers",
                        "forgets the oldest",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeTokenOf(String subjectId, String tokenId, Instant end) {
                                super.revokeToken(tokenId, end);
                                if (shared.tokens.size() > 1_000) {
                                    shared.tokens.keySet().remove("t0");
                                }
                            }
                        })),
                broken(
                        "tokensOfOneSubjectWithoutEnd_stayRevoked_andLeaveRoomForOthers",
                        "revokes the subject on and on",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeTokenOf(String subjectId, String tokenId, Instant end) {
                                revokeSubject(subjectId, later(clock.instant(), notBefore(subjectId)));
                            }
                        })),
                broken(
                        "subjectsBound_isTheNextWholeSecond",
                        "does not round",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeSubject(String subjectId, Instant notBefore) {
                                shared.bounds.merge(subjectId, notBefore, MapRevocations::later);
                            }
                        })),
                broken(
                        "laterRevocation_canOnlyExtendTheBound",
                        "last bound",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeSubject(String subjectId, Instant notBefore) {
                                shared.bounds.put(subjectId, rounded(notBefore));
                            }
                        })),
                broken(
                        "subjectRevokedTwiceWithinASecond_isKeptOutNoLonger",
                        "moves its bound on",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeSubject(String subjectId, Instant notBefore) {
                                Instant next = notBefore(subjectId).plusSeconds(1);
                                shared.bounds.put(subjectId, later(next, rounded(notBefore)));
                            }
                        })),
                broken(
                        "tokenOfTheFastestNodeBetweenTwoRevocations_isRevoked",
                        "was revoked lately",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeSubject(String subjectId, Instant notBefore) {
                                if (!notBefore(subjectId).isAfter(clock.instant())) {
                                    super.revokeSubject(subjectId, notBefore);
                                }
                            }
                        })),
                broken(
                        "subjectsRevocation_isKeptForTheLongestLifetimeOfAToken",
                        "half of it",
                        () -> revocations((shared, clock) -> boundsKeptFor(shared, clock, Duration.ofMinutes(30)))),
                broken(
                        "subjectRevokedForEver_isRevokedForEver",
                        "a day",
                        () -> revocations((shared, clock) -> boundsKeptFor(shared, clock, Duration.ofDays(1)))),
                broken("subjectsRevokedByEightThreads_haveTheLatestBound", "reads, then writes", () -> {
                    Gap gap = new Gap();
                    return revocations((shared, clock) -> new MapRevocations(shared, clock) {
                        @Override
                        public void revokeSubject(String subjectId, Instant notBefore) {
                            Instant present = notBefore(subjectId);
                            gap.await();
                            shared.bounds.put(subjectId, later(present, rounded(notBefore)));
                        }
                    });
                }),
                broken("tokensRevokedByEightThreads_areAllRevoked", "writes all that it has read", () -> {
                    Gap gap = new Gap();
                    AtomicReference<Set<String>> all = new AtomicReference<>(Set.of());
                    return revocations((shared, clock) -> new MapRevocations(shared, clock) {
                        @Override
                        public void revokeToken(String tokenId, Instant expiresAt) {
                            Set<String> more = new HashSet<>(all.get());
                            more.add(tokenId);
                            gap.await();
                            all.set(more);
                        }

                        @Override
                        public boolean isTokenRevoked(String tokenId) {
                            return all.get().contains(tokenId);
                        }
                    });
                }),
                broken(
                        "revocationOfANode_holdsOnAnotherNode",
                        "a store for each",
                        () -> revocations((shared, clock) -> new MapRevocations(new MapRevocations.Shared(), clock))),
                broken(
                        "nodesWhoseClocksDiffer_forgetNothingThatTheSlowerOneStillAccepts",
                        "by its own clock",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            Duration kept() {
                                return Duration.ZERO;
                            }
                        })),
                broken(DOWN, "nothing is revoked while it is down", () -> withoutSwitch(map())),
                broken(DOWN, "another exception", () -> failing(message -> new IllegalStateException("down"))),
                broken(DOWN, "says the id", () -> failing(AuthUnavailableException::outage)),
                broken(
                        DOWN,
                        "overload",
                        () -> failing(message -> AuthUnavailableException.overload("full", Duration.ofSeconds(1)))),
                broken(DOWN, "comes back empty", () -> {
                    AtomicReference<MapRevocations.Shared> kept = new AtomicReference<>();
                    return revocations(
                            (shared, clock) -> {
                                kept.set(shared);
                                return new MapRevocations(shared, clock);
                            },
                            () -> kept.get().tokens.clear());
                }),
                broken("hostileIdsOfTokens_areDistinguished", "folds", () -> keyed(id -> id.toLowerCase(Locale.ROOT))),
                broken("hostileIdsOfTokens_areDistinguished", "strips", () -> keyed(String::strip)),
                broken("hostileIdsOfTokens_areDistinguished", "a C string", () -> keyed(id -> id.split("\0", 2)[0])),
                broken("hostileIdsOfTokens_areDistinguished", "cuts", () -> keyed(StoreContractsTest::cut)),
                broken("hostileIdsOfTokens_areDistinguished", "encodes", () -> keyed(StoreContractsTest::encoded)),
                broken(
                        "hostileIdsOfTokens_areDistinguished",
                        "asks for what it cannot revoke",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public void revokeToken(String tokenId, Instant expiresAt) {
                                if (tokenId.contains("\0")) {
                                    throw new IllegalArgumentException("NUL");
                                }
                                super.revokeToken(tokenId, expiresAt);
                            }
                        })),
                broken("hostileIdsOfSubjects_areDistinguished", "cuts", () -> keyed(StoreContractsTest::cut)),
                broken(
                        "text_holdsNoId",
                        "prints its map",
                        () -> revocations((shared, clock) -> new MapRevocations(shared, clock) {
                            @Override
                            public String toString() {
                                return shared.tokens.toString();
                            }
                        })));
    }

    static Stream<Arguments> brokenLogins() {
        return Stream.of(
                broken(
                        "startedLogin_isFoundAsItWas_andNoOtherIs",
                        "whole seconds",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public Optional<StoredLogin> find(String id) {
                                return super.find(id)
                                        .map(login -> startedAt(
                                                login, login.startedAt().truncatedTo(ChronoUnit.SECONDS)));
                            }
                        })),
                broken(
                        "loginOfOneService_isNoneOfAnother",
                        "one store for all services",
                        () -> withoutSwitch(new MapLogins(time()))),
                broken(
                        "replacement_needsTheTokenThatIsGoodNow",
                        "any token",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public boolean replace(String expectedTokenHash, StoredLogin next) {
                                return shared.replace(next.id(), next) != null;
                            }
                        })),
                broken(
                        "replacement_isWrittenAsAWhole",
                        "the hash alone",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public boolean replace(String expectedTokenHash, StoredLogin next) {
                                return super.replace(expectedTokenHash, startedAt(next, next.startedAt()));
                            }
                        })),
                broken("replacementByEightThreads_isWonByOne_andTheOthersFindWhatItWrote", "reads, then writes", () -> {
                    Gap gap = new Gap();
                    return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                        @Override
                        public boolean replace(String expectedTokenHash, StoredLogin next) {
                            boolean isPresent =
                                    shared.get(next.id()).tokenHash().equals(expectedTokenHash);
                            gap.await();
                            shared.put(next.id(), next);
                            return isPresent;
                        }
                    });
                }),
                broken(
                        "endedLogin_isGone_andEndsOnce",
                        "ends again",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public boolean end(String id) {
                                return super.end(id) || id.equals("f");
                            }
                        })),
                broken("endByEightThreads_isToldToOne", "reads, then removes", () -> {
                    Gap gap = new Gap();
                    return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                        @Override
                        public boolean end(String id) {
                            boolean isPresent = shared.containsKey(id);
                            gap.await();
                            shared.remove(id);
                            return isPresent;
                        }
                    });
                }),
                broken("endAmidReplacements_isTheEnd", "writes what has ended", () -> {
                    CountDownLatch ended = new CountDownLatch(1);
                    return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                        @Override
                        public boolean replace(String expectedTokenHash, StoredLogin next) {
                            awaitQuietly(ended);
                            shared.put(next.id(), next);
                            return true;
                        }

                        @Override
                        public boolean end(String id) {
                            boolean isEnded = super.end(id);
                            ended.countDown();
                            return isEnded;
                        }
                    });
                }),
                broken(
                        "subjectThatLogsInWithoutEnd_pushesOutNobodyElse",
                        "one room for all",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                super.start(login);
                                if (shared.size() > 20) {
                                    shared.remove("bobs");
                                }
                            }
                        })),
                broken(
                        "subjectThatLogsInWithoutEnd_pushesOutNobodyElse",
                        "the newest goes",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                if (shared.size() < 20) {
                                    super.start(login);
                                }
                            }
                        })),
                broken(
                        "changeOfANode_holdsOnAnotherNode",
                        "a store for each",
                        () -> logins((shared, clock) -> new MapLogins(clock))),
                broken(
                        "nodesWhoseClocksDiffer_forgetNoLoginThatTheSlowerOneStillAccepts",
                        "by its own clock",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            Duration kept() {
                                return Duration.ZERO;
                            }
                        })),
                broken("prolongedLogin_isKeptUntilItsNewEnd", "its first end", () -> {
                    Map<String, Instant> ends = new ConcurrentHashMap<>();
                    return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                        @Override
                        public void start(StoredLogin login) {
                            super.start(login);
                            ends.put(login.id(), login.expiresAt());
                            shared.keySet().removeIf(id -> ends.get(id).isBefore(clock.instant()));
                        }
                    });
                }),
                broken(DOWN, "nobody is logged in while it is down", () -> withoutSwitch(new MapLogins(time()))),
                broken(
                        "hostileIds_areDistinguished",
                        "cuts",
                        () -> logins((shared, clock) -> keyedLogins(shared, clock, StoreContractsTest::cut))),
                broken(
                        "hostileIds_areDistinguished",
                        "folds",
                        () -> logins((shared, clock) -> keyedLogins(shared, clock, id -> id.toLowerCase(Locale.ROOT)))),
                broken(
                        "hostileTexts_areKeptAsTheyAre",
                        "drops what a column refuses",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                super.start(of(login, login.subjectId().replace("\0", "")));
                            }
                        })),
                broken(
                        "text_holdsNothingOfALogin",
                        "prints its map",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public String toString() {
                                return shared.toString();
                            }
                        })));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({
        "brokenRevocations",
        "dev.latchkey.auth.store.BrokenViews#ofRevocations",
        "dev.latchkey.auth.store.BrokenEnds#all",
        "dev.latchkey.auth.store.BrokenCopies#all",
        "dev.latchkey.auth.store.BrokenNodeLocks#ofRevocations"
    })
    void brokenRevocations_areFound(String rule, String defect, Supplier<Object> contract) {
        assertThat(fails(ruleOf(RevocationStoreContract.class, rule), contract.get()))
                .isTrue();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({
        "brokenLogins",
        "dev.latchkey.auth.store.BrokenLoginLists#all",
        "dev.latchkey.auth.store.BrokenViews#ofLogins",
        "dev.latchkey.auth.store.BrokenNodeLocks#ofLogins"
    })
    void brokenLogins_areFound(String rule, String defect, Supplier<Object> contract) {
        assertThat(fails(ruleOf(LoginStoreContract.class, rule), contract.get()))
                .isTrue();
    }

    @Test
    void eachRule_isShownToFail_andIsKeptByStoresOfAFewLines() {
        assertThat(rules(RevocationStoreContract.class).map(Method::getName))
                .containsExactlyInAnyOrderElementsOf(shownToFail(brokenRevocations()));
        assertThat(rules(LoginStoreContract.class).map(Method::getName))
                .containsExactlyInAnyOrderElementsOf(
                        shownToFail(Stream.concat(brokenLogins(), BrokenLoginLists.all())));
        assertThat(rules(RevocationStoreContract.class).filter(rule -> fails(rule, revocations(MapRevocations::new))))
                .isEmpty();
        assertThat(rules(LoginStoreContract.class)
                        .filter(rule -> fails(rule, logins((shared, clock) -> new MapLogins(shared.shared, clock)))))
                .isEmpty();
    }

    /** A time to live, as a TTL index of a database. */
    @Test
    void storesThatExpireByTheServersClock_keepTheContracts() {
        Instant now = InstantSource.system().instant();
        assertThat(rules(RevocationStoreContract.class)
                        .filter(rule ->
                                fails(rule, revocations((shared, clock) -> new MapRevocations(shared, () -> now) {
                                    @Override
                                    Duration kept() {
                                        return Duration.ZERO;
                                    }
                                }))))
                .isEmpty();
        assertThat(rules(LoginStoreContract.class)
                        .filter(rule -> fails(rule, logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                super.start(login);
                                shared.values()
                                        .removeIf(other -> other.expiresAt().isBefore(now));
                            }
                        }))))
                .isEmpty();
    }

    /** JUnit only interrupts the thread of the build, and a blocked {@code Socket.read} of JDK 17 ignores an interrupt. */
    @Test
    void storeThatNeverAnswers_endsATest_andNotTheBuild() {
        assertThat(Stream.of(RevocationStoreContract.class, LoginStoreContract.class)
                        .map(contract -> contract.getAnnotation(Timeout.class).threadMode()))
                .containsOnly(Timeout.ThreadMode.SEPARATE_THREAD);
    }

    private static Arguments broken(String rule, String defect, Supplier<Object> contract) {
        return Arguments.of(rule, defect, contract);
    }

    private static Set<String> shownToFail(Stream<Arguments> broken) {
        Set<String> rules = new HashSet<>();
        broken.forEach(arguments -> rules.add((String) arguments.get()[0]));
        return rules;
    }

    static Stream<Method> rules(Class<?> contract) {
        return Arrays.stream(contract.getDeclaredMethods()).filter(method -> method.isAnnotationPresent(Test.class));
    }

    static Method ruleOf(Class<?> contract, String name) {
        return rules(contract)
                .filter(rule -> rule.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static boolean fails(Method rule, Object contract) {
        try {
            rule.setAccessible(true);
            rule.invoke(contract);
            return false;
        } catch (InvocationTargetException e) {
            return true;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static InstantSource time() {
        return () -> Instant.EPOCH;
    }

    private static RevocationStore map() {
        return new MapRevocations(new MapRevocations.Shared(), time());
    }

    /** A contract over nodes that fail in this way for every unknown id. */
    private static RevocationStoreContract failing(java.util.function.Function<String, RuntimeException> failure) {
        return withoutSwitch(new MapRevocations(new MapRevocations.Shared(), time()) {
            @Override
            String key(String id) {
                if (id.startsWith("unknown")) {
                    throw failure.apply(id);
                }
                return id;
            }
        });
    }

    private static RevocationStoreContract keyed(UnaryOperator<String> key) {
        return revocations((shared, clock) -> new MapRevocations(shared, clock) {
            @Override
            String key(String id) {
                return key.apply(id);
            }
        });
    }

    private static MapRevocations ending(
            MapRevocations.Shared shared, InstantSource clock, UnaryOperator<Instant> end) {
        return new MapRevocations(shared, clock) {
            @Override
            public void revokeToken(String tokenId, Instant expiresAt) {
                super.revokeToken(tokenId, end.apply(expiresAt));
            }
        };
    }

    private static MapRevocations boundsKeptFor(MapRevocations.Shared shared, InstantSource clock, Duration kept) {
        Instant made = clock.instant();
        return new MapRevocations(shared, clock) {
            @Override
            public Instant notBefore(String subjectId) {
                return clock.instant().isAfter(made.plus(kept)) ? Instant.MIN : super.notBefore(subjectId);
            }
        };
    }

    private static MapLogins keyedLogins(MapLogins shared, InstantSource clock, UnaryOperator<String> key) {
        return new MapLogins(shared.shared, clock) {
            @Override
            public void start(StoredLogin login) {
                shared.put(key.apply(login.id()), login);
            }

            @Override
            public Optional<StoredLogin> find(String id) {
                return super.find(key.apply(id));
            }

            @Override
            public boolean end(String id) {
                return super.end(key.apply(id));
            }
        };
    }

    private static StoredLogin startedAt(StoredLogin login, Instant startedAt) {
        return new StoredLogin(
                login.id(),
                login.plugin(),
                login.subjectId(),
                login.tokenHash(),
                login.stamp(),
                login.methods(),
                startedAt,
                login.endsAt(),
                login.expiresAt(),
                null);
    }

    private static StoredLogin of(StoredLogin login, String subjectId) {
        return new StoredLogin(
                login.id(),
                login.plugin(),
                subjectId,
                login.tokenHash(),
                login.stamp(),
                login.methods(),
                login.startedAt(),
                login.endsAt(),
                login.expiresAt(),
                login.replaced());
    }

    private static String cut(String id) {
        return id.substring(0, Math.min(id.length(), 255));
    }

    private static String encoded(String id) {
        byte[] bytes = id.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
