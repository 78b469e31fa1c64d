package dev.latchkey.benchmarks.cache;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
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
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** A wrong password for an account with an entry and for one without: the medians must not tell which. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 4)
@Fork(3)
public class WrongPasswordBenchmark {

    @Param({"true", "false"})
    public boolean accountIsCached;

    private CachingPasswordEncoder encoder;
    private String hash;

    @Setup
    public void fill() {
        BCryptPasswordEncoder bcrypt = new BCryptPasswordEncoder(10);
        encoder = CachingPasswordEncoder.around(bcrypt, CredentialCache.create());
        hash = bcrypt.encode("right");
        String other = bcrypt.encode("right");
        encoder.matches("right", accountIsCached ? hash : other);
    }

    @Benchmark
    public boolean wrongPassword() {
        return encoder.matches("wrong", hash);
    }
}
