package dev.latchkey.benchmarks.scale;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.KeyRing;
import java.time.Duration;
import java.time.Instant;
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

/** Checks tokens of all the keys of a ring in turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KeysBenchmark {

    @Param({"1", "4", "16"})
    public int keys;

    private String[] tokens = {};
    private JwtVerifier verifier;
    private int next;

    @Setup
    public void prepare() {
        tokens = new String[keys];
        KeyRing ring = null;
        for (int i = 0; i < keys; i++) {
            HmacKey key = HmacKey.generate(HmacAlgorithm.HS256).withId("key-" + i);
            tokens[i] = JwtSigner.with(key).sign(JwtClaims.forSubject("alice", Duration.ofHours(5)));
            ring = ring == null
                    ? KeyRing.of(key)
                    : ring.alsoVerifying(key, Instant.now().plus(Duration.ofHours(5)));
        }
        verifier = JwtVerifier.with(ring);
    }

    @Benchmark
    public JwtResult verify() {
        next = (next + 1) % tokens.length;
        return verifier.verify(tokens[next]);
    }
}
