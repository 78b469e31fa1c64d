package dev.latchkey.benchmarks.growth;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.benchmarks.jmh.Timed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Each benchmark measures the work of a request for different sizes of one part of the service. */
public class GrowthBenchmark extends Timed {

    private static final Duration LIFETIME = Duration.ofHours(5);
    private static final RequestContext CONTEXT = RequestContext.none();

    /** The size, and requests with tokens through a chain. */
    @State(Scope.Benchmark)
    public abstract static class Sized {

        @Param("1")
        public int size;

        AuthChain chain;
        List<BearerToken> tokens;

        /** @param different the number of different tokens; each request has a random token of these */
        void chain(KeyRing ring, HmacKey signing, RevocationStore revocations, List<AuthPlugin> before, int different) {
            List<AuthPlugin> plugins = new ArrayList<>(before);
            plugins.add(JwtAuthPlugin.of(JwtVerifier.with(ring), revocations));
            chain = AuthChain.of(plugins);
            JwtSigner signer = JwtSigner.with(signing).withGeneratedIds();
            tokens = Stream.generate(() -> BearerToken.of(signer.sign(
                            JwtClaims.forSubject("user-1234", LIFETIME).with("authorities", List.of("ROLE_USER")))))
                    .limit(different)
                    .toList();
            if (!(request() instanceof Authenticated)) {
                throw new IllegalStateException("The chain rejects the token");
            }
        }

        Decision request() {
            return chain.authenticate(tokens.get(ThreadLocalRandom.current().nextInt(tokens.size())), CONTEXT);
        }
    }

    /** The last of the plugins decides; the others abstain. */
    public static class Plugins extends Sized {

        @Setup
        public void start() {
            List<AuthPlugin> others = new ArrayList<>();
            for (int i = 1; i < size; i++) {
                others.add(new Abstaining("other-" + i));
            }
            HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
            chain(KeyRing.of(key), key, new InMemoryRevocationStore(LIFETIME), others, 1);
        }

        private record Abstaining(String name) implements LoginSource<BearerToken> {

            @Override
            public Class<BearerToken> kind() {
                return BearerToken.class;
            }

            @Override
            public Decision authenticate(BearerToken credentials, RequestContext context) {
                return Decision.abstained();
            }
        }
    }

    /** The last and oldest key of the ring has signed the token. */
    public static class Keys extends Sized {

        boolean areNamed() {
            return true;
        }

        @Setup
        public void start() {
            KeyRing ring = null;
            HmacKey oldest = null;
            for (int i = 0; i < size; i++) {
                HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
                oldest = areNamed() ? key.withId("key-" + i) : key;
                ring = ring == null ? KeyRing.of(oldest) : ring.alsoVerifying(oldest, Instant.MAX);
            }
            chain(ring, oldest, new InMemoryRevocationStore(LIFETIME), List.of(), 1);
        }
    }

    /** The same without the key's id in the token: each key is tried. */
    public static class NamelessKeys extends Keys {

        @Override
        boolean areNamed() {
            return false;
        }
    }

    /**
     * Revoked tokens in the copy of a shared store. Each request has a random token of a fixed number, so look-ups read at most
     * so many places of the copy. As many tokens as revocations would take several gigabytes.
     */
    public static class Revocations extends Sized {

        public static final int DIFFERENT = 1 << 14;

        @Setup
        public void start() {
            LocalRevocations copy = LocalRevocations.of(
                    new NoStore(),
                    LocalRevocationSettings.defaults().withMaximumSize(size + 1).withStaleAfter(Duration.ofDays(1)));
            copy.refresh();
            Instant end = Instant.now().plus(LIFETIME);
            for (int i = 0; i < size; i++) {
                copy.revokeToken("token-" + i, end);
            }
            HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
            chain(KeyRing.of(key), key, copy, List.of(), DIFFERENT);
        }

        /** Keeps nothing: the copy is measured. */
        private static final class NoStore implements SharedRevocationStore {

            @Override
            public Revocation recordToken(String tokenId, Instant expiresAt) {
                return Revocation.ofToken(tokenId, expiresAt);
            }

            @Override
            public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
                return Revocation.ofToken(tokenId, expiresAt);
            }

            @Override
            public Revocation recordSubject(String subjectId, Instant notBefore) {
                return Revocation.ofSubject(subjectId, notBefore, LIFETIME);
            }

            @Override
            public List<Recorded> recordedAfter(long position, int most) {
                return List.of();
            }

            @Override
            public void restore(List<Revocation> lost) {}

            @Override
            public Instant notBefore(String subjectId) {
                return Instant.MIN;
            }

            @Override
            public boolean isTokenRevoked(String tokenId) {
                throw new IllegalStateException("The copy must answer alone");
            }
        }
    }

    /** Cached credentials; each request belongs to a random account. */
    @State(Scope.Benchmark)
    public static class Credentials {

        @Param("1")
        public int size;

        CachingPasswordEncoder encoder;

        @Setup
        public void start() {
            CredentialCache cache = CredentialCache.with(
                    CredentialCacheSettings.defaults().withMaximumSize(size * 2).withFastLoad(Duration.ZERO));
            encoder = CachingPasswordEncoder.around(new Accepting(), cache);
            for (int i = 0; i < size; i++) {
                if (!encoder.matches("correct horse", hash(i))) {
                    throw new IllegalStateException("Not accepted");
                }
            }
        }

        boolean request() {
            return encoder.matches(
                    "correct horse", hash(ThreadLocalRandom.current().nextInt(size)));
        }

        private static String hash(int account) {
            return "$2a$10$abcdefghijklmnopqrstuuK1mQ5m6xVQ8u3cV5o0Y1b9o" + account;
        }

        /** Accepts at once, so that the cache has ten million entries within a minute. */
        private static final class Accepting implements PasswordEncoder {

            @Override
            public String encode(CharSequence rawPassword) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean matches(CharSequence rawPassword, String encodedPassword) {
                return true;
            }
        }
    }

    /** Sessions with refresh tokens in memory; each request replaces the token of a random session. */
    @State(Scope.Benchmark)
    public static class Sessions {

        @Param("1")
        public int size;

        private final Instant begin = Instant.now();
        private InMemoryLoginStore store;

        @Setup
        public void start() {
            store = new InMemoryLoginStore(size + 1);
            for (int i = 0; i < size; i++) {
                store.start(login(i));
            }
        }

        boolean request() {
            StoredLogin next = login(ThreadLocalRandom.current().nextInt(size));
            return store.replace(next.tokenHash(), next);
        }

        private StoredLogin login(int number) {
            String id = "session-" + number;
            Instant end = begin.plus(LIFETIME);
            return new StoredLogin(id, "users", "user-" + number, id, "", Set.of("pwd"), begin, end, end, null);
        }
    }

    @Benchmark
    public Decision plugins(Plugins state) {
        return state.request();
    }

    @Benchmark
    public Decision keys(Keys state) {
        return state.request();
    }

    @Benchmark
    public Decision namelessKeys(NamelessKeys state) {
        return state.request();
    }

    @Benchmark
    public Decision revocations(Revocations state) {
        return state.request();
    }

    @Benchmark
    public boolean credentials(Credentials state) {
        return state.request();
    }

    @Benchmark
    public boolean sessions(Sessions state) {
        return state.request();
    }
}
