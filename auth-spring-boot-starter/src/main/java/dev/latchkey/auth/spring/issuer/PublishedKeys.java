package dev.latchkey.auth.spring.issuer;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetSourceWrapper;
import com.nimbusds.jose.jwk.source.OutageTolerantJWKSetSource;
import com.nimbusds.jose.jwk.source.RateLimitedJWKSetSource;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.events.Event;
import com.nimbusds.jose.util.events.EventListener;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * Decoders with the public keys of an issuer (RFC 7517). Nimbus fetches, caches and selects the keys, and verifies the signature.
 *
 * <p>Keys are cached for five minutes, and during an outage of the issuer for four hours at most. A key outside the cache is
 * an outage then. At a refresh one thread fetches the keys. Each other thread waits for a second at most, and then uses the
 * previous keys.
 *
 * <p>An unknown key id causes a new fetch, at most twice in 30 seconds: otherwise each forged request would reach the issuer.
 * Only algorithms with a public key are accepted, so that a public key never serves as an HMAC secret.
 */
final class PublishedKeys {

    /** The longest time for a whole answer, with its connection. */
    private static final long ANSWER_MILLIS = 4_000;

    private static final int MOST_BYTES = 256 * 1024;
    private static final long KEPT_MILLIS = Duration.ofMinutes(5).toMillis();

    /** The longest wait of a request for the thread that fetches the keys. */
    private static final long WAIT_MILLIS = 1_000;

    private static final long PAUSE_MILLIS = 30_000;

    /** How long after their last use the keys remain for requests that wait in vain. */
    private static final long SPARE_MILLIS = Duration.ofHours(1).toMillis();

    /** With the times of the cache and of the spare keys, four hours at most. */
    private static final long OUTAGE_MILLIS = Duration.ofHours(4).toMillis() - KEPT_MILLIS - SPARE_MILLIS;

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private PublishedKeys() {}

    /** A decoder for the signature only. The claims are checked elsewhere, with the service's clock. */
    static JwtDecoder decoderAt(URI keys) {
        Outages outages = new Outages();
        long start = System.nanoTime();
        LongSupplier millis = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        NimbusJwtDecoder decoder = decoderOf(sourceAt(keys, outages, millis));
        return token -> {
            try {
                return decoder.decode(token);
            } catch (BadJwtException e) {
                // The issuer may have published the key since the last fetch.
                boolean isOfAKnownKey = e.getCause() instanceof BadJWSException;
                throw isOfAKnownKey || !outages.isOne() ? e : new JwtException("The keys cannot be fetched anew", e);
            }
        };
    }

    /** Whether cached keys replace an unavailable answer of the issuer. */
    static final class Outages implements EventListener<OutageTolerantJWKSetSource<SecurityContext>, SecurityContext> {

        private volatile long until = System.nanoTime();

        @Override
        public void notify(Event<OutageTolerantJWKSetSource<SecurityContext>, SecurityContext> event) {
            until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        }

        boolean isOne() {
            return until - System.nanoTime() > 0;
        }
    }

    private static NimbusJwtDecoder decoderOf(JWKSetSource<SecurityContext> source) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, new JWKSetBasedJWKSource<>(source)));
        // The type of RFC 9068, or no type, as most issuers send no type.
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWTClaimsSetVerifier((claims, context) -> {});
        NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
        decoder.setJwtValidator(jwt -> OAuth2TokenValidatorResult.success());
        return decoder;
    }

    /**
     * Nimbus' builder puts the keys for outages below the cache, where a request that waits in vain for the cache's lock does not
     * find the keys. Therefore a second copy stands above the cache.
     *
     * @param millis a time from zero on that never goes back
     */
    static JWKSetSource<SecurityContext> sourceAt(URI keys, Outages outages, LongSupplier millis) {
        try {
            HttpRequest request = HttpRequest.newBuilder(keys).build();
            JWKSetSource<SecurityContext> fetched = new URLBasedJWKSetSource<>(keys.toURL(), url -> answerTo(request));
            JWKSetSource<SecurityContext> limited = new RateLimitedJWKSetSource<>(
                    new OutageTolerantJWKSetSource<>(fetched, OUTAGE_MILLIS, outages), PAUSE_MILLIS, null);
            JWKSetSource<SecurityContext> kept = new OutageTolerantJWKSetSource<>(
                    new CachingJWKSetSource<>(limited, KEPT_MILLIS, WAIT_MILLIS, null), SPARE_MILLIS, outages);
            return new Timed(kept, millis);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /**
     * Replaces the time of the system's clock, which Nimbus passes. If the clock were set back, Nimbus would fetch no key before
     * the clock reached the time of the last fetch again.
     */
    private static final class Timed extends JWKSetSourceWrapper<SecurityContext> {

        private final LongSupplier millis;

        Timed(JWKSetSource<SecurityContext> source, LongSupplier millis) {
            super(source);
            this.millis = millis;
        }

        @Override
        public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long ofTheClock, @Nullable SecurityContext context)
                throws KeySourceException {
            return getSource().getJWKSet(refresh, millis.getAsLong(), context);
        }
    }

    /**
     * Nimbus' own retriever limits each read alone. An issuer that sends byte by byte would then never end. A {@code URLConnection}
     * reads a whole header, or the line before a chunk, in one call.
     *
     * <p>Each answer has a client of its own. A common client would reuse a connection that a router may have dropped since.
     */
    private static Resource answerTo(HttpRequest request) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        HttpResponse<Void> answer = inTime(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()
                .sendAsync(
                        request,
                        BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(
                                bytes -> body.write(bytes, 0, Math.min(bytes.length, MOST_BYTES + 1 - body.size()))))));
        if (answer.statusCode() != 200) {
            throw new IOException("The issuer answered with the status " + answer.statusCode());
        }
        if (body.size() > MOST_BYTES) {
            throw new IOException("The keys have more than " + MOST_BYTES + " bytes");
        }
        return new Resource(
                body.toString(StandardCharsets.UTF_8),
                answer.headers().firstValue("Content-Type").orElse(null));
    }

    private static <T> T inTime(Future<T> answer) throws IOException {
        try {
            return answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("The keys took more than " + ANSWER_MILLIS + " milliseconds", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the keys were fetched", e);
        } finally {
            answer.cancel(true);
        }
    }
}
