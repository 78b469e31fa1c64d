package dev.latchkey.benchmarks.scale;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Hits in a cache of so many entries, always another one; the encoder behind it accepts everything, and is asked once each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EntriesBenchmark {

    /** Coprime to every power of ten, so that each entry has its turn, and none soon after its neighbour. */
    private static final int STRIDE = 7_919;

    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    @Param({"100", "1000", "10000", "100000", "1000000"})
    public int entries;

    private CachingPasswordEncoder encoder;
    private String[] hashes = {};
    private int next;

    @Setup
    public void fill() {
        encoder = CachingPasswordEncoder.around(
                new Accepting(),
                CredentialCache.with(CredentialCacheSettings.defaults()
                        .withMaximumSize(2 * entries)
                        .withIdleExpiry(Duration.ofHours(1))
                        .withFastLoad(Duration.ZERO)));
        hashes = new String[entries];
        Random random = new Random(entries);
        for (int i = 0; i < entries; i++) {
            hashes[i] = likeBcrypt(random);
            encoder.matches("correct horse", hashes[i]);
        }
    }

    /** As a real one: random in every character of its salt and its digest. */
    private static String likeBcrypt(Random random) {
        StringBuilder hash = new StringBuilder("$2a$10$");
        for (int i = 0; i < 53; i++) {
            hash.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return hash.toString();
    }

    @Benchmark
    public boolean hit() {
        next = (next + STRIDE) % entries;
        return encoder.matches("correct horse", hashes[next]);
    }

    private static final class Accepting implements PasswordEncoder {

        @Override
        public String encode(CharSequence plain) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean matches(CharSequence presented, String storedHash) {
            return true;
        }
    }
}
