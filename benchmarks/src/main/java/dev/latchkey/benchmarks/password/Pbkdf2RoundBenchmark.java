package dev.latchkey.benchmarks.password;

import java.security.DigestException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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

/**
 * Where the time of one round of PBKDF2 goes: the round as the JDK computes it, over clones of pre-keyed digests as
 * {@code auth-password} does, the clones alone, and a round that never clones, whose result is wrong: nothing on the JDK's digests can be
 * faster than that.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Pbkdf2RoundBenchmark {

    @Param({"256", "512"})
    public int bits;

    private byte[] u = new byte[0];
    private Mac mac;
    private MessageDigest inner;
    private MessageDigest outer;
    private MessageDigest unkeyed;

    @Setup
    public void prepare() throws GeneralSecurityException {
        int blockBytes = bits / 4;
        u = new byte[bits / 8];
        mac = Mac.getInstance("HmacSHA" + bits);
        mac.init(new SecretKeySpec(new byte[] {1}, "HMAC"));
        inner = absorbed(blockBytes, (byte) 0x36);
        outer = absorbed(blockBytes, (byte) 0x5c);
        unkeyed = MessageDigest.getInstance("SHA-" + bits);
    }

    /** In halves, as the library does. */
    private MessageDigest absorbed(int blockBytes, byte pad) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-" + bits);
        byte[] block = new byte[blockBytes];
        Arrays.fill(block, pad);
        digest.update(block, 0, blockBytes / 2);
        digest.update(block, blockBytes / 2, blockBytes / 2);
        return digest;
    }

    @Benchmark
    public byte[] jdk() throws GeneralSecurityException {
        mac.update(u);
        mac.doFinal(u, 0);
        return u;
    }

    @Benchmark
    public byte[] overClones() throws DigestException, CloneNotSupportedException {
        hash((MessageDigest) inner.clone());
        hash((MessageDigest) outer.clone());
        return u;
    }

    @Benchmark
    public Object clonesAlone() throws CloneNotSupportedException {
        Object first = inner.clone();
        return first == outer ? first : outer.clone();
    }

    @Benchmark
    public byte[] withoutClones() throws DigestException {
        hash(unkeyed);
        hash(unkeyed);
        return u;
    }

    private void hash(MessageDigest digest) throws DigestException {
        digest.update(u, 0, u.length);
        digest.digest(u, 0, u.length);
    }
}
