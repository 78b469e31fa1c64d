package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.benchmarks.jmh.Timed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A bearer token's way through the pipeline, beside the plugin alone and the verification alone. */
@State(Scope.Benchmark)
@Fork(2)
public class ChainBenchmark extends Timed {

    private final RequestContext context = RequestContext.none().withTenant("emea");

    private JwtVerifier verifier;
    private JwtAuthPlugin plugin;
    private AuthChain chain;
    private byte[] bytes;
    private BearerToken token;

    @Setup
    public void sign() {
        HmacKey key = HmacKey.of(TokenLibrary.Algorithm.HS256.key(), HmacAlgorithm.HS256);
        String signed = JwtSigner.with(key)
                .sign(JwtClaims.forSubject(Content.SUBJECT, Content.LIFETIME)
                        .withId(Content.ID)
                        .with("authorities", List.of("ROLE_USER", "SCOPE_read")));
        verifier = JwtVerifier.with(key);
        plugin = JwtAuthPlugin.of(verifier, new InMemoryRevocationStore(Content.LIFETIME));
        chain = AuthChain.of(List.<AuthPlugin>of(plugin));
        bytes = signed.getBytes(StandardCharsets.US_ASCII);
        token = BearerToken.of(signed);
        if (!(pipeline() instanceof Authenticated)) {
            throw new IllegalStateException("The chain rejects the token");
        }
    }

    @Benchmark
    public JwtResult verification() {
        return verifier.verify(bytes);
    }

    @Benchmark
    public Decision plugin() {
        return plugin.authenticate(token, context);
    }

    @Benchmark
    public Decision pipeline() {
        return chain.authenticate(token, context);
    }
}
