package dev.latchkey.benchmarks.cache;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import java.util.Arrays;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * A wrong password for an account with an entry and for one without, BCrypt 10, by turns: the medians must not tell
 * which.
 *
 * <p>By turns, because a shared machine drifts by more than what is looked for within the minute between two JMH
 * trials. Run with {@code java -cp ... dev.latchkey.benchmarks.cache.WrongPasswordTiming}; prints JSON.
 */
public final class WrongPasswordTiming {

    private static final int WARM_UP = 40;
    private static final int PAIRS = 400;

    private WrongPasswordTiming() {}

    public static void main(String[] args) {
        BCryptPasswordEncoder bcrypt = new BCryptPasswordEncoder(10);
        CredentialCache cache = CredentialCache.create();
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(bcrypt, cache);
        String with = bcrypt.encode("right");
        String without = bcrypt.encode("right");
        encoder.matches("right", with);
        for (int i = 0; i < WARM_UP; i++) {
            nanos(encoder, i % 2 == 0 ? with : without);
        }
        long[] withEntry = new long[PAIRS];
        long[] withoutEntry = new long[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            if (i % 2 == 0) {
                withEntry[i] = nanos(encoder, with);
                withoutEntry[i] = nanos(encoder, without);
            } else {
                withoutEntry[i] = nanos(encoder, without);
                withEntry[i] = nanos(encoder, with);
            }
        }
        if (cache.stats().size() != 1) {
            throw new IllegalStateException("Not one entry: " + cache.stats());
        }
        double medianWith = median(withEntry);
        double medianWithout = median(withoutEntry);
        System.out.printf(
                "{\"java\": \"%s\", \"pairs\": %d, \"medianMicrosWithEntry\": %.1f, \"medianMicrosWithout\": %.1f,"
                        + " \"differencePercent\": %.2f}%n",
                Runtime.version(), PAIRS, medianWith, medianWithout, 100 * (medianWith / medianWithout - 1));
    }

    private static long nanos(CachingPasswordEncoder encoder, String hash) {
        long start = System.nanoTime();
        if (encoder.matches("wrong", hash)) {
            throw new IllegalStateException("Accepted a wrong password");
        }
        return System.nanoTime() - start;
    }

    private static double median(long[] nanos) {
        Arrays.sort(nanos);
        return (nanos[nanos.length / 2 - 1] + nanos[nanos.length / 2]) / 2_000.0;
    }
}
