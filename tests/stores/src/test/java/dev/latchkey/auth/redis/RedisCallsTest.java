package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The threads and time limits of calls, without a Redis: no command here uses its connection. */
@Timeout(60)
class RedisCallsTest {

    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final int THREADS = 4;

    private final InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
    private final List<String> tenantsOfResets = new CopyOnWriteArrayList<>();
    private final List<Thread> resets = new CopyOnWriteArrayList<>();
    private final LettuceConnectionFactory connections = new LettuceConnectionFactory() {
        @Override
        public void resetConnection() {
            tenantsOfResets.add(String.valueOf(tenant.get()));
            resets.add(Thread.currentThread());
        }
    };
    private final CountDownLatch free = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        free.countDown();
        tenant.remove();
    }

    private boolean hang() {
        try {
            return free.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private RedisCalls hanging(Duration deadline) {
        RedisCalls calls = new RedisCalls(connections, deadline);
        CountDownLatch begun = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            calls.later(redis -> {
                begun.countDown();
                assertThat(hang()).isTrue();
            });
        }
        until(() -> begun.getCount() == 0);
        return calls;
    }

    @Test
    void callsOnThreadsOfTheirOwn_waitForNoOtherCall() {
        RedisCalls calls = hanging(PATIENT);
        Integer answer = calls.onThreadsOfTheirOwn().call(redis -> 1);
        assertThat(answer).isEqualTo(1);
    }

    @Test
    void interruptedCaller_getsAnOutage_andStaysInterrupted() {
        RedisCalls calls = new RedisCalls(connections, PATIENT);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(redis -> hang()))
                .withMessage("The thread was interrupted while Redis was asked");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The effect of such a call was not acknowledged, so a retry may repeat the call. */
    @Test
    void callWhoseCallerHasGone_doesNotBegin() {
        RedisCalls calls = hanging(PATIENT);
        AtomicBoolean begun = new AtomicBoolean();
        assertThatThrownBy(() -> calls.within(Duration.ofMillis(1)).call(redis -> {
                    begun.set(true);
                    return 1;
                }))
                .hasMessage("Redis did not answer within 1 milliseconds");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> calls.call(redis -> {
                    begun.set(true);
                    return 1;
                }))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
        free.countDown();
        // One call more than there are threads.
        for (int i = 0; i <= THREADS; i++) {
            assertThat(calls.<Integer>call(redis -> 1)).isEqualTo(1);
        }
        assertThat(begun).isFalse();
    }

    @Test
    void begunCall_isAnsweredLater_andFailsAsAnyOther() {
        RedisCalls calls = hanging(PATIENT);
        CompletableFuture<Integer> answer = calls.begin(redis -> 7);
        CompletableFuture<Integer> failure = calls.begin(redis -> {
            throw new IllegalStateException("secret");
        });
        assertThat(answer).isNotDone();
        free.countDown();
        assertThat(answer.join()).isEqualTo(7);
        assertThatThrownBy(failure::join)
                .hasRootCauseInstanceOf(AuthUnavailableException.class)
                .hasRootCauseMessage("Redis failed: IllegalStateException");
    }

    @Test
    void begunCallThatEndsWithAnError_isAnswered() {
        CompletableFuture<Integer> failure = hanging(PATIENT).begin(redis -> {
            throw new AssertionError("Simulated");
        });
        free.countDown();
        assertThatThrownBy(() -> failure.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("Simulated");
    }

    @Test
    void begunCallThatHasWaitedForItsTimeLimit_isNotSent() {
        RedisCalls calls = hanging(Duration.ofMillis(1));
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<Boolean> answer = calls.begin(redis -> begun.getAndSet(true));
        long asked = System.nanoTime();
        until(() -> System.nanoTime() - asked > TimeUnit.MILLISECONDS.toNanos(2));
        free.countDown();
        assertThatThrownBy(answer::join)
                .hasRootCauseInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("Redis is too slow");
        assertThat(begun).isFalse();
    }

    @Test
    void begunCallBeyondTheBound_isAnOutageAtOnce() {
        RedisCalls calls = new RedisCalls(connections, PATIENT, 3);
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < THREADS + 4; i++) {
            answers.add(calls.begin(redis -> hang()));
        }
        assertThat(answers.subList(0, THREADS + 3)).noneMatch(CompletableFuture::isDone);
        assertThatThrownBy(answers.get(THREADS + 3)::join).cause().hasMessage("Redis is too slow: 3 calls wait for it");
    }

    /**
     * A call that was never sent has no effect. During an overload, these are most calls, and their undoing would occupy the threads
     * for a minute. With waiting for replicas, the undoing has other threads than the change.
     */
    @Test
    void changeOfASession_thatWasNeverSent_isNotUndone() {
        AtomicInteger asked = new AtomicInteger();
        LettuceConnectionFactory slow = new LettuceConnectionFactory() {
            @Override
            public RedisConnection getConnection() {
                if (asked.incrementAndGet() <= THREADS) {
                    assertThat(hang()).isTrue();
                }
                throw new IllegalStateException();
            }
        };
        LoginStore logins = RedisLoginStore.in(
                slow,
                RedisSettings.of(TestRedis.SHOP)
                        .withDeadline(Duration.ofSeconds(10))
                        .withWaitForReplicas(1));
        LoginStore impatient = logins.within(Duration.ofMillis(1));
        until(() -> isTooSlow(() -> impatient.end("f")));
        Instant now = Instant.EPOCH;
        StoredLogin login = new StoredLogin("f", "users", "ada", "hash", "", Set.of(), now, now, now, null);
        assertThat(isTooSlow(() -> logins.start(login))).isTrue();
        assertThat(isTooSlow(() -> logins.replace("hash", login))).isTrue();
        // One call more than there are threads.
        for (int i = 0; i <= THREADS; i++) {
            assertThat(isTooSlow(() -> logins.find("f"))).isFalse();
        }
        assertThat(asked).hasValue(2 * THREADS + 1);
    }

    private static boolean isTooSlow(ThrowingCallable call) {
        return catchThrowableOfType(AuthUnavailableException.class, call)
                .getMessage()
                .startsWith("Redis is too slow");
    }

    @Test
    void threadsOfAStore_areDaemons() throws Exception {
        RedisCalls calls = new RedisCalls(connections, PATIENT);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Thread caller = new Thread(() -> calls.later(redis -> threads.add(Thread.currentThread())));
        caller.setDaemon(false);
        caller.start();
        caller.join();
        until(() -> threads.size() == 1);
        assertThat(threads).allMatch(Thread::isDaemon);
    }

    /** The driver starts threads from these threads, and the driver's threads live on. */
    @Test
    void tenantOfTheFirstCaller_isNotSeenByCalls() {
        tenant.set("first");
        RedisCalls calls = new RedisCalls(connections, PATIENT);
        assertThat(calls.<String>call(redis -> String.valueOf(tenant.get()))).isEqualTo("null");
    }

    @Test
    void tenantOfTheCaller_isNotSeenByAReplacement() {
        tenant.set("first");
        SilentConnection silent = new SilentConnection(connections, Duration.ZERO);
        silent.begins();
        until(() -> {
            silent.replaceIfSilent();
            return !resets.isEmpty();
        });
        assertThat(tenantsOfResets).containsOnly("null");
    }

    @Test
    void connectionWithoutAnyAnswerForLong_isReplaced_byAThreadOfItsOwn() {
        SilentConnection connection = new SilentConnection(connections, Duration.ZERO);
        connection.begins();
        connection.begins();
        connection.ends(false);
        until(() -> {
            connection.replaceIfSilent();
            return !resets.isEmpty();
        });
        assertThat(resets).allMatch(Thread::isDaemon).doesNotContain(Thread.currentThread());
    }

    @Test
    void connectionOfCommandsWithoutAnswer_isReplacedByTheNextCall_ofEitherKind() {
        RedisCalls one = hanging(Duration.ofMillis(1));
        RedisCalls other = hanging(Duration.ofMillis(1));
        until(() -> {
            one.later(redis -> {});
            return !resets.isEmpty();
        });
        resets.clear();
        until(() -> {
            assertThat(other.begin(redis -> 1)).isNotCancelled();
            return !resets.isEmpty();
        });
    }

    @Test
    void connectionThatIsIdle_orHasJustBegunACommand_isKept() throws Exception {
        SilentConnection idle = new SilentConnection(connections, Duration.ZERO);
        idle.begins();
        idle.ends(false);
        SilentConnection busy = new SilentConnection(connections, Duration.ofMinutes(5));
        busy.begins();
        for (SilentConnection each : List.of(idle, busy)) {
            each.replaceIfSilent();
        }
        awaitReplacements();
        assertThat(resets).isEmpty();
    }

    @Test
    void connectionToAReplica_isReplacedAfterAWhile() throws Exception {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", 1);
        StoreLettuce own = StoreLettuce.started(new LettuceConnectionFactory(server), server, Duration.ofSeconds(1));
        try {
            long before = own.connectedAt();
            SilentConnection patient = new SilentConnection(own, Duration.ofMinutes(5));
            patient.isOfAReplica();
            patient.replaceIfSilent();
            awaitReplacements();
            assertThat(own.connectedAt()).isEqualTo(before);
            SilentConnection atOnce = new SilentConnection(own, Duration.ZERO);
            atOnce.isOfAReplica();
            until(() -> {
                atOnce.replaceIfSilent();
                return own.connectedAt() != before;
            });
        } finally {
            own.destroy();
        }
    }

    private static void awaitReplacements() throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("latchkey-redis-silent")) {
                each.join();
            }
        }
    }
}
