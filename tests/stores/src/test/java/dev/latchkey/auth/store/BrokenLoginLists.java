package dev.latchkey.auth.store;

import static dev.latchkey.auth.store.BrokenStores.logins;

import dev.latchkey.auth.store.BrokenStores.Gap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Broken stores for the sessions of an account, each with the rule that finds the defect. */
final class BrokenLoginLists {

    private BrokenLoginLists() {}

    static Stream<Arguments> all() {
        return Stream.of(
                broken(
                        "device_isKept_alsoWhereHalfOfItIsKnown",
                        "no address without a name",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                boolean isNamed = login.device().name() != null;
                                super.start(isNamed ? login : login.withDevice(StoredLogin.Device.UNKNOWN));
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areTheNewestFirst_howeverTheyWereProlonged",
                        "the oldest first",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public List<StoredLogin> ofOwner(String subjectId) {
                                List<StoredLogin> oldestFirst = new ArrayList<>(super.ofOwner(subjectId));
                                Collections.reverse(oldestFirst);
                                return oldestFirst;
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areTheNewestFirst_howeverTheyWereProlonged",
                        "by last use",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public boolean replace(String expectedTokenHash, StoredLogin next) {
                                return super.replace(expectedTokenHash, next)
                                        && super.end(next.id())
                                        && shared.put(next.id(), next) == null;
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areOfNoOther",
                        "in any letter case",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            boolean isOf(String subjectId, StoredLogin login) {
                                return login.subjectId().equalsIgnoreCase(subjectId);
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areOfEveryPlugin",
                        "of one plugin",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            boolean isOf(String subjectId, StoredLogin login) {
                                return super.isOf(subjectId, login)
                                        && login.plugin().equals("users");
                            }
                        })),
                broken(
                        "loginThatEndedOrExpired_isNotAmongThoseOfItsAccount",
                        "until it is swept",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            boolean isOver(StoredLogin login) {
                                return false;
                            }
                        })),
                broken(
                        "loginThatEndedOrExpired_isNotAmongThoseOfItsAccount",
                        "a moment longer",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            boolean isOver(StoredLogin login) {
                                return clock.instant().isAfter(login.expiresAt());
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areBounded_andTheOldestAreForgotten",
                        "all there are",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            int most() {
                                return Integer.MAX_VALUE;
                            }
                        })),
                broken(
                        "loginsOfAnAccount_areBounded_andTheOldestAreForgotten",
                        "shows fewer than it keeps",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public void start(StoredLogin login) {
                                shared.put(login.id(), login);
                            }
                        })),
                broken("twoSimultaneousStarts_areSeenByAtLeastOneOfThem", "reads the list before it writes", () -> {
                    Gap gap = new Gap();
                    Map<Thread, List<StoredLogin>> read = new ConcurrentHashMap<>();
                    return logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                        @Override
                        public void start(StoredLogin login) {
                            List<StoredLogin> present = new ArrayList<>(super.ofOwner(login.subjectId()));
                            present.add(login);
                            read.put(Thread.currentThread(), present);
                            gap.await();
                            super.start(login);
                        }

                        @Override
                        public List<StoredLogin> ofOwner(String subjectId) {
                            return Objects.requireNonNull(read.get(Thread.currentThread()));
                        }
                    });
                }),
                broken(
                        "nodesWhoseClocksDiffer_haveOneOrder_whichIsThatOfTheStarts",
                        "by the nodes' clocks",
                        () -> logins((shared, clock) -> new MapLogins(shared.shared, clock) {
                            @Override
                            public List<StoredLogin> ofOwner(String subjectId) {
                                return super.ofOwner(subjectId).stream()
                                        .sorted(Comparator.comparing(StoredLogin::startedAt)
                                                .reversed())
                                        .toList();
                            }
                        })));
    }

    private static Arguments broken(String rule, String defect, Supplier<Object> contract) {
        return Arguments.of(rule, defect, contract);
    }
}
