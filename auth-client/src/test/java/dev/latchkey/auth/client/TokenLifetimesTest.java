package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twenty lifetimes of a token, with several threads, a moved clock, restarts with another key, and failing logins. Each request
 * succeeds at the latest after one repetition. {@code -Drequests=100000} makes a longer run.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TokenLifetimesTest {

    private static final int REQUESTS = Integer.getInteger("requests", 4_000);
    private static final int LIFETIMES = 20;
    private static final int STEPS = 4;
    private static final int THREADS = 8;
    private static final Duration LIFETIME = Duration.ofSeconds(100);

    /** Later than any token is fetched anew, and earlier than it ends. */
    private static final Duration OLD = Duration.ofSeconds(88);

    private static final long LIMIT_MINUTES = 20;

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final HttpClient client = AuthorizedHttpClient.with(TokenAuthorizer.of(
            server.endpoint(), ClientSettings.defaults().withClock(time).withListener(heard)));

    @AfterEach
    void stop() {
        threads.shutdownNow();
        server.close();
    }

    @Test
    void noRequestFails_thatCouldHaveBeenSentAgain() throws Exception {
        server.issueFor(LIFETIME);
        AtomicInteger succeeded = new AtomicInteger();
        int each = REQUESTS / (LIFETIMES * STEPS);
        for (int lifetime = 0; lifetime < LIFETIMES; lifetime++) {
            send(each, succeeded);
            restartWhileSending(each, succeeded);
            time.moveBy(OLD);
            loginsFailWhileSending(each, succeeded);
            time.moveBy(LIFETIME);
            send(each, succeeded);
        }
        assertThat(succeeded).hasValue(each * LIFETIMES * STEPS);
        assertThat(server.refused()).isBetween(LIFETIMES, LIFETIMES * THREADS);
        assertThat(heard.of(ClientEvent.TokenRefused.class)).hasSize(LIFETIMES);
        // The first login, and three logins in each lifetime: after the restart, a failed early login, and after the
        // end.
        assertThat(server.logins()).isEqualTo(1 + 3 * LIFETIMES);
    }

    /** All threads have a token of before, and learn of the restart by their refusals. */
    private void restartWhileSending(int count, AtomicInteger succeeded) throws Exception {
        List<Future<?>> first = start(count / 2, succeeded);
        server.restart();
        end(first);
        send(count - count / 2, succeeded);
    }

    /** The token is old enough to be fetched anew, and good enough to be shown. */
    private void loginsFailWhileSending(int count, AtomicInteger succeeded) throws Exception {
        int failures = heard.of(ClientEvent.LoginFailed.class).size();
        server.onLogin(LoginServer.answering(503, "Retry-After", "60"));
        send(count, succeeded);
        heard.await(ClientEvent.LoginFailed.class, failures + 1);
        server.onLogin(server::issue);
    }

    private void send(int count, AtomicInteger succeeded) throws Exception {
        end(start(count, succeeded));
    }

    private List<Future<?>> start(int count, AtomicInteger succeeded) {
        AtomicInteger left = new AtomicInteger(count);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(threads.submit(() -> {
                while (left.decrementAndGet() >= 0) {
                    if (client.send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString())
                                    .statusCode()
                            == 200) {
                        succeeded.incrementAndGet();
                    }
                }
                return null;
            }));
        }
        return all;
    }

    private static void end(List<Future<?>> all) throws Exception {
        for (Future<?> each : all) {
            each.get(LIMIT_MINUTES, TimeUnit.MINUTES);
        }
    }
}
