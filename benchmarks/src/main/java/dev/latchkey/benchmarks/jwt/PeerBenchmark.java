package dev.latchkey.benchmarks.jwt;

import dev.latchkey.benchmarks.jmh.Timed;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Makes tokens, each dated by the clock, or verifies one token over and over and reads its claims. */
@State(Scope.Benchmark)
public class PeerBenchmark extends Timed {

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
    public TokenLibrary.Read read(TokenState state) throws Exception {
        return tokens.read(state.token);
    }
}
