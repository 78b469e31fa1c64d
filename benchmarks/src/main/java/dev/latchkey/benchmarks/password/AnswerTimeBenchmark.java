package dev.latchkey.benchmarks.password;

import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.MemoryPermits;
import dev.latchkey.auth.password.PasswordEncoders;
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

/** What an attacker can tell from the time of a refusal: the medians of all cases must be the same. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 2)
public class AnswerTimeBenchmark {

    private static final String PASSWORD = "correct horse battery";

    @Param({"argon2id", "bcrypt", "pbkdf2-sha256"})
    public String algorithm;

    private PasswordEncoders encoders = PasswordEncoders.recommended();
    private String stored = "";
    private String malformed = "";
    private String overLong = "";

    @Setup
    public void prepare() {
        encoders = PasswordEncoders.recommended()
                .withMemoryPermits(MemoryPermits.ofBytes(256L << 20))
                .withDefault(HashSpec.of(algorithm));
        stored = encoders.encode(PASSWORD);
        malformed = stored.substring(0, stored.length() - 9);
        overLong = "x".repeat(1_000_000);
    }

    @Benchmark
    public boolean wrongPassword() {
        return encoders.matches("wrong horse battery!", stored);
    }

    @Benchmark
    public boolean unknownUser() {
        return encoders.matchesNobody(PASSWORD);
    }

    /** As it is to be done: the password is checked although the answer is known. */
    @Benchmark
    public boolean lockedAccount() {
        boolean matched = encoders.matches(PASSWORD, stored);
        return matched && Boolean.getBoolean("never.set");
    }

    @Benchmark
    public boolean overLongPassword() {
        return encoders.matches(overLong, stored);
    }

    @Benchmark
    public boolean malformedStoredHash() {
        return encoders.matches(PASSWORD, malformed);
    }
}
