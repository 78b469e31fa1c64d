package dev.latchkey.benchmarks.jwt;

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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The HMAC alone, the least cost of a signer or verifier on the running JDK: two pre-keyed digests, cloned for each message.
 * Nothing is parsed, encoded or compared. Run the benchmark together with its comparisons.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FloorBenchmark {

    private MessageDigest inner;
    private MessageDigest outer;
    private byte[] message;

    /** The part of the token before the second dot is the message. */
    @Setup
    public void prepare(TokenState tokens) throws Exception {
        String digest = "SHA-" + tokens.algorithm.name().substring(2);
        int block = tokens.algorithm == TokenLibrary.Algorithm.HS256 ? 64 : 128;
        inner = keyed(MessageDigest.getInstance(digest), tokens.key, block, 0x36);
        outer = keyed(MessageDigest.getInstance(digest), tokens.key, block, 0x5c);
        message = tokens.token.substring(0, tokens.token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
    }

    @Benchmark
    public byte[] floor() throws CloneNotSupportedException {
        MessageDigest first = (MessageDigest) inner.clone();
        first.update(message);
        MessageDigest second = (MessageDigest) outer.clone();
        return second.digest(first.digest());
    }

    private static MessageDigest keyed(MessageDigest digest, byte[] key, int block, int pad) {
        byte[] padded = Arrays.copyOf(key, block);
        for (int i = 0; i < block; i++) {
            padded[i] ^= (byte) pad;
        }
        digest.update(padded);
        return digest;
    }
}
