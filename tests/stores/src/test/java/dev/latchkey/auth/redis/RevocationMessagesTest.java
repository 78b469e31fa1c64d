package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.auth.store.ServiceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/** Messages come for as long as there is a server, and nothing hangs on them. */
@Timeout(60)
class RevocationMessagesTest {

    /** A machine with other work is no outage. */
    private static final RedisSettings SETTINGS =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private final AtomicInteger told = new AtomicInteger();
    private final Instant end = Instant.now().plusSeconds(600);

    @TempDir
    private Path folder;

    @Test
    void revocation_isToldToOthers_alsoInACluster() {
        for (TestRedis redis : new TestRedis[] {RedisServers.single(), RedisServers.cluster()}) {
            told.set(0);
            try (RevocationMessages messages =
                    RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet)) {
                messages.start();
                until(messages::isListening);
                store(redis, SETTINGS).revokeToken("t", end);
                until(() -> told.get() == 1);
                store(redis, SETTINGS).revokeSubject("ada", end);
                until(() -> told.get() == 2);
            }
        }
    }

    @Test
    void revocationUnderAnotherPrefix_isNotTold() {
        TestRedis redis = RedisServers.single();
        try (RevocationMessages messages =
                RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet)) {
            messages.start();
            until(messages::isListening);
            store(redis, RedisSettings.of(new ServiceName("other")).withDeadline(SETTINGS.deadline()))
                    .revokeToken("t", end);
            store(redis, SETTINGS).revokeToken("t", end);
            until(() -> told.get() == 1);
        }
    }

    @Test
    void serverThatIsStartedAgain_tellsAgain() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                TestRedis redis = TestRedis.at(server.port());
                RevocationMessages messages =
                        RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet)) {
            messages.start();
            until(messages::isListening);
            server.kill();
            server.start();
            RedisRevocationStore store = store(redis, SETTINGS);
            until(() -> {
                store.revokeToken("t", end);
                return told.get() > 0;
            });
        }
    }

    @Test
    @Tag("faults")
    void serverThatIsNotThereYet_tellsOnceItIs() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                TestRedis redis = TestRedis.at(server.port());
                RevocationMessages messages =
                        RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet)) {
            server.kill();
            messages.start();
            assertThat(messages.isListening()).isFalse();
            server.start();
            until(messages::isListening);
        }
    }

    @Test
    void threadsOfMessages_areDaemons() {
        TestRedis redis = RedisServers.single();
        try (RevocationMessages messages =
                RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet)) {
            messages.start();
            until(messages::isListening);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("latchkey-redis-messages"))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void listener_isCalledByTheDriversThread() {
        TestRedis redis = RedisServers.single();
        AtomicReference<String> teller = new AtomicReference<>("");
        try (RevocationMessages messages = RevocationMessages.of(
                redis.connections(),
                SETTINGS,
                () -> teller.set(Thread.currentThread().getName()))) {
            messages.start();
            until(messages::isListening);
            store(redis, SETTINGS).revokeToken("t", end);
            until(() -> !teller.get().isEmpty());
            assertThat(teller.get()).startsWith("lettuce-");
        }
    }

    @Test
    void closedMessages_tellNothing_andMayBeClosedTwice() {
        TestRedis redis = RedisServers.single();
        RevocationMessages messages = RevocationMessages.of(redis.connections(), SETTINGS, told::incrementAndGet);
        messages.start();
        until(messages::isListening);
        messages.close();
        assertThatCode(messages::close).doesNotThrowAnyException();
        store(redis, SETTINGS).revokeToken("t", end);
        assertThat(messages.isListening()).isFalse();
        assertThat(told).hasValue(0);
    }

    /** Otherwise the container of Spring Data logs an error each second. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fixedListOfAPrimaryAndReplicas_hasNoMessages_andEndsTheAttempts(boolean isPooled) throws Exception {
        try (RedisProcess server = RedisProcess.started(folder)) {
            LettuceConnectionFactory list = new LettuceConnectionFactory(
                    new RedisStaticMasterReplicaConfiguration("127.0.0.1", server.port()),
                    isPooled
                            ? LettucePoolingClientConfiguration.builder().build()
                            : LettuceClientConfiguration.defaultConfiguration());
            list.afterPropertiesSet();
            list.start();
            try (RevocationMessages messages = RevocationMessages.of(list, SETTINGS, told::incrementAndGet)) {
                messages.start();
                until(messages::isOver);
                assertThat(messages.isListening()).isFalse();
            } finally {
                list.destroy();
            }
        }
    }

    private static RedisRevocationStore store(TestRedis redis, RedisSettings settings) {
        return RedisRevocationStore.in(redis, Duration.ofHours(1), settings);
    }
}
