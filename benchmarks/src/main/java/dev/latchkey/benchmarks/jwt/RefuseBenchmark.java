package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.time.InstantSource;
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

/** What a refused token costs beside an accepted one, and what the ugliest inputs of 8 KiB cost. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RefuseBenchmark {

    /** The last ones are as long as a token may be; those with a good MAC carry the worst that a holder of the key can sign. */
    public enum Input {
        ACCEPTED,
        BAD_MAC,
        EXPIRED,
        MALFORMED,
        LONG_ACCEPTED,
        LONG_BAD_MAC,
        LONG_DOTS,
        LONG_SIGNED_MANY_MEMBERS,
        LONG_SIGNED_ESCAPES
    }

    private static final int FILLER = 6000;

    @Param
    public Input input;

    private JwtVerifier verifier;
    private String token;

    @Setup
    public void prepare() {
        HmacKey key = HmacKey.of(TokenLibrary.Algorithm.HS256.key(), HmacAlgorithm.HS256);
        verifier = JwtVerifier.with(key);
        JwtSigner signer = JwtSigner.with(key);
        JwtClaims claims = JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME);
        token = switch (input) {
            case ACCEPTED -> signer.sign(claims);
            case BAD_MAC -> broken(signer.sign(claims));
            case EXPIRED ->
                signer.withTimeSource(InstantSource.offset(InstantSource.system(), Content.LIFETIME.negated()))
                        .sign(claims);
            case MALFORMED -> signer.sign(claims).replace('.', '-');
            case LONG_ACCEPTED -> signer.sign(claims.with("x", "y".repeat(FILLER)));
            case LONG_BAD_MAC -> broken(signer.sign(claims.with("x", "y".repeat(FILLER))));
            case LONG_DOTS -> ".".repeat(8192);
            case LONG_SIGNED_MANY_MEMBERS -> signer.sign(manyMembers(claims));
            case LONG_SIGNED_ESCAPES -> signer.sign(claims.with("x", "\0".repeat(FILLER / 6)));
        };
    }

    private static JwtClaims manyMembers(JwtClaims claims) {
        JwtClaims many = claims;
        for (int i = 0; i < 250; i++) {
            many = many.with("claim-" + (1000 + i), i);
        }
        return many;
    }

    private static String broken(String token) {
        return token.substring(0, token.length() - 2) + (token.endsWith("A") ? "BA" : "AA");
    }

    @Benchmark
    public JwtResult verify() {
        return verifier.verify(token);
    }
}
