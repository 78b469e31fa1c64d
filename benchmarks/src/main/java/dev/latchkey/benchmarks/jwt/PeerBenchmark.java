package dev.latchkey.benchmarks.jwt;

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

/** Makes tokens, each dated by the clock, or checks one token over and over. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PeerBenchmark {

    @Param({"LATCHKEY", "JJWT", "NIMBUS", "AUTH0", "JOSE4J", "FUSIONAUTH", "TINK"})
    public TokenLibrary.Contestant library;

    private TokenLibrary tokens;

    @Setup
    public void prepare(TokenState state) throws Exception {
        tokens = library.with(state.algorithm, state.key, state.content);
    }

    @Benchmark
    public String create(TokenState state) throws Exception {
        return tokens.create(state.content);
    }

    @Benchmark
    public Object verify(TokenState state) throws Exception {
        return tokens.verify(state.token);
    }
}
