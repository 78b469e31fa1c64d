package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Verifies one token on each of 200,000 virtual threads, and the same number of times on as many platform threads as there
 * are processors; and measures both with an empty task, so that the cost of starting a task can be taken away. Needs
 * JDK 21 or newer to run, not to compile.
 */
public final class VirtualThreads {

    private static final int TASKS = 200_000;
    private static final int ROUNDS = 15;

    private VirtualThreads() {}

    public static void main(String[] args) throws Exception {
        HmacKey key = HmacKey.of(TokenLibrary.Algorithm.HS256.key(), HmacAlgorithm.HS256);
        JwtVerifier verifier = JwtVerifier.with(key);
        String token = JwtSigner.with(key).sign(JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME));
        LongAdder verified = new LongAdder();
        Runnable verify = () -> {
            if (verifier.verify(token) instanceof JwtResult.Verified) {
                verified.increment();
            }
        };
        Runnable nothing = verified::increment;
        double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < ROUNDS; round++) {
            best[0] = Math.min(best[0], nanosPerTask(virtualThreads(), verify));
            best[1] = Math.min(best[1], nanosPerTask(virtualThreads(), nothing));
            best[2] = Math.min(best[2], nanosPerTask(platformThreads(), verify));
            best[3] = Math.min(best[3], nanosPerTask(platformThreads(), nothing));
        }
        if (verified.sum() != 4L * ROUNDS * TASKS) {
            throw new IllegalStateException("Only " + verified.sum() + " tasks succeeded");
        }
        System.out.printf("jdk %s, ns per task, best of %d rounds of %d%n", Runtime.version(), ROUNDS, TASKS);
        System.out.printf("virtual: verify %.0f, empty %.0f, difference %.0f%n", best[0], best[1], best[0] - best[1]);
        System.out.printf("platform: verify %.0f, empty %.0f, difference %.0f%n", best[2], best[3], best[2] - best[3]);
        System.out.printf("virtual / platform: whole %.2f%n", best[0] / best[2]);
    }

    private static double nanosPerTask(ExecutorService threads, Runnable task) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < TASKS; i++) {
            threads.execute(task);
        }
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The tasks did not end");
        }
        return (System.nanoTime() - start) / (double) TASKS;
    }

    private static ExecutorService platformThreads() {
        return Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    }

    private static ExecutorService virtualThreads() throws NoSuchMethodException, IllegalAccessException {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
