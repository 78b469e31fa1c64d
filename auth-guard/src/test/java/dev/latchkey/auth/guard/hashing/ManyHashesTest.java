package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.ThreadKind;
import dev.latchkey.auth.guard.WaitingThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However many ask, and however they end: never more than there may be, and nothing is left behind. */
@Timeout(120)
class ManyHashesTest {

    private static final int THREADS = 64;
    private static final long SEED = 20_261_122;

    private final AtomicInteger computing = new AtomicInteger();
    private final AtomicInteger mostComputing = new AtomicInteger();
    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong mostMemory = new AtomicLong();

    private String hash(long memoryBytes) {
        mostMemory.accumulateAndGet(memory.addAndGet(memoryBytes), Math::max);
        mostComputing.accumulateAndGet(computing.incrementAndGet(), Math::max);
        for (int i = 0; i < 200; i++) {
            Thread.onSpinWait();
        }
        computing.decrementAndGet();
        memory.addAndGet(-memoryBytes);
        return "hashed";
    }

    private static void assertNothingIsLeft(HashingPermits permits, WaitingThreads waiting, long asked) {
        HashingStats stats = permits.stats();
        assertThat(stats.running()).as("permits that nobody gave back").isZero();
        assertThat(stats.waiting()).isZero();
        assertThat(stats.memoryInUse()).isZero();
        assertThat(waiting.waiting()).isZero();
        assertThat(stats.completed() + stats.failed() + stats.refusedFull() + stats.refusedLate() + stats.abandoned())
                .as("each ended once: %s", stats)
                .isEqualTo(asked);
    }

