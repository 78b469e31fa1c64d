package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.Abstained;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether two inputs are answered in the same time, on a machine that does other things too. Those only ever add to a time, so what
 * counts is the least of many; the two are asked beside each other, so that both meet the same machine; and what looks different is measured
 * again, on another plugin, since a difference of the plugin's own is there each time.
 */
record AnswerTimes(String oneName, Credentials one, String otherName, Credentials other) {

    private static final int MOST_ROUNDS = 5;
    private static final int MOST_PAIRS = 30;
    private static final int LEAST_PAIRS = 10;
    private static final Duration LONG_ROUND = Duration.ofMillis(500);

    /** One takes more than twice as long, and by so much that it can be measured through a network with some patience. */
    private static final int BOUND = 2;

    private static final Duration NOISE = Duration.ofNanos(300_000);

    void assertAlike(Trial trial) throws Exception {
        String last = "";
        for (int round = 0; round < MOST_ROUNDS; round++) {
            AuthPlugin plugin = trial.open();
            Least least = TimeLimit.call(TimeLimit.USUAL, "time of " + oneName, () -> leastOf(plugin));
            if (least.isAlike()) {
                return;
            }
            last = String.format(
                    Locale.ROOT,
                    "%s is answered in %.3f ms, %s in %.3f ms: whoever measures learns which accounts there are",
                    oneName,
                    least.ofOne() / 1e6,
                    otherName,
                    least.ofOther() / 1e6);
        }
        fail(last + " (" + MOST_ROUNDS + " times in a row)");
    }

    private record Least(long ofOne, long ofOther) {

        boolean isAlike() {
            long slower = Math.max(ofOne, ofOther);
            long faster = Math.min(ofOne, ofOther);
            return slower - faster <= NOISE.toNanos() || slower <= BOUND * faster;
        }
    }

    private Least leastOf(AuthPlugin plugin) {
        long end = System.nanoTime() + LONG_ROUND.toNanos();
        long ofOne = Long.MAX_VALUE;
        long ofOther = Long.MAX_VALUE;
        for (int pair = 0; pair < LEAST_PAIRS || (pair < MOST_PAIRS && System.nanoTime() < end); pair++) {
            // In changing order: what befalls every second request (a delayed acknowledgement, say) befalls both.
            boolean oneFirst = ThreadLocalRandom.current().nextBoolean();
            long first = oneFirst ? nanosOf(plugin, oneName, one) : nanosOf(plugin, otherName, other);
            long second = oneFirst ? nanosOf(plugin, otherName, other) : nanosOf(plugin, oneName, one);
            ofOne = Math.min(ofOne, oneFirst ? first : second);
            ofOther = Math.min(ofOther, oneFirst ? second : first);
        }
        return new Least(ofOne, ofOther);
    }

    private static long nanosOf(AuthPlugin plugin, String input, Credentials credentials) {
        long start = System.nanoTime();
        Decision decision = Trial.answerHere(plugin, input, credentials);
        if (decision instanceof Abstained && credentials instanceof PasswordCredentials unknown) {
            // As a chain does at its end.
            plugin.unrecognized(unknown);
        }
        return System.nanoTime() - start;
    }
}
