package dev.latchkey.auth.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.event.command.CommandSucceededEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An account with all its sessions takes as many round trips as an account with few sessions. */
@Timeout(60)
class LoginReadsTest {

    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final RedisSettings SETTINGS =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(5));

    @TempDir
    private Path folder;

    /** Holds the answers of a command back until this number of such commands is sent. */
    private static final class HeldAnswers implements CommandListener {

        private volatile String command = "none";
        private volatile CountDownLatch missing = new CountDownLatch(0);

        void hold(String held, int number) {
            missing = new CountDownLatch(number);
            command = held;
        }

        @Override
        public void commandStarted(CommandStartedEvent event) {
            if (event.getCommand().getType().toString().equals(command)) {
                missing.countDown();
            }
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            if (event.getCommand().getType().toString().equals(command)) {
                try {
                    assertThat(missing.await(10, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sessionsOfAnAccount_areReadInOneRoundTrip(boolean isPooled) throws Exception {
        HeldAnswers answers = new HeldAnswers();
        try (RedisProcess server = RedisProcess.started(folder);
                ServiceClient client = ServiceClient.at(server.port(), isPooled, Duration.ofMinutes(1))) {
            Objects.requireNonNull(client.connections().getNativeClient()).addListener(answers);
            LoginStore logins = RedisLoginStore.in(client.connections(), SETTINGS, () -> START);
            for (int i = 0; i < LoginStore.MOST_OF_OWNER; i++) {
                logins.start(login("f" + i));
            }
            answers.hold("HGETALL", LoginStore.MOST_OF_OWNER);
            assertThat(logins.ofOwner("ada")).hasSize(LoginStore.MOST_OF_OWNER).contains(login("f0"));
            answers.hold("EXISTS", LoginStore.MOST_OF_OWNER + 1);
            logins.start(login("newest"));
            assertThat(logins.ofOwner("ada"))
                    .hasSize(LoginStore.MOST_OF_OWNER)
                    .contains(login("newest"))
                    .doesNotContain(login("f0"));
        }
    }

    @Test
    void foreignContent_isAnOutageThatSaysItsCode_andNoKey() {
        TestRedis redis = RedisServers.single();
        LoginStore logins = RedisLoginStore.in(redis.connections(), SETTINGS, () -> START);
        logins.start(login("f0"));
        logins.start(login("f1"));
        String key = "latchkey:shop:login:{" + RevocationText.hex(IdDigest.ofLogin("f0")) + "}";
        redis.commands().delete(key);
        redis.commands().opsForValue().set(key, "something else");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> logins.ofOwner("ada"))
                .withMessageMatching("Redis failed: [A-Za-z, ]+ \\(WRONGTYPE\\)");
    }

    private static StoredLogin login(String id) {
        Instant end = START.plusSeconds(3_600);
        return new StoredLogin(id, "users", "ada", "hash", "", Set.of("pwd"), START, end, end, null);
    }
}
