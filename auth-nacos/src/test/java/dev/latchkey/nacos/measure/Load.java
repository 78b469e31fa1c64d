package dev.latchkey.nacos.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * Threads with endless requests, each right after the answer, and the outcome.
 *
 * @param threads the number of threads
 * @param perSecond right answers
 * @param millis of right answers, sorted
 * @param errors all other answers
 */
record Load(int threads, double perSecond, List<Double> millis, int errors) {

    private static final double NANOS = 1e9;
    private static final double NANOS_A_MILLI = 1e6;

    /**
     * Asks for this long.
     *
     * @param ask whether the answer was right
     */
    static Load of(int threads, Duration time, BooleanSupplier ask) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long begin = System.nanoTime();
            long end = begin + time.toNanos();
            List<Future<List<Long>>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit((Callable<List<Long>>) () -> askUntil(end, ask)));
            }
            List<Long> all = new ArrayList<>();
            running.forEach(each -> all.addAll(resultOf(each)));
            double seconds = (System.nanoTime() - begin) / NANOS;
            List<Double> right = all.stream()
                    .filter(nanos -> nanos >= 0)
                    .map(nanos -> nanos / NANOS_A_MILLI)
                    .sorted()
                    .toList();
            return new Load(threads, right.size() / seconds, right, all.size() - right.size());
        } finally {
            pool.shutdownNow();
        }
    }

    /** How long each answer took, in nanoseconds; negative for a wrong one. */
    private static List<Long> askUntil(long end, BooleanSupplier ask) {
        List<Long> nanos = new ArrayList<>();
        while (System.nanoTime() < end) {
            long begin = System.nanoTime();
            boolean right;
            try {
                right = ask.getAsBoolean();
            } catch (IllegalStateException e) {
                right = false;
            }
            long took = System.nanoTime() - begin;
            nanos.add(right ? took : -took);
        }
        return nanos;
    }

    private static List<Long> resultOf(Future<List<Long>> thread) {
        try {
            return thread.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A thread failed", e.getCause());
        }
    }

    /** The share of wrong answers, in percent of all answers. */
    double errorPercent() {
        int all = millis.size() + errors;
        return all == 0 ? 0 : 100.0 * errors / all;
    }

    double mean() {
        return millis.stream().mapToDouble(each -> each).average().orElse(0);
    }

    double percentile(double share) {
        return millis.isEmpty() ? 0 : millis.get((int) Math.min(millis.size() - 1, Math.floor(share * millis.size())));
    }
}
