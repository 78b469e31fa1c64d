package dev.latchkey.benchmarks.load;

import dev.latchkey.benchmarks.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** A thread that does nothing but hash: what it reaches, logins by one permit cannot exceed. */
public final class BareHashing {

    private static final int ENOUGH = 15;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CompletableFuture<List<Double>> seconds =
            CompletableFuture.supplyAsync(this::hash, task -> new Thread(task, "bare-hashing").start());

    private BareHashing() {}

    /** Begins at once, and goes on until {@link #perSecond} is asked. */
    public static BareHashing begin() {
        return new BareHashing();
    }

    /** What as many threads as there are permits by default can do on this machine when nothing else runs. */
    public static double ofAnIdleMachine() {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < ENOUGH; i++) {
            seconds.add(secondsForOne());
        }
        return threads / Figures.median(seconds);
    }

    /** Ends it; the mean over all that it did. */
    public double perSecond() {
        stopped.set(true);
        return 1 / seconds.join().stream().mapToDouble(each -> each).average().orElseThrow();
    }

    private List<Double> hash() {
        List<Double> each = new ArrayList<>();
        do {
            each.add(secondsForOne());
        } while (!stopped.get());
        return each;
    }

    private static double secondsForOne() {
        String hash = HashPool.STRONG.lines().get(0);
        long begin = System.nanoTime();
        if (!new BCryptPasswordEncoder(10).matches(Accounts.password(0), hash)) {
            throw new IllegalStateException("The hash does not match");
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
