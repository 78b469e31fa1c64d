package dev.latchkey.benchmarks.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.cache.CachingTokenPlugin;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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

/** Whether the token cache pays against auth-jwt's own verification, both with revocation, through the SPI. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class TokenCacheBenchmark {

    private AuthPlugin jwt;
    private AuthPlugin cached;
    private BearerToken token;
    private JwtVerifier verifier;
    private byte[] bytes;

    @Setup
    public void sign() {
        HmacKey key = HmacKey.of("thirty-two bytes for a benchmark".getBytes(StandardCharsets.US_ASCII));
        String id = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(5));
        String signed = JwtSigner.with(key)
                .sign(JwtClaims.forSubject("ada", Duration.ofHours(5))
                        .withId(id)
                        .with("authorities", List.of("ROLE_USER", "SCOPE_read")));
        token = BearerToken.of(signed);
        bytes = signed.getBytes(StandardCharsets.US_ASCII);
        verifier = JwtVerifier.with(key);
        jwt = JwtAuthPlugin.of(verifier, revocations);
        CredentialCache cache = CredentialCache.create();
        cached = CachingTokenPlugin.around(jwt, cache, () -> 1L, revocations, verified -> List.of(id));
        cached.authenticate(token);
        boolean authenticated = cached.authenticate(token) instanceof Authenticated;
        if (!authenticated || cache.stats().hits() != 1) {
            throw new IllegalStateException("Not a hit: " + cache.stats());
        }
    }

    /** The verifier alone: no subject, no authorities, no revocation. */
    @Benchmark
    public JwtResult verify() {
        return verifier.verify(bytes);
    }

    @Benchmark
    public Decision verifyThroughPlugin() {
        return jwt.authenticate(token);
    }

    @Benchmark
    public Decision hit() {
        return cached.authenticate(token);
    }
}
