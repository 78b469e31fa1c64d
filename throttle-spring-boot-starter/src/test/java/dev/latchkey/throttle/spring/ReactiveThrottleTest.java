package dev.latchkey.throttle.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Throttles in front of WebFlux, on a Netty of one event loop: what blocks it is felt by every request. */
@Tag("long")
class ReactiveThrottleTest {

    private static final String NEVER = ".per=1d";
    private static final BucketRate QUICK = new BucketRate(200_000, Duration.ofSeconds(1), 4096);

    /** Lets one burst through and then nothing. */
    private static final BucketRate STOPPED = new BucketRate(1, Duration.ofDays(1), 4096);

    private static ReactiveThrottledService service;

    @BeforeAll
    static void start() {
        service = ReactiveThrottledService.start(
                "latchkey.throttle.bodies.paths=/bodies/**",
                "latchkey.throttle.bodies.counts=response-bytes",
                "latchkey.throttle.bodies.chunk=4KB",
                "latchkey.throttle.bodies.max-wait=1h",
                "latchkey.throttle.bodies.source.tokens=1",
                "latchkey.throttle.hasty.paths=/hasty/**",
                "latchkey.throttle.hasty.counts=response-bytes",
                "latchkey.throttle.hasty.chunk=4KB",
                "latchkey.throttle.hasty.max-wait=20ms",
                "latchkey.throttle.hasty.source.tokens=1",
                "latchkey.throttle.hasty.source" + NEVER,
                "latchkey.throttle.hasty.source.burst=12288",
                "latchkey.throttle.own.paths=/own/*",
                "latchkey.throttle.own.max-wait=1h",
                "latchkey.throttle.own.principal.tokens=1",
                "latchkey.throttle.own.principal.burst=1",
                "latchkey.throttle.own.principal" + NEVER,
                "latchkey.throttle.refusing.paths=/counted",
                "latchkey.throttle.refusing.source.tokens=2",
                "latchkey.throttle.refusing.source.burst=2",
                "latchkey.throttle.refusing.source" + NEVER,
                "latchkey.throttle.shared.paths=/paid/1",
                "latchkey.throttle.shared.global.tokens=1",
                "latchkey.throttle.shared.global.burst=1",
                "latchkey.throttle.shared.global" + NEVER,
                "latchkey.throttle.waiting.paths=/paid/1??",
                "latchkey.throttle.waiting.max-wait=1h",
                "latchkey.throttle.waiting.global.tokens=1",
                "latchkey.throttle.waiting.global.burst=1",
                "latchkey.throttle.waiting.global" + NEVER);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void quick() {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, QUICK);
    }

    @Test
    void callerThatExceedsItsOwnRate_is429WithTheTimeToRetryAndThePolicy() {
        service.get("/counted", "192.0.2.7").join();
        service.get("/counted", "192.0.2.7").join();
        HttpResponse<byte[]> third = service.get("/counted", "192.0.2.7").join();
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.headers().firstValue("Retry-After")).contains("43200");
        assertThat(third.headers().firstValue("RateLimit-Policy")).contains("\"refusing-source\";q=2;w=86400");
        assertThat(third.headers().firstValue("RateLimit")).contains("\"refusing-source\";r=0;t=43200");
        assertThat(third.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(third.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(text(third))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Quota Exceeded\",\"status\":429,\"violated-policies\":[\"refusing-source\"]}");
        assertThat(service.get("/counted", "192.0.2.8").join().statusCode()).isEqualTo(200);
    }

    @Test
    void callerThatPasses_isToldWhatIsLeft() {
        HttpResponse<byte[]> first = service.get("/counted", "192.0.2.10").join();
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly("\"refusing-source\";q=2;w=86400");
        assertThat(first.headers().allValues("RateLimit")).containsExactly("\"refusing-source\";r=1;t=43200");
    }

