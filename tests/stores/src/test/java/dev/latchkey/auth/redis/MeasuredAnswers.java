package dev.latchkey.auth.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The answers to requests of all nodes. Safe for use by any number of threads. */
final class MeasuredAnswers {

    enum Answer {
        PASSED,
        REJECTED,
        NONE
    }

    /** @param at the time of the answer */
    private record Answered(Answer answer, long at, long took) {}

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Queue<Answered> all = new ConcurrentLinkedQueue<>();

    void add(Answer answer, long at, long took) {
        all.add(new Answered(answer, at, took));
    }

    private Stream<Answered> between(long from, long to) {
        return all.stream().filter(each -> each.at() >= from && each.at() < to);
    }

    /** The number of these answers between two times. */
    long count(Answer kind, long from, long to) {
        return between(from, to).filter(each -> each.answer() == kind).count();
    }

    private long[] passes(long from, long to) {
        return between(from, to)
                .filter(each -> each.answer() == Answer.PASSED)
                .mapToLong(Answered::at)
                .sorted()
                .toArray();
    }

    /** The most passes of any second between these times. */
    long mostInASecond(long from, long to) {
        long[] passes = passes(from, to);
        int first = 0;
        int most = 0;
        for (int last = 0; last < passes.length; last++) {
            while (passes[last] - passes[first] >= SECOND) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** The fewest passes of any second between these times; each such second begins at a pass or at the start. */
    long fewestInASecond(long from, long to) {
        long[] passes = passes(from, to);
        long fewest = passes.length;
        int last = 0;
        for (int first = -1; first < passes.length; first++) {
            long start = first < 0 ? from : passes[first];
            if (start + SECOND > to) {
                break;
            }
            while (last < passes.length && passes[last] - start <= SECOND) {
                last++;
            }
            fewest = Math.min(fewest, last - first - 1);
        }
        return fewest;
    }

    /** The 99th percentile of the time from a request to its answer. */
    long slowestOfAHundred(long from, long to) {
        long[] took = between(from, to).mapToLong(Answered::took).sorted().toArray();
        return took.length == 0 ? 0 : took[(int) (took.length * 99L / 100)];
    }

    long slowest(long from, long to) {
        return between(from, to).mapToLong(Answered::took).max().orElse(0);
    }
}
