package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.testsupport.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PermissionsPluginTest {

    private static final Subject ADA = Subject.of("ada");
    private static final Permission READ = new Permission("a:b", "r");
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Store store = new Store();
    private long nanos = 1;
    private final PermissionsPlugin plugin = PermissionsPlugin.of("permissions", store, BOUND, () -> nanos);

    private Access asked() {
        return plugin.authorize(ADA, READ);
    }

    @Test
    void rolesAreThoseOfTheStore_andOfTheAuthorities() {
        assertThat(asked()).isEqualTo(Access.DENIED);
        assertThat(plugin.authorize(ADA.withAuthorities("ROLE_reader"), READ)).isEqualTo(Access.GRANTED);
        assertThat(plugin.authorize(ADA.withAuthorities("reader"), READ)).isEqualTo(Access.DENIED);
        store.roles.put("bob", Set.of("reader"));
        assertThat(plugin.authorize(Subject.of("bob"), READ)).isEqualTo(Access.GRANTED);
    }

    @Test
    void keyHasTheRolesOfItsScopes_andNoneOfItsOwner() {
        store.roles.put("ada", Set.of("reader"));
        Subject key = ADA.withAuthorities("SCOPE_orders.read").withClaim("api_key", "k1");
        assertThat(plugin.authorize(key, READ)).isEqualTo(Access.DENIED);
        nanos += BOUND.toNanos();
        store.policy = Policy.builder().grant("SCOPE_orders.read", "a:*", "r").build();
        assertThat(plugin.authorize(key, READ)).isEqualTo(Access.GRANTED);
        assertThat(plugin.authorize(ADA.withClaim("api_key", "k1"), READ)).isEqualTo(Access.DENIED);
    }

    @Test
    void changes_areSeenWithinTheBound_andNotBeforeThatAsksTheStore() {
        assertThat(asked()).isEqualTo(Access.DENIED);
        store.roles.put("ada", Set.of("reader"));
        assertThat(asked()).isEqualTo(Access.DENIED);
        nanos += BOUND.toNanos();
        assertThat(asked()).isEqualTo(Access.GRANTED);
        store.policy = Policy.builder().build();
        nanos += BOUND.toNanos();
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void policy_isReadAnewFromHalfOfTheBoundOn() {
        store.roles.put("ada", Set.of("reader"));
        assertThat(asked()).isEqualTo(Access.GRANTED);
        store.policy = Policy.builder().build();
        nanos += BOUND.toNanos() / 2 - 1;
        assertThat(asked()).isEqualTo(Access.GRANTED);
        nanos += 1;
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    /** The renewal of a copy is the caller's own, so its failure is nobody's until the copy is too old. */
    @Test
    void renewalThatFails_isTriedAgain() {
        store.roles.put("ada", Set.of("reader"));
        asked();
        nanos += BOUND.toNanos() / 2;
        store.isDown = true;
        assertThat(asked()).isEqualTo(Access.GRANTED);
        store.isDown = false;
        store.policy = Policy.builder().build();
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void storeThatBreaks_isNoGrant_andTheNextQuestionReadsAgain() {
        store.whileReading = () -> {
            throw new IllegalStateException("broken");
        };
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this::asked);
        store.whileReading = () -> {};
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void rolesOfASubject_areAskedOnceWithinTheBound() {
        AtomicInteger reads = new AtomicInteger();
        store.whileReadingRoles = reads::incrementAndGet;
        asked();
        nanos += BOUND.toNanos() - 1_000_000;
        asked();
        assertThat(reads).hasValue(1);
        nanos += 1_000_000;
        asked();
        assertThat(reads).hasValue(2);
    }

    @Test
    void rolesOfASlowReading_endAtTheBoundFromItsBegin() {
        store.roles.put("ada", Set.of("reader"));
        store.whileReadingRoles = () -> {
            store.whileReadingRoles = () -> {};
            store.roles.remove("ada");
            nanos += BOUND.toNanos() / 5;
        };
        assertThat(asked()).isEqualTo(Access.GRANTED);
        nanos += BOUND.toNanos() * 4 / 5 - 1;
        assertThat(asked()).isEqualTo(Access.GRANTED);
        nanos += 1;
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void slowReading_replacesNoLaterReading() {
        store.roles.put("ada", Set.of("reader"));
        store.whileReadingRoles = () -> {
            store.whileReadingRoles = () -> {};
            store.roles.remove("ada");
            nanos += 1;
            assertThat(asked()).as("a later reading").isEqualTo(Access.DENIED);
        };
        asked();
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void longestBound_isADay() {
        assertThat(PermissionsPlugin.of("permissions", store, Duration.ofDays(1))
                        .name())
                .isEqualTo("permissions");
    }

    @Test
    void refresh_showsAChangeAtOnce() {
        asked();
        store.roles.put("ada", Set.of("reader"));
        plugin.refresh();
        assertThat(asked()).isEqualTo(Access.GRANTED);
    }

    @Test
    void readingFromBeforeAChange_isNotKept() {
        store.roles.put("ada", Set.of("reader"));
        store.whileReading = () -> {
            store.whileReading = () -> {};
            store.policy = Policy.builder().build();
            plugin.refresh();
        };
        asked();
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void rolesThatWereReadBeforeAChange_areNotKeptAfterIt() {
        store.roles.put("ada", Set.of("reader"));
        store.whileReadingRoles = () -> {
            store.whileReadingRoles = () -> {};
            store.roles.remove("ada");
            plugin.refresh();
        };
        asked();
        assertThat(asked()).isEqualTo(Access.DENIED);
    }

    @Test
    void storeThatDoesNotAnswer_isNotedByNobodyWithinTheBound_andIsAnOutageAfterIt() {
        store.roles.put("ada", Set.of("reader"));
        asked();
        store.isDown = true;
        nanos += BOUND.toNanos() - 1_000_000;
        assertThat(asked()).isEqualTo(Access.GRANTED);
        nanos += 1_000_000;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(this::asked);
        store.isDown = false;
        assertThat(asked()).isEqualTo(Access.GRANTED);
    }

    @Test
    void threadsAtOneLoad_shareItsFailure() throws Exception {
        assertThat(loadsOfManyAtOnce(() -> {
                    throw AuthUnavailableException.outage("down");
                }))
                .isEqualTo(1);
        assertThat(asked()).as("later").isEqualTo(Access.DENIED);
    }

    @Test
    void threadsAtOneLoad_shareItsPolicy() throws Exception {
        assertThat(loadsOfManyAtOnce(() -> {})).isEqualTo(1);
    }

    @Test
    void callerThatAsksAfterARefresh_doesNotShareALoadOfBefore() throws Exception {
        store.roles.put("ada", Set.of("reader"));
        CountDownLatch free = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        store.whileReading = () -> {
            store.whileReading = () -> {};
            begun.countDown();
            awaitQuietly(free);
        };
        Thread before = new Thread(this::asked);
        before.setDaemon(true);
        before.start();
        awaitQuietly(begun);
        store.policy = Policy.builder().build();
        plugin.refresh();
        assertThat(asked()).isEqualTo(Access.DENIED);
        free.countDown();
        before.join();
        assertThat(asked()).as("the older load came last").isEqualTo(Access.DENIED);
    }

    /** Sixteen threads ask during the first load, and then the load ends in this way. */
    private int loadsOfManyAtOnce(Runnable end) throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger loads = new AtomicInteger();
        store.whileReading = () -> {
            loads.incrementAndGet();
            awaitQuietly(free);
            end.run();
        };
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Thread thread = new Thread(() -> {
                try {
                    asked();
                } catch (AuthUnavailableException e) {
                    // One of two ends.
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        Until.until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        free.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        store.whileReading = () -> {};
        return loads.get();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void closedPlugin_grantsNothing() {
        store.roles.put("ada", Set.of("reader"));
        plugin.close();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(this::asked);
    }

    @Test
    void boundThatIsNone_isRefused() {
        for (Duration bound : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(2)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> PermissionsPlugin.of("permissions", store, bound));
        }
    }

    private static final class Store implements PolicyStore {

        private final Map<String, Set<String>> roles = new ConcurrentHashMap<>();
        private volatile Policy policy =
                Policy.builder().grant("reader", "a:*", "r").build();
        private boolean isDown;
        private volatile Runnable whileReading = () -> {};
        private Runnable whileReadingRoles = () -> {};

        @Override
        public Policy load() {
            requireUp();
            Policy read = policy;
            whileReading.run();
            return read;
        }

        @Override
        public Set<String> rolesOf(String subjectId) {
            requireUp();
            Set<String> read = roles.getOrDefault(subjectId, Set.of());
            whileReadingRoles.run();
            return read;
        }

        private void requireUp() {
            if (isDown) {
                throw AuthUnavailableException.outage("down");
            }
        }
    }
}