    @Test
    void pathInAnotherSpelling_isTheSamePath() {
        String source = "192.0.2.9";
        service.get("/counted", source).join();
        service.get("/%63ounted", source).join();
        assertThat(service.get("/count%65d", source).join().statusCode()).isEqualTo(429);
    }

    @Test
    void excessOfAllCallersTogether_is503() {
        service.get("/paid/1", "192.0.2.1").join();
        HttpResponse<byte[]> second = service.get("/paid/1", "192.0.2.2").join();
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).contains("86400");
        assertThat(text(second)).contains("#temporary-reduced-capacity", "shared-global");
    }

    @Test
    void requestsThatWait_holdNoThreadAndPassWhenTheRateIsChanged() {
        service.get("/paid/199", "192.0.2.1").join();
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = IntStream.range(100, 120)
                .mapToObj(i -> service.get("/paid/" + i, "192.0.2.1"))
                .toList();
        service.await("waiting", throttle -> throttle.waiting() == 20);
        assertThat(text(service.get("/plain", "192.0.2.1").join())).isEqualTo("plain");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        service.controls().changeRate("waiting", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        for (int i = 0; i < 20; i++) {
            assertThat(waiting.get(i).join().body()).isEqualTo(ThrottledService.body(100 + i));
        }
        assertThat(service.controls().snapshot("waiting").waiting()).isZero();
    }

    @Test
    void callersHaveBucketsOfTheirOwn_andAreStillKnownWhenTheyHaveWaited() {
        assertThat(text(service.getAs("ann", "/own/1").join())).isEqualTo("ann");
        CompletableFuture<HttpResponse<byte[]>> waiting = service.getAs("ann", "/own/2");
        service.await("own", throttle -> throttle.waiting() == 1);
        assertThat(text(service.getAs("bob", "/own/1").join())).isEqualTo("bob");
        assertThat(waiting).isNotDone();

        service.controls().changeRate("own", ThrottleScope.PRINCIPAL, new BucketRate(1000, Duration.ofSeconds(1), 10));
        assertThat(text(waiting.join())).isEqualTo("ann");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "flowing", "flushing", "unpooled"})
    void bodyIsWhole_howeverItIsWritten(String way) {
        String source = "198.51.100." + way.charAt(1);
        long begun = System.nanoTime();
        HttpResponse<byte[]> response =
                service.get("/bodies/" + way + "/50000", source).join();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(ThrottledService.body(50_000));
        // At least the bytes behind the first burst take their time.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(200));
    }

    @Test
    void streamOfEvents_isWhole() {
        String events = text(service.get("/bodies/events/20000", "198.51.100.7").join());
        assertThat(events).isEqualTo("data:ten bytes!\n\n".repeat(2_000));
    }

    @Test
    void bodyOfNoBytes_passes() {
        HttpResponse<byte[]> response =
                service.get("/bodies/bytes/0", "198.51.100.8").join();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Length")).contains("0");
    }

    @Test
    void bodyThatIsNotSent_costsNothing() {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> head =
                    service.send("HEAD", "/bodies/bytes/20000", "198.51.100.9").join();
            assertThat(head.headers().firstValue("Content-Length")).contains("20000");
        }
        assertThat(service.get("/bodies/bytes/4096", "198.51.100.9").join().body())
                .hasSize(4096);
    }

    @Test
    void firstPiece_isWithTheClientWhileTheNextOneWaits() throws IOException {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            request(socket, "/bodies/flowing/60000", "198.51.100.10");
            int bodyRead = 0;
            byte[] buffer = new byte[8192];
            String read = "";
            // The answer's head, and chunks of a thousand bytes, as the service writes them, that make up the burst.
            while (bodyRead < 4_000) {
                int count = socket.getInputStream().read(buffer);
                assertThat(count).isPositive();
                read += new String(buffer, 0, count, US_ASCII);
                int head = read.indexOf("\r\n\r\n");
                bodyRead = head < 0 ? 0 : read.length() - head - 4;
            }
        }
        service.await("bodies", throttle -> throttle.waiting() == 0);
    }

    @Test
    void waitingBodies_holdNoThread() {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        List<CompletableFuture<HttpResponse<byte[]>>> downloads = IntStream.range(0, 20)
                .mapToObj(i -> service.get("/bodies/bytes/20000", "203.0.113." + i))
                .toList();
        service.await("bodies", throttle -> throttle.waiting() == 20);
        assertThat(service.get("/plain", "192.0.2.1").join().statusCode()).isEqualTo(200);
        assertThat(downloads).noneMatch(CompletableFuture::isDone);
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, QUICK);
        for (CompletableFuture<HttpResponse<byte[]>> download : downloads) {
            assertThat(download.join().body()).isEqualTo(ThrottledService.body(20_000));
        }
        assertThat(service.controls().snapshot("bodies").waiting()).isZero();
    }

    @Test
    void serviceIsAskedForNoMoreThanTheThrottleLetsThrough_andNothingIsLeftWhenTheClientGoesAway() throws IOException {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            request(socket, "/bodies/endless", "198.51.100.11");
            assertThat(socket.getInputStream().read()).isPositive();
            service.await("bodies", throttle -> throttle.waiting() == 1);
            // Four of a thousand bytes have passed, the fifth waits.
            assertThat(service.bodies().taken).hasValue(5);
            socket.setSoLinger(true, 0);
        }
        service.await("bodies", throttle -> throttle.waiting() == 0);
        assertThat(service.bodies().taken).hasValue(5);
    }

    @Test
    void bodyThatWaitsTooLong_endsEarlySoThatTheClientNotices_orIsRefusedIfNothingWasSent() {
        String source = "198.51.100.99";
        assertThatThrownBy(() -> service.get("/hasty/30000", source).join()).hasCauseInstanceOf(IOException.class);
        assertRefused(service.get("/hasty/30000", source).join());
    }

    @Test
    void bodyThatIsFlushed_endsEarlySoThatTheClientNotices_orIsRefusedIfNothingWasSent() {
        String source = "198.51.100.98";
        assertThatThrownBy(() -> service.get("/hasty/flushing/30000", source).join())
                .hasCauseInstanceOf(IOException.class);
        assertRefused(service.get("/hasty/flushing/30000", source).join());
    }

    /** As on servlets, see {@link ThrottledBodyFilterTest}. */
    @Test
    void refusalOfABody_keepsCookiesAndOtherFields_andNoFieldOfTheBody() {
        String source = "198.51.100.97";
        assertThatThrownBy(() -> service.get("/hasty/30000", source).join()).hasCauseInstanceOf(IOException.class);
        HttpResponse<byte[]> refusal =
                service.get("/hasty/fields/30000", source).join();
        assertRefused(refusal);
        HttpHeaders fields = refusal.headers();
        assertThat(fields.allValues("Set-Cookie")).containsExactlyInAnyOrder("SESSION=1", "remember-me=new");
        assertThat(fields.allValues("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
        assertThat(fields.allValues("Vary")).containsExactly("Origin", "Accept-Language");
        assertThat(fields.allValues("Content-Security-Policy")).containsExactly("default-src 'self'");
        assertThat(fields.allValues("Content-Type")).containsExactly("application/problem+json");
        assertThat(fields.allValues("Cache-Control")).containsExactly("no-store");
        assertThat(fields.firstValue("Content-Disposition")).isEmpty();
    }

    private static void assertRefused(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("RateLimit-Policy"))
                .contains("\"hasty-source\";q=1;qu=\"content-bytes\";w=86400");
        assertThat(response.headers().firstValue("ETag")).isEmpty();
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(text(response)).contains("#quota-exceeded", "hasty-source");
    }

    private static void request(Socket socket, String path, String source) throws IOException {
        socket.setSoTimeout(30_000);
        String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + source + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(US_ASCII));
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), US_ASCII);
    }
}
