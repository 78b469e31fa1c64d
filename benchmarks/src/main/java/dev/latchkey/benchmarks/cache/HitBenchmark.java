package dev.latchkey.benchmarks.cache;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.benchmarks.jmh.BareHmac;
import dev.latchkey.benchmarks.jmh.Timed;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * A hit on a BCrypt-10 account, beside the minimum of a bare HMAC and the saved BCrypt check.
 *
 * <p>The bare HMAC is over 110 bytes.
 */
@State(Scope.Benchmark)
@Warmup(iterations = 4, time = 1)
@Fork(3)
public class HitBenchmark extends Timed {

    private static final String PASSWORD = "correct horse";
    private static final int ACCOUNTS = 64;

    private final byte[] message = new byte[110];
    private final String[] hashes = new String[ACCOUNTS];
    private BareHmac hmac;
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
        hmac = new BareHmac("SHA-256", "a key of thirty-two bytes, always".getBytes(StandardCharsets.US_ASCII), 64);
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
        return hmac.of(message);
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
}
