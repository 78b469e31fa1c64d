package dev.latchkey.examples.nodes;

import static dev.latchkey.examples.nodes.Patience.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes in processes of their own, with a common Redis. Callers use HTTP while the test kills or pauses one process after
 * another. Acknowledged changes stay: a logout at once on its node and after two seconds on the others, an ended login at once
 * everywhere. A refresh token works once, and no valid token is rejected.
 */
@Tag("faults")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FaultsTest {

    private static final int NODES = 3;
    private static final int SOME = 30;
    private static final Duration PAUSED = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

    private final Promises promises = new Promises();
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http = HttpClient.newHttpClient();
    private StoreProcess store;
    private volatile boolean isOver;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        store = StoreProcess.started(Files.createDirectory(folder.resolve("store")), NodeProcess.freePort());
        List<String> settings = settings(key());
        for (int i = 0; i < NODES; i++) {
            NodeProcess node = new NodeProcess(NodeProcess.freePort(), folder.resolve("node" + i + ".log"), settings);
            node.start();
            nodes.add(node);
            addresses.add("http://127.0.0.1:" + node.port());
        }
        for (int i = 0; i < NODES; i++) {
            awaitReady(i);
        }
        for (int i = 0; i < NodeProcess.ACCOUNTS; i++) {
            Caller caller = new Caller(addresses, promises, i);
            running.add(threads.submit(() -> {
                while (!isOver) {
                    caller.run();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }));
        }
    }

    private static String key() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }

    private List<String> settings(String key) {
        return List.of(
                "--spring.data.redis.port=" + store.port(),
                "--latchkey.jwt.secret=" + key,
                "--latchkey.guard.shared.secret=" + key,
                "--latchkey.login.refresh.race-window=" + Caller.RACE_WINDOW.toSeconds() + "s",
                "--latchkey.revocation.stale-after=" + Caller.STALE_AFTER.toSeconds() + "s",
                "--spring.application.name=node",
                "--logging.level.root=WARN");
    }

    @AfterEach
    void stop() {
        isOver = true;
        threads.shutdownNow();
        nodes.forEach(NodeProcess::close);
        store.close();
    }

    @Test
    void acknowledgedChanges_holdThroughKillsAndPauses() throws Exception {
        promises.awaitMore(SOME);
        store.kill();
        store.start();
        promises.awaitMore(SOME);
        nodes.get(0).kill();
        promises.awaitMore(SOME);
        nodes.get(0).start();
        awaitReady(0);
        promises.awaitMore(SOME);
        int outagesBefore = promises.outages.get();
        store.pause();
        long paused = System.nanoTime();
        until("ten seconds have passed", () -> System.nanoTime() - paused >= PAUSED.toNanos());
        store.resume();
        assertThat(promises.outages.get()).isGreaterThan(outagesBefore);
        promises.awaitMore(SOME);
        end();
        assertThat(promises.broken()).as(this::logs).isEmpty();
    }

    /** Lets the callers finish, and asks every node for each login that was ended. */
    private void end() throws Exception {
        isOver = true;
        for (Future<?> each : running) {
            each.get(3, TimeUnit.MINUTES);
        }
        Caller last = new Caller(addresses, promises, 0);
        for (Promises.Ended one : List.copyOf(promises.ended)) {
            for (int i = 0; i < NODES; i++) {
                int node = i;
                until("a refusal by node " + node, () -> last.isRefused(node, one));
            }
        }
        System.out.println(promises);
    }

    private void awaitReady(int node) {
        until("node " + node + " answers", () -> isAnswering(node));
    }

    private boolean isAnswering(int node) {
        if (!nodes.get(node).isAlive()) {
            throw new AssertionError("Node " + node + " ended: " + logs());
        }
        URI address = URI.create(addresses.get(node) + "/api/me");
        try {
            return http.send(
                                    HttpRequest.newBuilder(address)
                                            .timeout(Duration.ofSeconds(60))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 401;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String logs() {
        StringBuilder text = new StringBuilder(promises.toString());
        for (int i = 0; i < NODES; i++) {
            try {
                text.append('\n').append(Files.readString(folder.resolve("node" + i + ".log")));
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }
}
