package dev.latchkey.auth.cache;

import static dev.latchkey.auth.cache.Until.until;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thousand virtual threads wait in one flight while other logins run. A waiting thread must give its carrier back: otherwise
 * the other logins would never run. On JDK 17, platform threads run the same test.
 */
@Timeout(60)
@Tag("many-threads")
class VirtualThreadsTest {

    private static final int WAITERS = 1_000;

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);

    @Test
    void waiters_giveTheirCarriersBack() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        fake.beforeAnswer = (presented, hash) -> {
            if (hash.endsWith("cold")) {
                await(gate);
            }
        };
        ExecutorService threads = threadPerTask();
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i <= WAITERS; i++) {
            waiting.add(threads.submit(() -> encoder.matches("cold", "fake$cold")));
        }
        until(() -> cache.stats().waiters() >= WAITERS);
        for (int i = 0; i < 100; i++) {
            String other = "p" + i;
            assertThat(threads.submit(() -> encoder.matches(other, "fake$" + other))
                            .get(30, SECONDS))
                    .isTrue();
        }
        assertThat(waiting).noneMatch(Future::isDone);
        gate.countDown();
        for (Future<Boolean> each : waiting) {
            assertThat(each.get(30, SECONDS)).isTrue();
        }
        threads.shutdown();
        assertThat(fake.checks).hasValue(101);
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Virtual threads are newer than the compiler's release here. */
    private static ExecutorService threadPerTask() throws ReflectiveOperationException {
        return Runtime.version().feature() < 21
                ? Executors.newCachedThreadPool()
                : (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
    }
}
