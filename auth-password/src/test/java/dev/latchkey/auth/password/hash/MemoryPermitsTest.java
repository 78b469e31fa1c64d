package dev.latchkey.auth.password.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.password.Cheap;
import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.PasswordEncoders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hashes that run at once take no more memory than there are permits for. */
class MemoryPermitsTest {

    @Test
    void noMoreHashesRunThanThereIsMemoryFor() throws Exception {
        MemoryPermits permits = MemoryPermits.ofBytes(3 * 1024).withMaxWait(Duration.ofMinutes(1));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        ExecutorService threads = Executors.newFixedThreadPool(12);
        List<Future<Integer>> hashes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            hashes.add(threads.submit(() -> permits.whileHolding(1024, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                three.countDown();
                awaitUninterruptibly(three);
                return running.decrementAndGet();
            })));
        }
        for (Future<Integer> hash : hashes) {
            hash.get(1, TimeUnit.MINUTES);
        }
        threads.shutdownNow();

        assertThat(most).hasValue(3);
        assertThat(permits.availableBytes()).isEqualTo(permits.totalBytes());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyHashThatTakesMemory_asksForIt() {
        MemoryPermits permits = MemoryPermits.ofBytes(64 * 1024).withMaxWait(Duration.ZERO);
        for (HashSpec spec : List.of(Cheap.argon2id(), Cheap.scrypt())) {
            PasswordEncoders encoders =
                    Cheap.encoders().withMemoryPermits(permits).withDefault(spec);
            String stored = encoders.encode("correct horse");

            permits.whileHolding(64 * 1024, () -> {
                assertThatThrownBy(() -> encoders.encode("correct horse")).isInstanceOf(AuthUnavailableException.class);
                assertThatThrownBy(() -> encoders.matches("correct horse", stored))
                        .isInstanceOf(AuthUnavailableException.class);
                assertThatThrownBy(() -> encoders.matchesNobody("correct horse"))
                        .isInstanceOf(AuthUnavailableException.class);
                return null;
            });
            assertThat(encoders.matches("correct horse", stored)).isTrue();
        }
    }

    @Test
    void callerThatGetsNoMemoryInTime_isToldOverload_andWhenToRetry() {
        MemoryPermits permits = MemoryPermits.ofBytes(2048).withMaxWait(Duration.ofMillis(1));

        permits.whileHolding(1025, () -> {
            assertThatThrownBy(() -> permits.whileHolding(1, () -> "done"))
                    .isInstanceOfSatisfying(AuthUnavailableException.class, e -> {
                        assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
                        assertThat(e.retryAfter()).isPresent();
                    });
            return null;
        });
        assertThat(permits.whileHolding(2048, () -> "done")).isEqualTo("done");
    }

    @Test
    void hashThatFails_givesItsMemoryBack() {
        MemoryPermits permits = MemoryPermits.ofBytes(1024);

        assertThatThrownBy(() -> permits.whileHolding(1024, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(permits.availableBytes()).isEqualTo(1024);
    }

    @Test
    void interruptedWait_isOverload_andTheInterruptIsKept() throws Exception {
        MemoryPermits permits = MemoryPermits.ofBytes(1024);
        ExecutorService other = Executors.newSingleThreadExecutor();

        permits.whileHolding(1024, () -> {
            Future<Boolean> interrupted = other.submit(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> permits.whileHolding(1024, () -> "done"))
                        .isInstanceOf(AuthUnavailableException.class);
                return Thread.currentThread().isInterrupted();
            });
            try {
                assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError(e);
            }
            return null;
        });
        other.shutdownNow();
    }

    @Test
    void encoderWhoseOneHashExceedsThePermits_isRefusedAtTheStart() {
        PasswordEncoders encoders = PasswordEncoders.recommended();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoders.withMemoryPermits(MemoryPermits.ofBytes(1 << 20)))
                .withMessageContaining("19456 KiB")
                .withMessageContaining("1024 KiB");
    }

    /** A longer wait would overflow at the first login that has to wait. */
    @Test
    void waitOutOfRange_isRefusedAtOnce_andTheRangeIsNamed() {
        MemoryPermits permits = MemoryPermits.ofBytes(1024);

        for (Duration wait :
                List.of(Duration.ofNanos(-1), Duration.ofHours(1).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> permits.withMaxWait(wait))
                    .withMessageContaining("0 to 1 hour");
        }
        assertThat(permits.withMaxWait(Duration.ofHours(1)).<String>whileHolding(1, () -> "done"))
                .isEqualTo("done");
        assertThat(permits.withMaxWait(Duration.ZERO).<String>whileHolding(1, () -> "done"))
                .isEqualTo("done");
    }

    @Test
    void nonsense_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> MemoryPermits.ofBytes(1023));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryPermits.ofBytes(1024).withMaxWait(Duration.ofMillis(-1)));
    }
}
