package dev.latchkey.benchmarks.jwt;

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
import org.openjdk.jmh.annotations.Warmup;

/** The least cost of a signer or verifier on the running JDK. Run the benchmark together with its comparisons. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FloorBenchmark {

    private Floor floor;

    @Setup
    public void prepare(TokenState tokens) throws Exception {
        floor = new Floor(tokens.algorithm, tokens.key, tokens.token);
    }

    @Benchmark
    public byte[] floor() throws CloneNotSupportedException {
        return floor.mac();
    }
}
