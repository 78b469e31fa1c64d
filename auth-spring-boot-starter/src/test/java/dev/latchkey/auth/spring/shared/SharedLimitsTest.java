package dev.latchkey.auth.spring.shared;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.redis.RedisBucketStore;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Services with shared login limits, and configurations that stop the start. */
@ExtendWith(AudibleLog.class)
@Tag("long")
class SharedLimitsTest {

    private static final String ENABLED = "latchkey.guard.shared.enabled=true";
    private static final String SECRET = "latchkey.guard.shared.secret=" + "k".repeat(32);

    private static EmbeddedRedis redis;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() {
        redis = new EmbeddedRedis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void attemptsThatFailedOnOneNode_areCountedOnAnother() {
        String account = UUID.randomUUID().toString();
        WebApplicationContextRunner node = node().withBean(GuardTime.class, () -> new SlowTime(GuardTime.start()));
        node.run(one -> node.run(other -> {
            assertThat(admitted(one, account, 3)).isEqualTo(3);
            assertThat(admitted(other, account, 20)).isEqualTo(2);
            assertThat(one.getBean(StringRedisTemplate.class).keys("latchkey:shop:limit:*"))
                    .isNotEmpty();
        }));
    }

    @Test
    void nodesThatDoNotAskForIt_haveLimitsOfTheirOwn() {
        String account = UUID.randomUUID().toString();
        WebApplicationContextRunner alone = service().withPropertyValues(SECRET);
        alone.run(one -> alone.run(other -> {
            assertThat(one).doesNotHaveBean(BucketStore.class);
            assertThat(admitted(one, account, 20)).isEqualTo(5);
            assertThat(admitted(other, account, 20)).isEqualTo(5);
        }));
    }

    @Test
    void redisThatStops_leavesLocalLimits_andHealthSaysSo() {
        try (EmbeddedRedis own = new EmbeddedRedis()) {
            node().withPropertyValues("spring.data.redis.port=" + own.port()).run(node -> {
                own.stop();
                assertThat(admitted(node, "ann", 20)).isEqualTo(5);
                assertThat(health(node).getDetails()).containsEntry("sharedLimits", "down, limits are local");
                assertThat(health(node).getStatus().getCode()).isEqualTo("UP");
                own.start();
                until(() -> {
                    admitted(node, "eve", 1);
                    return !health(node).getDetails().containsKey("sharedLimits");
                });
            });
        }
    }

    @Test
    void redisThatIsDownAtTheStart_letsTheServiceStart() {
        try (EmbeddedRedis own = new EmbeddedRedis()) {
            own.stop();
            node().withPropertyValues("spring.data.redis.port=" + own.port())
                    .run(node -> assertThat(admitted(node, "ann", 20)).isEqualTo(5));
        }
    }

    @Test
    void limitsInRedis_needNoSigningKey_andKeysBeginWithTheService() {
        node().run(node -> {
            assertThat(node).hasSingleBean(RedisBucketStore.class);
            StringRedisTemplate inRedis = node.getBean(StringRedisTemplate.class);
            // On a machine that has other work a question may be given up, and the limits are local for a second.
            until(() -> {
                admitted(node, "ann", 1);
                Set<String> keys = inRedis.keys("latchkey:shop:limit:*");
                return keys != null && !keys.isEmpty();
            });
        });
    }

    @Test
    void keyInAFile_isRead() throws Exception {
        Path file = Files.writeString(
                folder.resolve("limits.key"),
                Base64.getEncoder()
                        .encodeToString("0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.UTF_8)));
        service()
                .withPropertyValues(ENABLED, "latchkey.guard.shared.secret=file:" + file)
                .run(node -> assertThat(node).hasNotFailed().hasSingleBean(RedisBucketStore.class));
    }

    @Test
    void sharingWithoutWhatItTakes_stopsTheStart_andSaysWhatThatIs() {
        assertRefused(service().withPropertyValues(ENABLED), "no key is given");
        assertRefused(
                service().withPropertyValues(ENABLED, "latchkey.guard.shared.secret=short"),
                "at least 32 bytes, got 5");
        assertRefused(
                service().withPropertyValues(ENABLED, "latchkey.guard.shared.secret=file:" + folder.resolve("none")),
                "latchkey.guard.shared.secret: the file cannot be read");
        assertRefused(Services.web().withPropertyValues(ENABLED, SECRET), "nothing to share the login limits through");
    }

    /** On a machine that has other work no answer is in time: here each wait is a hundred times as long. */
    private record SlowTime(GuardTime real) implements GuardTime {

        @Override
        public long nanoTime() {
            return real.nanoTime() / 100;
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return real.after(delay.multipliedBy(100), action);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private static void assertRefused(WebApplicationContextRunner service, String message) {
        service.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining(message));
    }

    private static WebApplicationContextRunner node() {
        return service().withPropertyValues(ENABLED, SECRET);
    }

    private static WebApplicationContextRunner service() {
        return Services.web()
                .withConfiguration(AutoConfigurations.of(
                        RedisAutoConfiguration.class, LatchkeySharedLimitsAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.port=" + redis.port());
    }

    private static int admitted(AssertableWebApplicationContext node, String account, int attempts) {
        ClientSource home = ClientSource.of("192.0.2.1").orElseThrow();
        int admitted = 0;
        try {
            for (int i = 0; i < attempts; i++) {
                Admission admission = node.getBean(LoginLimits.class)
                        .reserve(new LoginAttempt(account, home), null)
                        .get(10, TimeUnit.SECONDS);
                if (admission instanceof Admission.Admitted each) {
                    each.reservation().settle(AttemptResult.FAILED, null);
                    admitted++;
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return admitted;
    }

    private static Health health(AssertableWebApplicationContext context) {
        return context.getBean("latchkeyHealthIndicator", HealthIndicator.class).health();
    }
}
