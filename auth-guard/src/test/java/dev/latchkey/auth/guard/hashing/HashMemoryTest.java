package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashThreads.Hash;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hashes with memory share the available memory. */
@Timeout(60)
class HashMemoryTest {

    private final ManualTime time = new ManualTime();
    private final HashingPermits permits = new HashingPermits(
            HashingSettings.defaults()
                    .withAtOnce(2)
                    .withMemoryBytes(100)
                    .withMaxWait(Duration.ofSeconds(10))
                    .withFirstEstimate(Duration.ofMillis(100)),
            WaitingThreads.atMost(10),
            time,
            GuardListener.NONE);
    private final HashThreads threads = new HashThreads(permits);

    @AfterEach
    void close() {
        threads.close();
        assertThat(permits.stats().memoryInUse()).isZero();
        assertThat(permits.stats().running()).isZero();
    }

    @Test
    void hashWaitsForItsMemory_andSmallerHashesPassMeanwhile() throws Exception {
        Hash large = threads.computing("large", 60);
        Hash second = threads.waiting("second", 60);
        assertThat(permits.<String>call(40, () -> "fits")).isEqualTo("fits");
        assertThat(permits.<String>call(0, () -> "needs none")).isEqualTo("needs none");
        assertThat(second.hasBegun()).isFalse();
        assertThat(permits.stats().memoryInUse()).isEqualTo(60);
        large.end();
        second.begun();
        assertThat(permits.stats().memoryInUse()).isEqualTo(60);
    }

    @Test
    void permitIsFree_withoutWaitingHashes_ifAHashWouldBeginAtOnce() throws Exception {
        assertThat(permits.isFree(100)).isTrue();
        Hash large = threads.computing("large", 60);
        assertThat(permits.isFree(40)).isTrue();
        assertThat(permits.isFree(41)).isFalse();
        Hash second = threads.waiting("second", 60);
        assertThat(permits.isFree(0)).isFalse();
        large.end();
        second.begun().end();
        assertThat(permits.<Boolean>call(100, () -> permits.isFree(100)))
                .as("within a hash, whose permit the next one has")
                .isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> permits.isFree(-1));
    }

    @Test
    void hashIsPassedByEightOthers_andThenIsNext() throws Exception {
        Hash large = threads.computing("large", 60);
        Hash second = threads.waiting("second", 60);
        for (int i = 0; i < 8; i++) {
            permits.call(0, () -> "passes");
        }
        Hash ninth = threads.waiting("ninth", 0);
        assertThat(permits.stats().running()).as("one permit is free").isEqualTo(1);
        assertThat(ninth.hasBegun()).isFalse();
        large.end();
        second.begun();
        ninth.begun();
    }

    @Test
    void hashBehindAPassedHash_isPassedAnew() throws Exception {
        Hash large = threads.computing("large", 60);
        Hash second = threads.waiting("second", 60);
        for (int i = 0; i < 8; i++) {
            permits.call(0, () -> "passes");
        }
        second.thread.interrupt();
        second.join();
        Hash third = threads.waiting("third", 60);
        assertThat(permits.<String>call(0, () -> "passes")).isEqualTo("passes");
        assertThat(third.hasBegun()).isFalse();
        large.end();
        third.begun();
    }

    @Test
    void hashThatStatesMoreThanThereIs_hasAllOfIt() throws Exception {
        Hash huge = threads.computing("huge", 1_000);
        assertThat(permits.stats().memoryInUse()).isEqualTo(100);
        Hash small = threads.waiting("small", 1);
        assertThat(permits.<String>call(0, () -> "needs none")).isEqualTo("needs none");
        assertThat(small.hasBegun()).isFalse();
        huge.end();
        small.begun();
    }

    @Test
    void cancelledWaiter_letsTheNextHashesBegin() throws Exception {
        threads.computing("large", 60);
        Hash second = threads.waiting("second", 60);
        for (int i = 0; i < 8; i++) {
            permits.call(0, () -> "passes");
        }
        Hash ninth = threads.waiting("ninth", 0);
        second.thread.interrupt();
        ninth.begun();
    }
}
