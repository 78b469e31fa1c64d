package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Throttles that count requests, on a Tomcat of 40 threads. Ten requests may wait, five of one caller. */
class ThrottledRequestsTest {

    /** In the lifetime of a test nothing is refilled: what passes was there, or was let through by a new rate. */
    private static final String NEVER = ".per=1d";

    private static ThrottledService service;

    @BeforeAll
    static void start() {
        service = ThrottledService.start(
                "server.tomcat.threads.max=40",
                "latchkey.throttle.refusing.paths=/counted",
                "latchkey.throttle.refusing.source.tokens=2",
                "latchkey.throttle.refusing.source.burst=2",
                "latchkey.throttle.refusing.source" + NEVER,
                "latchkey.throttle.waiting.paths=/bodies/bytes/*",
                "latchkey.throttle.waiting.max-wait=1h",
                "latchkey.throttle.waiting.global.tokens=1",
                "latchkey.throttle.waiting.global.burst=1",
                "latchkey.throttle.waiting.global" + NEVER,
                "latchkey.throttle.own.paths=/own/*",
                "latchkey.throttle.own.max-wait=1h",
                "latchkey.throttle.own.rate-limit-fields=false",
                "latchkey.throttle.own.principal.tokens=1",
                "latchkey.throttle.own.principal.burst=1",
                "latchkey.throttle.own.principal" + NEVER,
                "latchkey.throttle.shared.paths=/bodies/writer/*",
                "latchkey.throttle.shared.global.tokens=1",
                "latchkey.throttle.shared.global.burst=1",
                "latchkey.throttle.shared.global" + NEVER);
    }

    @AfterAll
    static void stop() {
        service.close();
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
    void callerThatPasses_isToldNothingWhereTheServiceWantsItSo() {
        HttpResponse<byte[]> first = service.getAs("eve", "/own/1").join();
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
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
        service.get("/bodies/writer/1").join();
        HttpResponse<byte[]> second = service.get("/bodies/writer/1").join();
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).contains("86400");
        assertThat(text(second)).contains("#temporary-reduced-capacity", "shared-global");
    }

    @Test
    void aQuarterOfTheThreadsWaits_otherRequestsAreServed_andAChangeOfTheRateEndsTheWait() {
        service.get("/bodies/bytes/10").join();
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = IntStream.range(0, 10)
                .mapToObj(i -> service.get("/bodies/bytes/" + (100 + i), "192.0.2." + (1 + i / 5)))
                .toList();
        service.await("waiting", throttle -> throttle.waiting() == 10);
        HttpResponse<byte[]> another =
                service.get("/bodies/bytes/10", "192.0.2.3").join();
        assertThat(another.statusCode()).isEqualTo(503);
        assertThat(another.headers().firstValue("Retry-After")).contains("86400");
        assertThat(text(service.get("/plain").join())).isEqualTo("plain");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        service.controls().changeRate("waiting", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        for (int i = 0; i < 10; i++) {
            assertThat(waiting.get(i).join().statusCode()).isEqualTo(200);
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

    @Test
    void controlsNameTheThrottlesThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.controls().snapshot("other"))
                .withMessage("No throttle 'other'; there are [own, refusing, shared, waiting]");
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
