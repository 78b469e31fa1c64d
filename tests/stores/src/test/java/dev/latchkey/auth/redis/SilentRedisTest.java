package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.tests.simulator.FaultyWay;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A network that drops the connection to Redis and tells neither side. Each store answers by its time limit, as for
 * databases in {@code SilentConnectionsTest}, and again over another connection.
 */
@Timeout(120)
class SilentRedisTest {

    /** As many as a store has threads. */
    private static final int CALLERS = 4;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int SOME = 100;

    /** Beyond a time limit, for a machine with other work. */
    private static final Duration DELAY = Duration.ofSeconds(2);

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Asked> stores = new ArrayList<>();
    private volatile boolean isOver;

    @TempDir
    private Path folder;

    private interface Question {
        void ask() throws Exception;
    }

    /** The questions of some callers without end. */
    private final class Asked {

        private final String name;
        private final Duration limit;
        private final Question question;
        private final AtomicLong answers = new AtomicLong();
        private final AtomicLong outages = new AtomicLong();
        private final AtomicLong longest = new AtomicLong();

        Asked(String name, Duration limit, Question question) {
            this.name = name;
            this.limit = limit;
            this.question = question;
        }

        void begin() {
            for (int i = 0; i < CALLERS; i++) {
                callers.execute(this::askWithoutEnd);
            }
        }

        @Override
        public String toString() {
            return name + ": " + answers + " answers, " + outages + " outages, the longest " + longest;
        }

        private void askWithoutEnd() {
            while (!isOver) {
                long begun = System.nanoTime();
                try {
                    question.ask();
                    answers.incrementAndGet();
                } catch (AuthUnavailableException e) {
                    outages.incrementAndGet();
                } catch (Exception e) {
                    throw new AssertionError(name, e);
                }
                longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private void begin(String name, Duration limit, Question question) {
        Asked asked = new Asked(name, limit, question);
        stores.add(asked);
        asked.begin();
    }

    private static boolean isAStoreAsking() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("latchkey-redis"))
                .flatMap(each -> Arrays.stream(each.getValue()))
                .anyMatch(frame -> frame.getClassName().startsWith("io.lettuce."));
    }

    @ParameterizedTest
    @CsvSource({"false, PT1M", "true, PT1M", "false, PT0.5S", "true, PT0.5S"})
    void storesWhoseConnectionGoesSilent_answerInTime_andAgainOverAnother(boolean isPooled, Duration patience)
            throws Exception {
        RedisSettings settings = RedisSettings.of(TestRedis.SHOP);
        Secret key = Secret.of("k".repeat(32));
        try (RedisProcess server = RedisProcess.started(folder);
                FaultyWay way = new FaultyWay(server.port());
                ServiceClient client = ServiceClient.at(way.port(), isPooled, patience);
                StoreConnections redis = StoreConnections.of(client.connections(), settings.deadline());
                GuardTime time = GuardTime.start()) {
            LoginStore logins = RedisLoginStore.in(redis.factory(), settings, InstantSource.system());
            SharedRevocationStore revocations = RedisRevocationStore.in(
                    redis.factory(), Duration.ofHours(1), settings, InstantSource.system(), 10_000);
            LoginLimits limits = LoginLimits.shared(
                    LoginLimitSettings.defaults(),
                    RedisBucketStore.in(redis.factory(), settings),
                    key,
                    time,
                    event -> {});
            ThrottleClient throttle = SharedThrottles.in(
                            RedisPortionStore.in(redis.factory(), settings), key, time, ThrottleListener.NONE)
                    .throttle(ThrottleSettings.named("api")
                            .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000)))
                    .client(HOME);
            begin("sessions", Duration.ofSeconds(1), () -> logins.find("nobody"));
            begin("revocations", Duration.ofSeconds(1), () -> revocations.isTokenRevoked("none"));
            begin("limits", Duration.ofMillis(200), () -> logIn(limits));
            begin("throttle", Duration.ofMillis(200), () -> throttle.acquire(1).join());
            until(() -> haveAnswered(List.of(0L, 0L, 0L, 0L)));
            stores.forEach(each -> each.longest.set(0));
            way.loseOpenConnections();
            until(() -> stores.stream().limit(2).allMatch(each -> each.outages.get() > 2 * CALLERS));
            List<Long> before = stores.stream().map(each -> each.answers.get()).toList();
            until(() -> haveAnswered(before));
            System.out.println("Silent connection to Redis: " + stores);
            assertThat(stores)
                    .allSatisfy(each -> assertThat(Duration.ofNanos(each.longest.get()))
                            .as(each.name)
                            .isLessThan(each.limit.plus(DELAY)));
            isOver = true;
        } finally {
            isOver = true;
            callers.shutdownNow();
        }
        until(() -> !isAStoreAsking());
    }

    private static void logIn(LoginLimits limits) {
        if (limits.reserve(new LoginAttempt("ann", HOME), null).join() instanceof Admission.Admitted admitted) {
            admitted.reservation().settle(AttemptResult.SUCCEEDED, null);
        }
    }

    private boolean haveAnswered(List<Long> before) {
        return stores.stream().allMatch(each -> each.answers.get() > before.get(stores.indexOf(each)) + SOME);
    }
}
