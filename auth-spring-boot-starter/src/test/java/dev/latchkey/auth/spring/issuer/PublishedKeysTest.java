package dev.latchkey.auth.spring.issuer;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a slow issuer. */
@Tag("long")
class PublishedKeysTest {

    private static final long AFTER_THE_CACHE = Duration.ofMinutes(6).toMillis();
    private static final long A_DAY = Duration.ofDays(1).toMillis();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger fetched = new AtomicInteger();
    private final AtomicLong millis = new AtomicLong();
    private final byte[] body =
            new JWKSet(IssuerServer.rsa(0, "key-1").toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
    private HttpServer server;
    private JWKSetSource<SecurityContext> source;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
        source = sourceAt(server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void whileOneThreadFetchesTheKeysAnew_theOthersHaveTheOldOnes() throws Exception {
        server.createContext("/keys", exchange -> {
            if (fetched.incrementAndGet() > 1) {
                pause(Duration.ofMinutes(1));
            }
            answer(exchange);
        });
        assertThat(keys().getKeys()).hasSize(1);
        millis.addAndGet(AFTER_THE_CACHE);
        Future<JWKSet> first = threads.submit(this::keys);
        until(() -> fetched.get() == 2);
        assertThat(keys().getKeys()).hasSize(1);
        assertThat(first.get().getKeys()).hasSize(1);
    }

    /** Nimbus passes the time of the system's clock. */
    @Test
    void clockSetBack_delaysNoFetch() throws Exception {
        server.createContext("/keys", exchange -> {
            fetched.incrementAndGet();
            answer(exchange);
        });
        long now = System.currentTimeMillis();
        JWKSet ofTheWrongClock = keysAt(now + A_DAY);
        source.getJWKSet(JWKSetCacheRefreshEvaluator.referenceComparison(ofTheWrongClock), now, null);
        millis.addAndGet(AFTER_THE_CACHE);
        assertThat(keysAt(now + AFTER_THE_CACHE).getKeys()).hasSize(1);
        assertThat(fetched).hasValue(3);
    }

    @Test
    void keysOfAnIssuerThatIsDown_areUsedForFourHoursAtMost() throws Exception {
        server.createContext("/keys", exchange -> {
            if (fetched.incrementAndGet() == 1) {
                answer(exchange);
            } else {
                exchange.sendResponseHeaders(503, -1);
                exchange.close();
            }
        });
        Duration end = Duration.ofHours(4);
        Duration last = Duration.ZERO;
        // Each kept copy of the keys is used until its end.
        for (Duration age = Duration.ZERO; age.compareTo(end) <= 0; age = age.plusMinutes(5)) {
            last = hasKeysAt(age) ? age : last;
        }
        assertThat(last).isGreaterThan(Duration.ofMinutes(210));
        assertThat(hasKeysAt(end.plusMillis(1))).isFalse();
    }

    private boolean hasKeysAt(Duration age) throws Exception {
        millis.set(age.toMillis());
        try {
            return !keys().getKeys().isEmpty();
        } catch (JWKSetUnavailableException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nSlow: ",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;slow="
            })
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void answerThatComesByteByByte_isGivenUp(String begun) throws IOException {
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<?> answering = threads.submit(() -> {
                try (Socket accepted = slow.accept()) {
                    accepted.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
                    while (true) {
                        accepted.getOutputStream().write('x');
                        pause(Duration.ofMillis(100));
                    }
                }
            });
            source = sourceAt(slow.getLocalPort());
            assertThatThrownBy(this::keys).isInstanceOf(JWKSetUnavailableException.class);
            assertThat(answering).as("the connection is closed").failsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    void redirect_isFollowed() throws Exception {
        server.createContext("/keys", exchange -> {
            exchange.getResponseHeaders().set("Location", "/moved");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.createContext("/moved", this::answer);
        assertThat(keys().getKeys()).hasSize(1);
    }

    @Test
    void answerThatIsTooLong_isGivenUp() {
        server.createContext("/keys", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(" ".repeat(256 * 1024).getBytes(StandardCharsets.UTF_8));
            answerBody(exchange);
        });
        assertThatThrownBy(this::keys).isInstanceOf(JWKSetUnavailableException.class);
    }

    private JWKSetSource<SecurityContext> sourceAt(int port) {
        return PublishedKeys.sourceAt(
                URI.create("http://127.0.0.1:" + port + "/keys"), new PublishedKeys.Outages(), millis::get);
    }

    private JWKSet keys() throws Exception {
        return keysAt(System.currentTimeMillis());
    }

    private JWKSet keysAt(long clock) throws Exception {
        return source.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), clock, null);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        answerBody(exchange);
    }

    private void answerBody(HttpExchange exchange) throws IOException {
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void pause(Duration time) throws IOException {
        try {
            if (stopped.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("The test is over");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
