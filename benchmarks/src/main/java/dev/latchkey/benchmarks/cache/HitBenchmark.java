package dev.latchkey.benchmarks.cache;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * A hit on a BCrypt-10 account, beside the minimum of a bare HMAC and the saved BCrypt check.
 *
 * <p>The bare HMAC is of ANCHORS' form: two clones of pre-keyed digests over 110 bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HitBenchmark {

    private static final String PASSWORD = "correct horse";
    private static final int ACCOUNTS = 64;

    private final byte[] message = new byte[110];
    private final String[] hashes = new String[ACCOUNTS];
    private MessageDigest inner;
    private MessageDigest outer;
    private CachingPasswordEncoder cached;
    private BCryptPasswordEncoder bcrypt;
    private String bcryptHash;

    @State(Scope.Thread)
    public static class Turn {
        private int next;

        int next() {
            return next++ & (ACCOUNTS - 1);
        }
    }

    @Setup
    public void fill() throws Exception {
        inner = keyed(0x36);
        outer = keyed(0x5c);
        bcrypt = new BCryptPasswordEncoder(10);
        bcryptHash = bcrypt.encode(PASSWORD);
        cached = CachingPasswordEncoder.around(bcrypt, CredentialCache.create());
        for (int i = 0; i < ACCOUNTS; i++) {
            hashes[i] = bcrypt.encode(PASSWORD);
            if (!cached.matches(PASSWORD, hashes[i])) {
                throw new IllegalStateException("Not accepted");
            }
        }
    }

    @Benchmark
    public byte[] bareHmac() throws Exception {
        MessageDigest first = (MessageDigest) inner.clone();
        first.update(message);
        MessageDigest second = (MessageDigest) outer.clone();
        second.update(first.digest());
        return second.digest();
    }

    @Benchmark
    public boolean hit(Turn turn) {
        return cached.matches(PASSWORD, hashes[turn.next()]);
    }

    @Benchmark
    @Threads(2)
    public boolean hitOnTwoThreads(Turn turn) {
        return cached.matches(PASSWORD, hashes[turn.next()]);
    }

    /** Both threads on the same entry: the worst case for shared state. */
    @Benchmark
    @Threads(2)
    public boolean hitOnTwoThreadsOneAccount() {
        return cached.matches(PASSWORD, hashes[0]);
    }

    @Benchmark
    public boolean bcrypt10() {
        return bcrypt.matches(PASSWORD, bcryptHash);
    }

    private static MessageDigest keyed(int pad) throws Exception {
        byte[] key = Arrays.copyOf("a key of thirty-two bytes, always".getBytes(StandardCharsets.US_ASCII), 64);
        for (int i = 0; i < key.length; i++) {
            key[i] ^= (byte) pad;
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(key);
        return digest;
    }
}
