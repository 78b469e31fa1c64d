package dev.latchkey.auth.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Two to eight threads with a common start, over many rounds: more rounds find more races. A build runs a few thousand rounds;
 * {@code -Drounds=1000000} changes the number.
 */
public final class Race implements AutoCloseable {

    /** Threads of the largest race. */
    public static final int MOST_THREADS = 8;

    private static final int LEAST_THREADS = 2;
    private static final int ROUNDS_OF_A_BUILD = 2_000;
    private static final long LONGEST_SECONDS = 60;

    /** The work of a thread in a round. */
    @FunctionalInterface
    public interface Runner {
        /**
         * Runs once.
         *
         * @throws Exception ends the race
         */
        void run() throws Exception;
    }

    private final ExecutorService threads = Executors.newFixedThreadPool(MOST_THREADS);

    /**
     * The number of rounds.
     *
     * @return 2,000, or the system property {@code rounds}
     */
    public static int rounds() {
        return Integer.getInteger("rounds", ROUNDS_OF_A_BUILD);
    }

    /**
     * How many threads take part in this round: each number from 2 to 8 in turn.
     *
     * @param round from 0 on
     * @return 2 to 8
     */
    public static int threadsOf(int round) {
        return LEAST_THREADS + round % (MOST_THREADS - LEAST_THREADS + 1);
    }

    /** Lets another thread in between two steps. */
    @SuppressWarnings("ThreadPriorityCheck") // no result depends on the yield: a yield makes races more likely
    public static void letOthersIn() {
        Thread.yield();
    }

    /**
     * Runs all runners at once, and returns after the end of all.
     *
     * @param runners 2 to 8
     * @throws Exception if a runner threw an exception
     */
    public void run(List<? extends Runner> runners) throws Exception {
        CyclicBarrier start = new CyclicBarrier(runners.size());
        List<Future<?>> all = new ArrayList<>();
        for (Runner runner : runners) {
            Callable<Void> task = () -> {
                start.await(LONGEST_SECONDS, TimeUnit.SECONDS);
                runner.run();
                return null;
            };
            all.add(threads.submit(task));
        }
        for (Future<?> each : all) {
            each.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
