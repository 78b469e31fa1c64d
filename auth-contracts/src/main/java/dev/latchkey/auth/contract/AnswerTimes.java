package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether two inputs take the same time, on a machine with other load.
 *
 * <p>The first exchanges of a fresh connection are slow, so some calls warm the plugin up and do not count. Then the two inputs
 * alternate in random order, so that both meet the same load. A difference counts if the medians differ by a factor of two and
 * the same input is slower in nearly all pairs: a sign test rejects chance at one in a thousand. Three rounds in a row must show
 * the same difference, each with another plugin. A rule by the fastest or the first answers accused right plugins, because the
 * fastest answer often comes from a warm connection.
 */
record AnswerTimes(String oneName, Credentials one, String otherName, Credentials other) {

    private static final int ROUNDS = 3;
    private static final int WARM_UP_PAIRS = 8;
    private static final int LEAST_PAIRS = 15;
    private static final int MOST_PAIRS = 61;
    private static final Duration LONG_ROUND = Duration.ofMillis(800);

    /** A caller can measure such a difference through a network with many requests. */
    private static final double BOUND = 2;

    private static final Duration NOISE = Duration.ofNanos(300_000);

    /**
     * Pairs for each exception in the other direction: with 15 pairs or more, chance causes so few exceptions in less than one of
     * a thousand rounds.
     */
    private static final int PAIRS_FOR_ONE_EXCEPTION = 15;

    /** Times of both inputs, in nanoseconds, pair by pair. */
    private static final class Times {

        private final long[] ofOne;
        private final long[] ofOther;

        Times(long[] ofOne, long[] ofOther) {
            this.ofOne = ofOne;
            this.ofOther = ofOther;
        }

        double medianOfOne() {
            return median(ofOne);
        }

        double medianOfOther() {
            return median(ofOther);
        }

        /** 1 if the first input is slower, -1 if the second input is slower, 0 if no difference is certain. */
        int slower() {
            double slow = Math.max(medianOfOne(), medianOfOther());
            double fast = Math.min(medianOfOne(), medianOfOther());
            if (slow - fast <= NOISE.toNanos() || slow <= BOUND * fast) {
                return 0;
            }
            int direction = medianOfOne() > medianOfOther() ? 1 : -1;
            int against = 0;
            for (int pair = 0; pair < ofOne.length; pair++) {
                against += Long.compare(ofOne[pair], ofOther[pair]) == direction ? 0 : 1;
            }
            return against <= ofOne.length / PAIRS_FOR_ONE_EXCEPTION ? direction : 0;
        }

        private static double median(long[] times) {
            long[] sorted = times.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }

    void assertAlike(Callable<? extends LoginSource<?>> plugins) throws Exception {
        Times times = measured(plugins.call());
        int direction = times.slower();
        for (int round = 1; round < ROUNDS && direction != 0; round++) {
            times = measured(plugins.call());
            direction = times.slower() == direction ? direction : 0;
        }
        if (direction != 0) {
            fail(String.format(
                    Locale.ROOT,
                    "%s is answered in %.3f ms, %s in %.3f ms (medians of %d, %d times in a row): the time tells which accounts there are",
                    oneName,
                    times.medianOfOne() / 1e6,
                    otherName,
                    times.medianOfOther() / 1e6,
                    times.ofOne.length,
                    ROUNDS));
        }
    }

    private Times measured(LoginSource<?> source) throws Exception {
        return TimeLimit.call(TimeLimit.LONG, "time of " + oneName, () -> {
            pairs(source, WARM_UP_PAIRS, WARM_UP_PAIRS);
            return pairs(source, LEAST_PAIRS, MOST_PAIRS);
        });
    }

    private Times pairs(LoginSource<?> source, int least, int most) {
        long end = System.nanoTime() + LONG_ROUND.toNanos();
        long[] ofOne = new long[most];
        long[] ofOther = new long[most];
        int pairs = 0;
        while (pairs < least || (pairs < most && System.nanoTime() < end)) {
            if (ThreadLocalRandom.current().nextBoolean()) {
                ofOne[pairs] = nanosOf(source, oneName, one);
                ofOther[pairs] = nanosOf(source, otherName, other);
            } else {
                ofOther[pairs] = nanosOf(source, otherName, other);
                ofOne[pairs] = nanosOf(source, oneName, one);
            }
            pairs++;
        }
        return new Times(Arrays.copyOf(ofOne, pairs), Arrays.copyOf(ofOther, pairs));
    }

    private static <C extends Credentials> long nanosOf(LoginSource<C> source, String input, Credentials credentials) {
        long start = System.nanoTime();
        Decision decision = Calls.answerHere(input, () -> LoginSourceContract.decide(source, credentials));
        if (decision.equals(Decision.abstained())) {
            // As a chain does at its end.
            source.unrecognized(source.kind().cast(credentials));
        }
        return System.nanoTime() - start;
    }
}
