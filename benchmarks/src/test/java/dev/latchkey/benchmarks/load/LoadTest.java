package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The generator against a small server: what it counts must be what happened. */
@Tag("long")
class LoadTest {

    private static final Duration A_MOMENT = Duration.ofMillis(400);
    private static final Set<String> TOKENS = ConcurrentHashMap.newKeySet();

    private static final Duration SLOW = Duration.ofMillis(300);

    private static final Executor LATER = CompletableFuture.delayedExecutor(SLOW.toMillis(), TimeUnit.MILLISECONDS);

    private static HttpServer server;
    private static ExecutorService threads;

    @BeforeAll
    static void start() throws IOException {
        System.setProperty("log4j2.configurationFile", "classpath:quiet-log4j2.properties");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/login", exchange -> {
            String token = "token-of-"
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII)
                            .replaceAll("\\W", ".");
            TOKENS.add("Bearer " + token);
            answer(exchange, 200, "{\"access_token\":\"" + token + "\",\"expires_in\":1}");
        });
        server.createContext("/profile", exchange -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            answer(exchange, token != null && TOKENS.contains(token) ? 200 : 401, "profile");
        });
        server.createContext("/busy", exchange -> answer(exchange, 503, "busy"));
        server.createContext("/slow", exchange -> LATER.execute(() -> answerUnchecked(exchange)));
        server.createContext("/never", exchange -> {});
        threads = Executors.newFixedThreadPool(4);
        server.setExecutor(threads);
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void answerUnchecked(HttpExchange exchange) {
        try {
            answer(exchange, 200, "slow");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static int port() {
        return server.getAddress().getPort();
    }

    @Test
    void closedModel_usesTheTokenThatItWasGiven() {
        Map<String, Tally> tallies = Load.run(
                port(),
                Connections.OWN,
                A_MOMENT,
                Crowd.closed(
                                "users",
                                3,
                                Call.formLogin("login", "/login"),
                                Call.get("profile", "/profile").withToken())
                        .beginningWith(user -> user.become(Accounts.name(user.number()))));
        assertThat(tallies.get("profile").good()).isPositive();
        assertThat(tallies.get("profile").refused()).isZero();
        assertThat(tallies.get("login").good())
                .isGreaterThanOrEqualTo(tallies.get("profile").good());
        assertThat(tallies.get("login").perSecond()).isPositive();
        assertThat(tallies.get("login").goodMillisAt(99))
                .isGreaterThanOrEqualTo(tallies.get("login").goodMillisAt(50));
    }

    @Test
    void refusalForOverload_isNoSuccess() {
        Tally busy = Load.run(port(), Connections.SHARED, A_MOMENT, Crowd.closed("users", 2, Call.get("busy", "/busy")))
                .get("busy");
        assertThat(busy.good()).isZero();
        assertThat(busy.overloaded()).isPositive().isEqualTo(busy.errors());
        assertThat(busy.perSecond()).isZero();
    }

    @Test
    void openModel_asksOncePerArrival_onConnectionsOfTheirOwn() {
        Tally arrivals = Load.run(
                        port(), Connections.NEW_EACH, A_MOMENT, Crowd.arriving("users", 50, Call.get("p", "/profile")))
                .get("p");
        assertThat(arrivals.refused()).isBetween(1L, 60L).isEqualTo(arrivals.requests());
        assertThat(arrivals.unanswered()).isZero();
    }

    @Test
    void rate_isCountedFromTheFirstRequest_notFromTheFirstAnswer() {
        int users = 3;
        Tally slow = Load.run(
                        port(), Connections.OWN, A_MOMENT, Crowd.closed("users", users, Call.get("slow", "/slow")))
                .get("slow");
        assertThat(slow.perSecond()).isPositive().isLessThanOrEqualTo(1e3 * users / SLOW.toMillis());
    }

    @Test
    void requestsThatTimeOut_areCountedOnce() {
        Tally never = Load.run(
                        port(),
                        Connections.OWN,
                        A_MOMENT,
                        Duration.ofMillis(100),
                        Crowd.closed("users", 2, Call.get("never", "/never")))
                .get("never");
        assertThat(never.good()).isZero();
        assertThat(never.requests()).isPositive().isEqualTo(never.unanswered()).isEqualTo(never.errors());
    }
}
