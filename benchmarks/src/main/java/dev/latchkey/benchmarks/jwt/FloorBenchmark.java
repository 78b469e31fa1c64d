package dev.latchkey.benchmarks.jwt;

import dev.latchkey.benchmarks.jmh.BareHmac;
import dev.latchkey.benchmarks.jmh.Timed;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The HMAC alone, the least cost of a signer or verifier. Nothing is parsed, encoded or compared. Run the benchmark together with
 * its comparisons.
 */
@State(Scope.Benchmark)
public class FloorBenchmark extends Timed {

    private BareHmac hmac;
    private byte[] message;

    /** The part of the token before the second dot is the message. */
    @Setup
    public void prepare(TokenState tokens) throws Exception {
        int block = tokens.algorithm == TokenLibrary.Algorithm.HS256 ? 64 : 128;
        hmac = new BareHmac("SHA-" + tokens.algorithm.name().substring(2), tokens.key, block);
        message = tokens.token.substring(0, tokens.token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
    }

    @Benchmark
    public byte[] floor() throws CloneNotSupportedException {
        return hmac.of(message);
    }
}
