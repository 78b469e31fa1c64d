package dev.latchkey.auth.redis;

import dev.latchkey.testsupport.StoreNode;
import java.time.Duration;
import java.time.InstantSource;

/** Nodes on a Redis, each with connections and a clock of its own. */
final class Nodes {

    /** How far the clocks of nodes may be apart. */
    static final Duration APART = RedisRevocationStore.CLOCK_DIFFERENCE;

    private static final RedisSettings QUICK = RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofMillis(300));
    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private Nodes() {}

    static StoreNode on(TestRedis redis) {
        return on(redis, Duration.ZERO);
    }

    /** A node with patience: a busy machine causes no outage. */
    static StoreNode patient(TestRedis redis) {
        return on(redis, PATIENT, InstantSource.system());
    }

    /** @param ahead how far this node's clock is ahead of the others */
    static StoreNode on(TestRedis redis, Duration ahead) {
        return on(redis, QUICK, InstantSource.offset(InstantSource.system(), ahead));
    }

    /** A node with changes of sessions that wait for replicas. */
    static StoreNode waitingFor(int replicas, TestRedis redis, Duration ahead) {
        RedisSettings settings = PATIENT.withDeadline(Duration.ofSeconds(2)).withWaitForReplicas(replicas);
        return on(redis, settings, InstantSource.offset(InstantSource.system(), ahead));
    }

    private static StoreNode on(TestRedis redis, RedisSettings settings, InstantSource clock) {
        return StoreNode.started(
                RedisRevocationStore.in(redis, StoreNode.LIFETIME, settings, clock, RedisRevocationStore.MOST_OF_ONE),
                RedisLoginStore.in(redis.connections(), settings, clock),
                redis::close);
    }
}
