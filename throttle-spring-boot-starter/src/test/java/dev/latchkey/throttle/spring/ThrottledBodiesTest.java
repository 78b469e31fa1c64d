package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Throttles that count the bytes of bodies, on a Tomcat of two threads. */
class ThrottledBodiesTest {

    private static final BucketRate QUICK = new BucketRate(200_000, Duration.ofSeconds(1), 4096);

    /** Lets one burst through and then nothing. */
    private static final BucketRate STOPPED = new BucketRate(1, Duration.ofDays(1), 4096);

    private static ThrottledService service;

    @BeforeAll
    static void start() {
        service = ThrottledService.start(
                "latchkey.throttle.bodies.paths=/bodies/**",
                "latchkey.throttle.bodies.counts=response-bytes",
                "latchkey.throttle.bodies.chunk=4KB",
                "latchkey.throttle.bodies.max-held=64KB",
                "latchkey.throttle.bodies.max-wait=1h",
                "latchkey.throttle.bodies.source.tokens=1",
                "latchkey.throttle.narrow.paths=/bodies/bytes/*",
                "latchkey.throttle.narrow.counts=response-bytes",
                "latchkey.throttle.narrow.max-wait=1h",
                "latchkey.throttle.narrow.global.tokens=1000000000",
                "latchkey.throttle.hasty.paths=/hasty/**",
                "latchkey.throttle.hasty.counts=response-bytes",
                "latchkey.throttle.hasty.chunk=4KB",
                "latchkey.throttle.hasty.max-wait=20ms",
                "latchkey.throttle.hasty.source.tokens=1",
                "latchkey.throttle.hasty.source.per=1d",
                "latchkey.throttle.hasty.source.burst=12288");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void quick() {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, QUICK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "one-by-one", "streaming", "deferred", "own-thread", "forward"})
    void bodyIsWhole_howeverItIsWritten(String way) {
        String source = "198.51.100." + way.length();
        long begun = System.nanoTime();
        HttpResponse<byte[]> response =
                service.get("/bodies/" + way + "/50000", source).join();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(ThrottledService.body(50_000));
        // At least the bytes after the first burst take their time.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(200));
    }

    @Test
    void writersBodyIsWholeAndNamesItsEncoding() {
        HttpResponse<byte[]> response = service.get("/bodies/writer/9000").join();
        assertThat(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo("ä" + new String(ThrottledService.body(9000), StandardCharsets.US_ASCII));
    }

    /** The server accepts no more bytes at the end of a forward. */
    @Test
    void smallForwardedBody_isWhole_andNothingElseIsSent() {
        assertThat(service.get("/bodies/forward/100").join().body()).isEqualTo(ThrottledService.body(100));
        HttpResponse<byte[]> text = service.get("/bodies/forward-to-text/100").join();
        assertThat(new String(text.body(), StandardCharsets.UTF_8))
                .isEqualTo("ä" + new String(ThrottledService.body(100), StandardCharsets.US_ASCII));
    }

    @Test
    void errorOfTheService_replacesWhatWasKept() {
        service.get("/bodies/bytes/4096", "198.51.100.77").join();
        assertThat(service.get("/bodies/error/3000", "198.51.100.77").join().statusCode())
                .isEqualTo(418);
    }

    @Test
    void bodyLongerThanWhatIsKept_isWhole() {
        service.controls()
                .changeRate("bodies", ThrottleScope.SOURCE, new BucketRate(2_000_000, Duration.ofSeconds(1), 4096));
        assertThat(service.get("/bodies/bytes/300000").join().body()).isEqualTo(ThrottledService.body(300_000));
    }

    @Test
    void bodyOfTwoThrottles_waitsForTheNarrower() {
        service.controls().changeRate("narrow", ThrottleScope.GLOBAL, STOPPED);
        CompletableFuture<HttpResponse<byte[]>> download = service.get("/bodies/bytes/20000");
        service.await("narrow", throttle -> throttle.waiting() == 1);
        assertThat(download).isNotDone();
        service.controls().changeRate("narrow", ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000_000));
        assertThat(download.join().body()).isEqualTo(ThrottledService.body(20_000));
    }

    @Test
    void waitingBodies_holdNoThread() {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        List<CompletableFuture<HttpResponse<byte[]>>> downloads = IntStream.range(0, 20)
                .mapToObj(i -> service.get("/bodies/bytes/20000", "203.0.113." + i))
                .toList();
        service.await("bodies", throttle -> throttle.waiting() == 20);
        // Tomcat has two threads.
        assertThat(service.get("/plain").join().statusCode()).isEqualTo(200);
        assertThat(downloads).noneMatch(CompletableFuture::isDone);
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, QUICK);
        for (CompletableFuture<HttpResponse<byte[]>> download : downloads) {
            assertThat(download.join().body()).isEqualTo(ThrottledService.body(20_000));
        }
        assertThat(service.controls().snapshot("bodies").waiting()).isZero();
    }

    @Test
    void bodyThatWaitsTooLong_endsEarlySoThatTheClientNotices_orIsRefusedIfNothingWasSent() {
        String source = "198.51.100.99";
        assertThatThrownBy(() -> service.get("/hasty/30000", source).join()).hasCauseInstanceOf(IOException.class);
        HttpResponse<byte[]> second = service.get("/hasty/30000", source).join();
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValue("RateLimit-Policy"))
                .contains("\"hasty-source\";q=1;qu=\"content-bytes\";w=86400");
        assertThat(second.headers().firstValue("X-Content-Type-Options"))
                .as("of Spring Security")
                .contains("nosniff");
    }

    @Test
    void serviceThatWantsToWriteWithoutBlocking_fails_andNoByteIsLeftUncounted() {
        HttpResponse<byte[]> response = service.get("/bodies/listening").join();
        assertThat(response.statusCode()).isEqualTo(500);
    }

    @Test
    void clientThatGoesAway_leavesNothingBehind() throws IOException {
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, STOPPED);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.getOutputStream()
                    .write("GET /bodies/bytes/60000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isPositive();
            service.await("bodies", throttle -> throttle.waiting() == 1);
            socket.setSoLinger(true, 0);
        }
        service.controls().changeRate("bodies", ThrottleScope.SOURCE, QUICK);
        service.await("bodies", throttle -> throttle.waiting() == 0);
    }
}
