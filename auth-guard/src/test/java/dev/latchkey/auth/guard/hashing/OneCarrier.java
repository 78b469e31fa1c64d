package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ThreadKind;
import dev.latchkey.auth.guard.WaitingThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Hashes keep their thread until other threads have continued. If the hashes hold the only carrier, no other thread continues.
 * {@link OneCarrierTest} runs this class in a process with one carrier.
 */
final class OneCarrier {

    private static final int HASHES = 8;

    private OneCarrier() {}

    public static void main(String[] args) throws Exception {
        List<ThreadKind> kinds = ThreadKind.all();
        ThreadKind kind = kinds.get(kinds.size() - 1);
        try (GuardTime time = GuardTime.start()) {
            HashingPermits permits = new HashingPermits(
                    HashingSettings.defaults()
                            .withAtOnce(1)
                            .withMaxWait(Duration.ofSeconds(30))
                            .withFirstEstimate(Duration.ofMillis(1)),
                    WaitingThreads.atMost(HASHES),
                    time,
                    GuardListener.NONE);
            ExecutorService threads = kind.executor();
            List<Future<Boolean>> hashes = new ArrayList<>();
            for (int i = 0; i < HASHES; i++) {
                hashes.add(threads.submit(() -> permits.call(0, () -> hashUntilOthersGoOn(threads))));
            }
            for (Future<Boolean> hash : hashes) {
                if (!hash.get(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("A hash held the carrier");
                }
            }
            threads.shutdown();
            System.out.println("others went on during " + permits.stats().completed() + " hashes");
        }
    }

    /** Spins, as a hash does, until another thread of the same kind has run; false if none does for long. */
    private static boolean hashUntilOthersGoOn(ExecutorService threads) {
        CountDownLatch wentOn = new CountDownLatch(1);
        threads.execute(wentOn::countDown);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (wentOn.getCount() > 0) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }
}
