package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jdbc.JdbcNodes;
import dev.latchkey.auth.jdbc.databases.HistoryDatabase;
import dev.latchkey.auth.redis.RedisNodes;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.tests.simulator.FaultyWay.State;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Histories of several nodes over real servers, with faults between a node and its store. The checker of the simulator
 * reads the histories.
 */
@Tag("faults")
@Timeout(240)
class RealHistoriesTest {

    private static final String SHOP = "shop";
    private static final String BANK = "bank";
    private static final Duration APART = Duration.ofMinutes(3);
    private static final int CLIENTS = 6;
    private static final int SOME = 40;

    /**
     * A request has two seconds for its stores. The second of a login after a revocation is left out. The rest is for a loaded
     * machine.
     */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<FaultyWay> ways = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closed(T resource) {
        toClose.add(resource);
        return resource;
    }

    private FaultyWay way(int server) throws Exception {
        FaultyWay way = closed(new FaultyWay(server));
        ways.add(way);
        return way;
    }

    private record RedisWay(AutoCloseable connections, String service) implements RealHistory.Ways {

        @Override
        public LoginStore logins(InstantSource clock) {
            return RedisNodes.stores(connections, service, clock).logins();
        }

        @Override
        public SharedRevocationStore revocations(InstantSource clock) {
            return RedisNodes.stores(connections, service, clock).revocations();
        }
    }

    private record JdbcWay(DataSource pool, String service) implements RealHistory.Ways {

        @Override
        public LoginStore logins(InstantSource clock) {
            return JdbcNodes.logins(pool, service, clock);
        }

        @Override
        public SharedRevocationStore revocations(InstantSource clock) {
            return JdbcNodes.revocations(pool, service, clock);
        }
    }

    /** Two nodes of one service with clocks minutes apart, and a node of another service. */
    private RealHistory onRedis(RedisNodes redis, String other) throws Exception {
        RealHistory history = new RealHistory(APART);
        history.add("n0", SHOP, Duration.ZERO, redisWay(redis, SHOP));
        history.add("n1", SHOP, APART, redisWay(redis, SHOP));
        history.add("m", BANK, Duration.ZERO, redisWay(redis, other));
        return history;
    }

    private RedisWay redisWay(RedisNodes redis, String service) throws Exception {
        return new RedisWay(closed(RedisNodes.connections(way(redis.port()).port())), service);
    }

    private static void assertKept(History history, String what) {
        assertThat(Promises.brokenBy(history)).isEmpty();
        // The copy reads without a request, in several calls that each have the deadline.
        Op longest = history.ops().stream()
                .filter(op -> op.kind != Op.Kind.READ)
                .max(Comparator.comparingLong(RealHistoriesTest::nanosOf))
                .orElseThrow();
        System.out.printf(
                "%s: %d operations, %d outages, the longest request took %d ms beside its pause: %s%n",
                what,
                history.ops().size(),
                history.ops().stream()
                        .filter(op -> op.result == Op.Result.OUTAGE)
                        .count(),
                TimeUnit.NANOSECONDS.toMillis(nanosOf(longest)),
                longest);
        assertThat(Duration.ofNanos(nanosOf(longest))).isLessThan(LONGEST);
    }

    private static long nanosOf(Op op) {
        return op.endNanos - op.startNanos - op.pausedNanos;
    }

    /** Only the first node has the fault, then all nodes. */
    private void become(RealHistory history, State state) throws Exception {
        ways.get(0).become(state);
        history.awaitMore(SOME, Op.Result.DONE);
        for (FaultyWay way : ways) {
            way.become(state);
        }
        history.awaitMore(SOME / 4, state == State.DELAYS ? Op.Result.DONE : Op.Result.OUTAGE);
        for (FaultyWay way : ways) {
            way.become(State.PASSES);
        }
        history.awaitMore(2 * SOME, Op.Result.DONE);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"DELAYS", "HALF_OPEN", "CUTS"})
    void nodesWithClocksMinutesApart_andAFaultyWayToRedis_keepThePromises(State state) throws Exception {
        RedisNodes redis = closed(RedisNodes.started(folder));
        History history = onRedis(redis, BANK).run(CLIENTS, running -> {
            running.awaitMore(3 * SOME, Op.Result.DONE);
            become(running, state);
            become(running, state);
        });
        assertKept(history, "Redis, " + state);
    }

    @Test
    void redisThatIsDownAtTheStart_killed_paused_andEmptied_keepsThePromises() throws Exception {
        RedisNodes redis = closed(RedisNodes.started(folder));
        redis.kill();
        History history = onRedis(redis, BANK).run(CLIENTS, running -> {
            running.awaitMore(SOME / 4, Op.Result.OUTAGE);
            redis.start();
            running.awaitMore(3 * SOME, Op.Result.DONE);
            redis.kill();
            running.awaitMore(SOME / 4, Op.Result.OUTAGE);
            redis.start();
            running.awaitMore(2 * SOME, Op.Result.DONE);
            redis.pause();
            running.awaitMore(SOME / 4, Op.Result.OUTAGE);
            redis.resume();
            running.awaitMore(2 * SOME, Op.Result.DONE);
            // A failover to an empty server.
            running.lose(redis::empty);
            running.awaitMore(4 * SOME, Op.Result.DONE);
        });
        assertKept(history, "Redis, down at the start");
    }

    @Test
    void nodesOnACluster_keepThePromises() throws Exception {
        RealHistory nodes = new RealHistory(APART);
        nodes.add("n0", SHOP, Duration.ZERO, new RedisWay(RedisNodes.cluster(), SHOP));
        nodes.add("n1", SHOP, APART, new RedisWay(RedisNodes.cluster(), SHOP));
        assertKept(nodes.run(CLIENTS, running -> running.awaitMore(10 * SOME, Op.Result.DONE)), "Redis Cluster");
    }

    /** The checker sees real faults: two services with one name share their sessions. */
    @Test
    void twoServicesWithOneName_breakAPromise() throws Exception {
        RedisNodes redis = closed(RedisNodes.started(folder));
        History history = onRedis(redis, SHOP).run(CLIENTS, running -> running.awaitMore(10 * SOME, Op.Result.DONE));
        assertThat(Promises.brokenBy(history)).anyMatch(each -> each.startsWith("a session belongs to its service"));
    }

    /** The zones of the JVM, of the server, and of the nodes' clocks differ. */
    @ParameterizedTest
    @EnumSource(HistoryDatabase.class)
    void nodesOnADatabase_withFaultyWays_andOtherTimeZones_keepThePromises(HistoryDatabase kind) throws Exception {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
        try {
            RealHistory nodes = new RealHistory(APART);
            nodes.add("n0", SHOP, Duration.ZERO, jdbcWay(kind, SHOP));
            nodes.add("n1", SHOP, APART, jdbcWay(kind, SHOP));
            nodes.add("m", BANK, Duration.ZERO, jdbcWay(kind, BANK));
            History history = nodes.run(CLIENTS, running -> {
                running.awaitMore(3 * SOME, Op.Result.DONE);
                become(running, State.DELAYS);
                become(running, State.CUTS);
                become(running, State.HALF_OPEN);
            });
            assertKept(history, kind.toString());
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private JdbcWay jdbcWay(HistoryDatabase kind, String service) throws Exception {
        return new JdbcWay(closed(kind.pool(way(kind.port()).port())), service);
    }
}
