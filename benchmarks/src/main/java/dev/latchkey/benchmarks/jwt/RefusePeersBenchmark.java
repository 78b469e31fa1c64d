package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.jwt.JwtResult;
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

/** Refuses a token over and over, by each library in its own way: most throw. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RefusePeersBenchmark {

    @Param({"LATCHKEY", "JJWT", "NIMBUS", "AUTH0", "JOSE4J", "FUSIONAUTH", "TINK"})
    public TokenLibrary.Contestant library;

    private TokenLibrary tokens;
    private String forged;

    @Setup
    public void prepare(TokenState state) throws Exception {
        tokens = library.with(state.algorithm, state.key, state.content);
        int last = state.token.lastIndexOf('.') + 1;
        char first = state.token.charAt(last);
        forged = state.token.substring(0, last) + (first == 'A' ? 'B' : 'A') + state.token.substring(last + 1);
        if (!isRefused(tokens.verify(state.token)) && isRefused(refuse())) {
            return;
        }
        throw new IllegalStateException(library + " does not tell a good token from a forged one");
    }

    private static boolean isRefused(Object answer) {
        return answer instanceof Exception || answer instanceof JwtResult.Refused;
    }

    @Benchmark
    public Object refuse() {
        try {
            return tokens.verify(forged);
        } catch (Exception refused) {
            return refused;
        }
    }
}
