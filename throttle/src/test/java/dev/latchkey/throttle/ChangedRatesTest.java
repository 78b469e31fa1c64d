package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangedRatesTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final int CALLERS = 3;
    private static final int ROUNDS = 3_000;

    /** A request that read the former rate must not bring the former rate back. */
    @Test
    void requestsThatArriveDuringAChange_haveTheNewRate() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (GuardTime time = GuardTime.start()) {
            for (int round = 0; round < ROUNDS; round++) {
                Throttle throttle = Throttle.of(
                        ThrottleSettings.named("downloads")
                                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, Duration.ofDays(1), 1))
                                .withWaiting(Duration.ofHours(1)),
                        time);
                assertThat(throttle.client(HOME).acquire(1)).isCompleted();
                Phaser start = new Phaser(CALLERS + 1);
                List<CompletableFuture<ThrottleResult>> requests = IntStream.range(0, CALLERS)
                        .mapToObj(i -> CompletableFuture.runAsync(start::arriveAndAwaitAdvance, callers)
                                .thenCompose(begun -> throttle.client(HOME).acquire(1)))
                        .toList();
                start.arriveAndAwaitAdvance();
                throttle.changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
                for (CompletableFuture<ThrottleResult> request : requests) {
                    assertThat(request.get(10, TimeUnit.SECONDS)).isInstanceOf(ThrottleResult.Passed.class);
                }
            }
        } finally {
            callers.shutdownNow();
        }
    }
}
