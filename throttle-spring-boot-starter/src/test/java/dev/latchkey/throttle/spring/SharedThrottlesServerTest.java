package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node on Tomcat and a node on Netty with shared throttles. */
@Tag("long")
class SharedThrottlesServerTest {

    private static final String[] THROTTLES = {
        "spring.application.name=shop",
        "latchkey.guard.shared.secret=" + "k".repeat(32),
        "latchkey.throttle.api.paths=/counted",
        "latchkey.throttle.api.shared=true",
        "latchkey.throttle.api.source.tokens=6",
        "latchkey.throttle.api.source.burst=6",
        "latchkey.throttle.api.source.per=1d",
        "latchkey.throttle.own.paths=/plain",
        "latchkey.throttle.own.source.tokens=6",
        "latchkey.throttle.own.source.burst=6",
        "latchkey.throttle.own.source.per=1d",
        "latchkey.throttle.bodies.paths=/bodies/bytes/*",
        "latchkey.throttle.bodies.shared=true",
        "latchkey.throttle.bodies.counts=response-bytes",
        "latchkey.throttle.bodies.chunk=1000B",
        "latchkey.throttle.bodies.max-wait=60s",
        "latchkey.throttle.bodies.global.tokens=200000",
        "latchkey.throttle.bodies.global.burst=500",
    };

    private static EmbeddedRedis redis;
    private static ThrottledService tomcat;
    private static ReactiveThrottledService netty;

    @BeforeAll
    static void start() {
        redis = new EmbeddedRedis();
        tomcat = ThrottledService.startPatiently(with("spring.data.redis.port=" + redis.port()));
        netty = ReactiveThrottledService.startPatiently(with("spring.data.redis.port=" + redis.port()));
    }

    @AfterAll
    static void stop() {
        tomcat.close();
        netty.close();
        redis.close();
    }

    private static String[] with(String... more) {
        return Stream.concat(Arrays.stream(THROTTLES), Arrays.stream(more)).toArray(String[]::new);
    }

    /** Each asks both nodes in turn. */
    private static List<HttpResponse<byte[]>> answers(String path, String source) {
        List<HttpResponse<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(tomcat.get(path, source).join());
            answers.add(netty.get(path, source).join());
        }
        return answers;
    }

    @Test
    void sourceHasOneRateAtBothNodes_andIsToldWhatIsLeftOfIt() {
        List<HttpResponse<byte[]>> answers = answers("/counted", "192.0.2.7");
        assertThat(answers)
                .extracting(HttpResponse::statusCode)
                .containsExactly(200, 200, 200, 200, 200, 200, 429, 429, 429, 429);
        assertThat(answers)
                .extracting(answer ->
                        answer.headers().firstValue("RateLimit").orElseThrow().replaceAll(";t=.*", ""))
                .startsWith("\"api-source\";r=5", "\"api-source\";r=4", "\"api-source\";r=3", "\"api-source\";r=2");
        assertThat(answers.get(9).headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(14_000L, 14_400L);
        assertThat(netty.get("/counted", "192.0.2.8").join().statusCode()).isEqualTo(200);
    }

    @Test
    void throttleThatIsNotShared_isEachNodesOwn() {
        assertThat(answers("/plain", "192.0.2.7"))
                .extracting(HttpResponse::statusCode)
                .containsOnly(200);
    }

    @Test
    void bodiesOfBothNodes_areWhole() {
        List<CompletableFuture<HttpResponse<byte[]>>> bodies = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            bodies.add(tomcat.get("/bodies/bytes/30000", "192.0.2.7"));
            bodies.add(netty.get("/bodies/bytes/30000", "192.0.2.7"));
        }
        assertThat(bodies).allSatisfy(body -> assertThat(body.join().body()).isEqualTo(ThrottledService.body(30_000)));
    }

    @Test
    void redisThatStops_leavesEachNodeItsOwnRates_aMeterSaysSo_andItIsUsedAgain() {
        try (EmbeddedRedis own = new EmbeddedRedis();
                ThrottledService node = ThrottledService.startWithRedis(
                        with("spring.data.redis.port=" + own.port(), "latchkey.throttle.api.max-wait=60s"))) {
            String path = "/bodies/bytes/30000";
            assertThat(node.get(path).join().body()).hasSize(30_000);
            own.stop();
            assertThat(node.get(path).join().body()).isEqualTo(ThrottledService.body(30_000));
            assertThat(node.hasLostItsStore()).isTrue();
            assertThat(node.get("/counted").join().statusCode()).isEqualTo(200);
            own.start();
            until(() -> {
                node.get("/bodies/bytes/1").join();
                return !node.hasLostItsStore();
            });
        }
    }
}
