package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.testsupport.StoreNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.RedisCallback;

/**
 * Nodes with continuous revocations while Redis is killed, paused, emptied or restored. Each acknowledged revocation stays, and
 * is checked at the end. Meanwhile the revoking node never accepts the token.
 */
@Timeout(120)
class RedisFaultsTest {

    private static final int SOME = 200;

    private final Instant end = Instant.now().plus(StoreNode.LIFETIME);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger outages = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicLong longestNanos = new AtomicLong();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        isOver.set(true);
        threads.shutdownNow();
    }

    @Test
    void serverThatIsKilledAndStarted_losesNoRevocationThatWasAcknowledged_onAnyNode() throws Exception {
        try (RedisProcess server = RedisProcess.durable(folder);
                StoreNode one = Nodes.on(TestRedis.at(server.port()));
                StoreNode other = Nodes.on(TestRedis.at(server.port()))) {
            Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
            List<Future<?>> revoking = revokeWithoutEnd(acknowledged, one, other);
            until(() -> acknowledged.size() >= SOME);
            server.kill();
            until(() ->
                    !one.copy().status().isAnswering() && !other.copy().status().isAnswering());
            int before = acknowledged.size();
            assertThat(one.answer("never-revoked")).isEqualTo(StoreNode.Answer.OUTAGE);
            for (String token : acknowledged) {
                // A node may not know a revocation before the next reading; no node accepts the token.
                assertThat(List.of(one.answer(token), other.answer(token)))
                        .contains(StoreNode.Answer.REFUSED)
                        .doesNotContain(StoreNode.Answer.ACCEPTED);
            }
            server.start();
            until(() -> acknowledged.size() >= before + SOME);
            end(revoking);
            assertThat(outages).hasPositiveValue();
            assertAllRefuse(acknowledged, server, one, other);
        }
    }

    @Test
    @Tag("faults")
    void serverThatForgetsAllWhenItIsKilled_isFilledFromTheCopies() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                StoreNode one = Nodes.on(TestRedis.at(server.port()));
                StoreNode other = Nodes.on(TestRedis.at(server.port()))) {
            Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
            List<Future<?>> revoking = revokeWithoutEnd(acknowledged, one, other);
            until(() -> acknowledged.size() >= SOME);
            server.kill();
            server.start();
            int before = acknowledged.size();
            until(() -> acknowledged.size() >= before + SOME);
            end(revoking);
            assertAllRefuse(acknowledged, server, one, other);
        }
    }

    @Test
    @Tag("faults")
    void serverThatIsEmptied_isFilledFromTheCopies() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                TestRedis admin = TestRedis.at(server.port());
                StoreNode one = Nodes.patient(TestRedis.at(server.port()));
                StoreNode other = Nodes.patient(TestRedis.at(server.port()))) {
            Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
            List<Future<?>> revoking = revokeWithoutEnd(acknowledged, one, other);
            for (int i = 1; i <= 5; i++) {
                int enough = SOME * i;
                until(() -> acknowledged.size() >= enough);
                admin.commands().execute((RedisCallback<Object>) connection -> {
                    connection.serverCommands().flushAll();
                    return null;
                });
            }
            end(revoking);
            assertThat(outages).hasValue(0);
            assertAllRefuse(acknowledged, server, one, other);
        }
    }

    @Test
    @Tag("faults")
    void serverThatIsPaused_holdsUpNobodyForLongerThanTheDeadline() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                StoreNode one = Nodes.on(TestRedis.at(server.port()));
                StoreNode other = Nodes.on(TestRedis.at(server.port()))) {
            Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
            List<Future<?>> revoking = revokeWithoutEnd(acknowledged, one, other);
            until(() -> acknowledged.size() >= SOME);
            server.pause();
            until(() ->
                    !one.copy().status().isAnswering() && !other.copy().status().isAnswering());
            int before = acknowledged.size();
            assertThat(one.answer("never-revoked")).isEqualTo(StoreNode.Answer.OUTAGE);
            server.resume();
            until(() -> acknowledged.size() >= before + SOME);
            end(revoking);
            assertThat(outages).hasPositiveValue();
            // Twice the deadline, because a full node asks twice. The rest is for a busy machine.
            assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(Duration.ofSeconds(3));
            assertAllRefuse(acknowledged, server, one, other);
        }
    }

    /** Each node on a thread of its own; returns the failures. From an acknowledgement on, the node rejects the token. */
    private List<Future<?>> revokeWithoutEnd(Queue<String> acknowledged, StoreNode... nodes) {
        AtomicInteger last = new AtomicInteger();
        return Stream.of(nodes)
                .<Future<?>>map(node -> threads.submit(() -> {
                    while (!isOver.get()) {
                        String token = "t" + last.incrementAndGet();
                        long begun = System.nanoTime();
                        try {
                            node.copy().revokeToken(token, end);
                            acknowledged.add(token);
                            if (node.answer(token) != StoreNode.Answer.REFUSED) {
                                accepted.incrementAndGet();
                            }
                        } catch (AuthUnavailableException e) {
                            outages.incrementAndGet();
                        }
                        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
                    }
                }))
                .toList();
    }

    private void end(List<Future<?>> all) throws Exception {
        isOver.set(true);
        for (Future<?> each : all) {
            until(each::isDone);
            each.get();
        }
    }

    /** These nodes, and a new node with Redis' data alone. */
    private void assertAllRefuse(Queue<String> acknowledged, RedisProcess server, StoreNode one, StoreNode other) {
        assertThat(accepted).hasValue(0);
        until(one::hasRefreshed);
        until(other::hasRefreshed);
        try (StoreNode later = Nodes.on(TestRedis.at(server.port()))) {
            for (StoreNode node : List.of(one, other, later)) {
                until(node::hasRefreshed);
                assertThat(acknowledged).allMatch(node.copy()::isTokenRevoked);
                // A stale copy asks the store. On a busy machine the answer may be an outage.
                until(() -> node.answer("never-revoked") != StoreNode.Answer.OUTAGE);
                assertThat(node.answer("never-revoked")).isNotEqualTo(StoreNode.Answer.REFUSED);
            }
        }
    }
}
