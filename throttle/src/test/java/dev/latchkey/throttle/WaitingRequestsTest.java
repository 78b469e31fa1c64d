package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cost of requests that wait on the machine's own time: an entry for each request, and one thread for all. */
@SuppressWarnings("FutureReturnValueIgnored") // no request passes
class WaitingRequestsTest {

    private static final int MANY = 10_000;
    private static final Duration LONG = Duration.ofHours(1);
    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final GuardTime time = GuardTime.start();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void tenThousandRequestsThatWait_costOneThread() {
        Throttle throttle = Throttle.of(
                ThrottleSettings.named("downloads")
                        .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                        .withWaiting(LONG)
                        .withMaxWaiting(MANY),
                time);
        ThrottleClient client = throttle.client(HOME);
        for (int i = 0; i < 1 + MANY; i++) {
            client.acquire(1);
        }
        assertThat(throttle.snapshot().waiting()).isEqualTo(MANY);
        assertThat(newThreads()).containsExactly("latchkey-guard-timer");
    }

    /** Without the test's own thread, and without the JDK's pool, on which Caffeine tidies up. */
    private List<String> newThreads() {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        now.remove(Thread.currentThread());
        return now.stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("ForkJoinPool.commonPool-"))
                .sorted()
                .toList();
    }
}
