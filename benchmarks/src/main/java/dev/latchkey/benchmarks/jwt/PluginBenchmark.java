package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.store.InMemoryRevocationStore;
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

/**
 * What it costs, beyond the verification, to make a subject with authorities and attributes of a token and to ask for its revocation, through
 * the chain as a request does; and the bare MAC over the same bytes, which grow with what a token says.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PluginBenchmark {

    @Param({"0", "2", "8"})
    public int authorities;

    @Param({"0", "4"})
    public int attributes;

    private JwtVerifier verifier;
    private JwtAuthPlugin plugin;
    private AuthChain chain;
    private RequestContext context;
    private Floor floor;
    private byte[] bytes;
    private BearerToken token;

    @Setup
    public void sign() throws Exception {
        byte[] secret = TokenLibrary.Algorithm.HS256.key();
        HmacKey key = HmacKey.of(secret, HmacAlgorithm.HS256);
        String signed = JwtSigner.with(key).sign(claims());
        verifier = JwtVerifier.with(key);
        plugin = JwtAuthPlugin.of(verifier, new InMemoryRevocationStore(Content.LIFETIME));
        chain = AuthChain.of(List.of(plugin));
        context = RequestContext.none().withTenant("emea");
        bytes = signed.getBytes(StandardCharsets.US_ASCII);
        token = BearerToken.of(signed);
        floor = new Floor(TokenLibrary.Algorithm.HS256, secret, signed);
    }

    private JwtClaims claims() {
        List<String> names = List.of("ROLE_USER", "SCOPE_read", "A3", "A4", "A5", "A6", "A7", "A8");
        JwtClaims claims =
                JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME).withId(Content.ID);
        if (authorities > 0) {
            claims = claims.with("authorities", names.subList(0, authorities));
        }
        if (attributes > 0) {
            claims = claims.with("department", "Sales")
                    .with("level", 3)
                    .with("name", "Ann Lee")
                    .with("projects", List.of("north", "south"));
        }
        return claims;
    }

    @Benchmark
    public JwtResult verifierAlone() {
        return verifier.verify(bytes);
    }

    @Benchmark
    public byte[] mac() throws CloneNotSupportedException {
        return floor.mac();
    }

    @Benchmark
    public Verdict chain() {
        return chain.authenticate(token, context);
    }

    /** By a request that asks for them. */
    @Benchmark
    public int chainAndAttributes() {
        return chain.authenticate(token, context) instanceof Authenticated login
                ? login.subject().claims().size()
                : -1;
    }

    @Benchmark
    public Decision plugin() {
        return plugin.authenticate(token, RequestContext.none());
    }
}