    static List<ThreadKind> kinds() {
        return ThreadKind.all();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sixtyFourThreads_neverComputeMoreAtOnce_norInMoreMemory_thanThereMayBe(ThreadKind kind) throws Exception {
        int rounds = 200;
        WaitingThreads waiting = WaitingThreads.atMost(THREADS);
        try (GuardTime time = GuardTime.start()) {
            HashingPermits permits = new HashingPermits(
                    HashingSettings.defaults()
                            .withAtOnce(3)
                            .withMemoryBytes(100)
                            .withMaxWait(Duration.ofMinutes(1))
                            .withFirstEstimate(Duration.ofNanos(1)),
                    waiting,
                    time,
                    GuardListener.NONE);
            ExecutorService threads = kind.executor();
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int bytes = i % 3 * 40;
                running.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        permits.call(bytes, () -> hash(bytes));
                    }
                    return rounds;
                }));
            }
            for (Future<Integer> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(mostComputing.get()).isBetween(1, 3);
            assertThat(mostMemory.get()).isLessThanOrEqualTo(100);
            assertThat(permits.stats().completed()).isEqualTo((long) THREADS * rounds);
            assertNothingIsLeft(permits, waiting, (long) THREADS * rounds);
        }
    }

    /** One thread, and a clock and an executor driven by the seed: each run is the same. */
    @Test
    void hundredThousandRandomEnds_loseNoPermit() {
        Random random = new Random(SEED);
        ManualTime time = new ManualTime();
        WaitingThreads waiting = WaitingThreads.atMost(1);
        HashingPermits permits = new HashingPermits(
                HashingSettings.defaults()
                        .withAtOnce(4)
                        .withMemoryBytes(100)
                        .withMaxWait(Duration.ofMillis(800))
                        .withFirstEstimate(Duration.ofMillis(300)),
                waiting,
                time,
                GuardListener.NONE);
        List<Runnable> handedOver = new ArrayList<>();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        long asked = 0;
        for (int i = 0; i < 100_000; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> {
                    asked++;
                    answers.add(submit(permits, random, time, handedOver));
                }
                case 4, 5, 6 -> {
                    if (!handedOver.isEmpty()) {
                        handedOver.remove(random.nextInt(handedOver.size())).run();
                    }
                }
                case 7 -> {
                    if (!answers.isEmpty()) {
                        answers.remove(random.nextInt(answers.size())).cancel(false);
                    }
                }
                case 8 -> time.advance(Duration.ofMillis(random.nextInt(200)));
                default -> time.jump(Duration.ofMillis(random.nextInt(50)));
            }
            answers.removeIf(CompletableFuture::isDone);
            assertThat(permits.stats().running()).isBetween(0, 4);
            assertThat(permits.stats().memoryInUse()).isBetween(0L, 100L);
        }
        while (!handedOver.isEmpty()) {
            handedOver.remove(0).run();
        }
        assertNothingIsLeft(permits, waiting, asked);
        assertThat(time.wakeUps()).isZero();
        HashingStats stats = permits.stats();
        assertThat(List.of(
                        stats.completed(), stats.failed(), stats.refusedFull(), stats.refusedLate(), stats.abandoned()))
                .as("every end happened often")
                .allMatch(count -> count > 500);
    }

    private CompletableFuture<String> submit(
            HashingPermits permits, Random random, ManualTime time, List<Runnable> handedOver) {
        int bytes = random.nextInt(140);
        int end = random.nextInt(10);
        boolean rejected = random.nextInt(20) == 0;
        return permits.submit(
                bytes,
                false,
                () -> {
                    time.jump(Duration.ofMillis(random.nextInt(400)));
                    if (end == 0) {
                        throw new IllegalStateException("an exception");
                    }
                    if (end == 1) {
                        throw new NoClassDefFoundError("an error");
                    }
                    return hash(bytes);
                },
                work -> {
                    if (rejected) {
                        throw new RejectedExecutionException("closed");
                    }
                    handedOver.add(work);
                });
    }

    /** Threads that call, call patiently, submit and cancel, and are interrupted meanwhile. */
    @ParameterizedTest
    @MethodSource("kinds")
    void threadsThatEndInEveryWay_loseNoPermit(ThreadKind kind) throws Exception {
        int rounds = 2_000;
        int callers = 16;
        AtomicLong asked = new AtomicLong();
        WaitingThreads waiting = WaitingThreads.atMost(6);
        ExecutorService hashing = Executors.newFixedThreadPool(2);
        try (GuardTime time = GuardTime.start()) {
            HashingPermits permits = new HashingPermits(
                    HashingSettings.defaults()
                            .withAtOnce(2)
                            .withMemoryBytes(100)
                            .withMaxWait(Duration.ofMillis(2))
                            .withFirstEstimate(Duration.ofNanos(100)),
                    waiting,
                    time,
                    GuardListener.NONE);
            ExecutorService threads = kind.executor();
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                Random random = new Random(SEED + i);
                running.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        asked.incrementAndGet();
                        endSomehow(permits, random, hashing);
                    }
                    return rounds;
                }));
            }
            for (Future<Integer> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            threads.shutdown();
            hashing.shutdown();
            assertThat(hashing.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mostComputing.get()).isBetween(1, 2);
            assertNothingIsLeft(permits, waiting, asked.get());
        }
    }

    private void endSomehow(HashingPermits permits, Random random, ExecutorService hashing) throws Exception {
        long bytes = random.nextInt(140);
        int way = random.nextInt(6);
        try {
            if (way == 0) {
                Thread.currentThread().interrupt();
            }
            if (way < 3) {
                permits.call(bytes, () -> hash(Math.min(100, bytes)));
            } else if (way == 3) {
                permits.callPatiently(bytes, () -> hash(Math.min(100, bytes)));
            } else {
                CompletableFuture<String> answer =
                        permits.submit(bytes, false, () -> hash(Math.min(100, bytes)), hashing);
                if (way == 4) {
                    answer.cancel(false);
                } else {
                    answer.get(30, TimeUnit.SECONDS);
                }
            }
        } catch (AuthUnavailableException expected) {
            assertThat(expected.getMessage()).isNotBlank();
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(AuthUnavailableException.class);
        } finally {
            Thread.interrupted();
        }
    }
}
