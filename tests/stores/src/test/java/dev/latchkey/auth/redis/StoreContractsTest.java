package dev.latchkey.auth.redis;

import dev.latchkey.auth.contract.LoginStoreContract;
import dev.latchkey.auth.contract.SharedRevocationStoreContract;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketStoreContract;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.bucket.PortionStoreContract;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** The stores keep the contracts, on one server and on a Cluster. */
class StoreContractsTest {

    /** On a machine that has other work an answer may take longer than services wait. */
    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private static final AtomicInteger TESTS = new AtomicInteger();

    /** A store sweeps after its calls: by the late clock of an earlier test, the rows of the next test may have expired. */
    private static String keysOfItsOwn() {
        return "test-" + TESTS.incrementAndGet() + ":";
    }

    /** A service whose name begins like the other name. */
    private static final ServiceName SHOPS = new ServiceName("shops");

    abstract static class Revocations extends SharedRevocationStoreContract {

        private final Supplier<TestRedis> servers;
        private final String keys = keysOfItsOwn();
        private TestRedis redis;

        Revocations(Supplier<TestRedis> servers) {
            this.servers = servers;
        }

        @BeforeEach
        void empty() {
            redis = servers.get();
        }

        @Override
        protected SharedRevocationStore node(InstantSource clock) {
            return node(TestRedis.SHOP, clock);
        }

        @Override
        protected SharedRevocationStore nodeOfAnotherService(InstantSource clock) {
            return node(SHOPS, clock);
        }

        private SharedRevocationStore node(ServiceName service, InstantSource clock) {
            return RedisRevocationStore.in(redis, LONGEST_LIFETIME, PATIENT.withKeys(keys, service), clock, 50);
        }

        @Override
        protected int tokensOfOneSubject() {
            return 120;
        }

        @Override
        protected void breakDown() {
            redis.cutOff();
        }

        @Override
        protected void repair() {
            redis.reconnect();
        }
    }

    abstract static class Logins extends LoginStoreContract {

        private final Supplier<TestRedis> servers;
        private final String keys = keysOfItsOwn();
        private TestRedis redis;

        Logins(Supplier<TestRedis> servers) {
            this.servers = servers;
        }

        @BeforeEach
        void empty() {
            redis = servers.get();
        }

        @Override
        protected LoginStore node(InstantSource clock) {
            return RedisLoginStore.in(redis.connections(), settings(TestRedis.SHOP), clock);
        }

        @Override
        protected LoginStore nodeOfAnotherService(InstantSource clock) {
            return RedisLoginStore.in(redis.connections(), settings(SHOPS), clock);
        }

        RedisSettings settings(ServiceName service) {
            return PATIENT.withKeys(keys, service);
        }

        @Override
        protected void breakDown() {
            redis.cutOff();
        }

        @Override
        protected void repair() {
            redis.reconnect();
        }
    }

    abstract static class Buckets extends BucketStoreContract {

        private final Supplier<TestRedis> servers;
        private Duration ahead = Duration.ZERO;
        private TestRedis redis;

        Buckets(Supplier<TestRedis> servers) {
            this.servers = servers;
        }

        @BeforeEach
        void empty() {
            redis = servers.get();
        }

        @Override
        protected BucketStore node() {
            return RedisBucketStore.in(redis, PATIENT, () -> ahead);
        }

        @Override
        protected void advance(Duration duration) {
            ahead = ahead.plus(duration);
        }
    }

    abstract static class Portions extends PortionStoreContract {

        private final Supplier<TestRedis> servers;
        private Duration ahead = Duration.ZERO;
        private TestRedis redis;

        Portions(Supplier<TestRedis> servers) {
            this.servers = servers;
        }

        @BeforeEach
        void empty() {
            redis = servers.get();
        }

        @Override
        protected PortionStore node() {
            return RedisPortionStore.in(redis, PATIENT, () -> ahead);
        }

        @Override
        protected void advance(Duration duration) {
            ahead = ahead.plus(duration);
        }
    }

    @Nested
    class RevocationsInOneServer extends Revocations {
        RevocationsInOneServer() {
            super(RedisServers::single);
        }
    }

    @Nested
    class LoginsInOneServer extends Logins {
        LoginsInOneServer() {
            super(RedisServers::single);
        }
    }

    @Nested
    class LoginsThatWaitForAReplica extends Logins {
        LoginsThatWaitForAReplica() {
            super(RedisServers::replicated);
        }

        @Override
        RedisSettings settings(ServiceName service) {
            return super.settings(service).withWaitForReplicas(1);
        }

        @Override
        protected int rounds() {
            return 20;
        }
    }

    @Nested
    class RevocationsInACluster extends Revocations {
        RevocationsInACluster() {
            super(RedisServers::cluster);
        }
    }

    @Nested
    class LoginsInACluster extends Logins {
        LoginsInACluster() {
            super(RedisServers::cluster);
        }

        @Override
        protected int rounds() {
            return 20;
        }
    }

    @Nested
    class BucketsInOneServer extends Buckets {
        BucketsInOneServer() {
            super(RedisServers::single);
        }
    }

    @Nested
    class BucketsInACluster extends Buckets {
        BucketsInACluster() {
            super(RedisServers::cluster);
        }
    }

    @Nested
    class PortionsInOneServer extends Portions {
        PortionsInOneServer() {
            super(RedisServers::single);
        }
    }

    @Nested
    class PortionsInACluster extends Portions {
        PortionsInACluster() {
            super(RedisServers::cluster);
        }
    }
}
