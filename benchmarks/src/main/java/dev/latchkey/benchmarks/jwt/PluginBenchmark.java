package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

/** What it costs, beyond the verification, to make a subject with authorities of a token and to ask for its revocation. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PluginBenchmark {

    @Param({"0", "2", "8"})
    public int authorities;

    private JwtVerifier verifier;
    private AuthPlugin plugin;
    private byte[] bytes;
    private BearerToken token;

    @Setup
    public void sign() {
        HmacKey key = HmacKey.of(TokenLibrary.Algorithm.HS256.key(), HmacAlgorithm.HS256);
        List<String> names = List.of("ROLE_USER", "SCOPE_read", "A3", "A4", "A5", "A6", "A7", "A8");
        JwtClaims claims =
                JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME).withId(Content.ID);
        String signed = JwtSigner.with(key)
                .sign(authorities == 0 ? claims : claims.with("authorities", names.subList(0, authorities)));
        verifier = JwtVerifier.with(key);
        plugin = JwtAuthPlugin.of(verifier, new InMemoryRevocationStore(Content.LIFETIME));
        bytes = signed.getBytes(StandardCharsets.US_ASCII);
        token = BearerToken.of(signed);
    }

    @Benchmark
    public JwtResult verifierAlone() {
        return verifier.verify(bytes);
    }

    @Benchmark
    public Decision plugin() {
        return plugin.authenticate(token, RequestContext.none());
    }
}
