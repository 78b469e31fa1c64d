package dev.latchkey.auth.spring.shared;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.redis.RedisLoginStore;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.redis.StoreConnections;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyMistakesAutoConfiguration;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.ServiceName;
import io.lettuce.core.ReadFrom;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Nodes of one service, each a context, on one Redis. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
@Tag("long")
class SharedRedisTest {

    /** For a missing Redis: a present Redis gets all allowed time. */
    private static final String MISSED_SOON = "latchkey.redis.timeout=3s";

    private static final JwtClaims ALICE = JwtClaims.forSubject("alice", Duration.ofMinutes(1));

    private static final ServiceName SHOP = new ServiceName("shop");

    private static EmbeddedRedis redis;

    @BeforeAll
    static void start() {
        redis = new EmbeddedRedis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void logoutOnOneNode_isRefusedOnAnother_beforeItsTurn() {
        // Its own turn would come in fifteen seconds.
        String slow = "latchkey.revocation.stale-after=60s";
        node().withPropertyValues(slow)
                .run(one -> node().withPropertyValues(slow).run(other -> {
                    until(() -> other.getBean(RevocationNews.class).isListening());
                    String token = one.getBean(JwtSigner.class).sign(ALICE);
                    assertThat(decision(other, token)).isInstanceOf(Authenticated.class);
                    long begun = System.nanoTime();
                    one.getBean(TokenRevocation.class).revoke(token);
                    assertThat(decision(one, token)).isInstanceOf(Rejected.class);
                    until(() -> decision(other, token) instanceof Rejected);
                    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
                }));
    }

    @Test
    void nodeThatStartsLater_knowsWhatWasRevokedBefore_whenItIsReady() {
        node().run(one -> {
            String token = one.getBean(JwtSigner.class).sign(ALICE);
            one.getBean(TokenRevocation.class).revoke(token);
            // However long the rest of the start takes.
            node().withPropertyValues("latchkey.revocation.stale-after=60s").run(other -> {
                assertThat(other.getBean(LocalRevocations.class).status().isFresh())
                        .isTrue();
                assertThat(decision(other, token)).isInstanceOf(Rejected.class);
            });
        });
    }

    @Test
    void loginsAreInRedisToo() {
        node().run(one -> assertThat(one.getBean(LoginStore.class)).isInstanceOf(RedisLoginStore.class));
    }

    @Test
    void redisThatStops_isAnOutage_andOnceItIsThereAgainItIsFilledFromTheCopies() {
        try (EmbeddedRedis own = new EmbeddedRedis()) {
            String port = "spring.data.redis.port=" + own.port();
            node().withPropertyValues(port, MISSED_SOON).run(node -> {
                String revoked = node.getBean(JwtSigner.class).sign(ALICE);
                String good = node.getBean(JwtSigner.class).sign(ALICE);
                node.getBean(TokenRevocation.class).revoke(revoked);
                own.stop();
                until(() -> health(node).equals("DOWN"));
                assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> decision(node, good));
                assertThat(decision(node, revoked)).isInstanceOf(Rejected.class);
                own.start();
                until(() -> health(node).equals("UP"));
                assertThat(decision(node, good)).isInstanceOf(Authenticated.class);
                node().withPropertyValues(port)
                        .run(later -> assertThat(decision(later, revoked)).isInstanceOf(Rejected.class));
            });
        }
    }

    @Test
    void redisThatIsDownAtTheStart_letsTheServiceStart_acceptsNoToken_andIsUsedOnceItIsThere() {
        try (EmbeddedRedis own = new EmbeddedRedis()) {
            own.stop();
            node().withPropertyValues("spring.data.redis.port=" + own.port(), MISSED_SOON)
                    .run(node -> {
                        assertThat(node).hasNotFailed();
                        String token = node.getBean(JwtSigner.class).sign(ALICE);
                        assertThatExceptionOfType(AuthUnavailableException.class)
                                .isThrownBy(() -> decision(node, token));
                        assertThat(health(node)).isEqualTo("DOWN");
                        own.start();
                        until(() -> health(node).equals("UP"));
                        assertThat(decision(node, token)).isInstanceOf(Authenticated.class);
                    });
        }
    }

    @Test
    void redisAndADatabase_areRedis_andTheLogSaysSo(CapturedOutput log) {
        node().run(node -> assertThat(log).doesNotContain("latchkey.store=jdbc"));
        node().withConfiguration(AutoConfigurations.of(LatchkeyJdbcAutoConfiguration.class))
                .withBean(DataSource.class, JdbcDataSource::new)
                .run(node -> {
                    assertThat(node).hasNotFailed().doesNotHaveBean(SharedTables.class);
                    assertThat(node.getBean(LoginStore.class)).isInstanceOf(RedisLoginStore.class);
                    assertThat(log).contains("latchkey.store=jdbc");
                });
    }

    @Test
    void keys_beginAsTheServiceSays() {
        node().withBean(RedisSettings.class, () -> RedisSettings.of(SHOP).withKeys("team:", SHOP))
                .run(node -> {
                    node.getBean(TokenRevocation.class)
                            .revoke(node.getBean(JwtSigner.class).sign(ALICE));
                    assertThat(node.getBean(RedisSettings.class).keyPrefix()).isEqualTo("team:shop:");
                    assertThat(node.getBean(StringRedisTemplate.class).hasKey("team:shop:{revocations}:ends"))
                            .isTrue();
                });
    }

    @Test
    void valuesThatCannotBe_areRefusedAtTheStart() {
        assertRefused("latchkey.redis.timeout=1h", "latchkey.redis.timeout is 1h, and must be from 10ms to 10s");
        assertRefused(
                "latchkey.redis.wait-for-replicas=101",
                "latchkey.redis.wait-for-replicas is 101, and must be from 0 to 100");
    }

    @Test
    void storeThatIsUnknown_stopsTheStart_andTheMessageHasThePropertyAndTheValue() {
        node().withPropertyValues("latchkey.store=mongo")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("latchkey.store")
                        .hasStackTraceContaining("mongo"));
    }

    @Test
    void replicasOfACluster_cannotBeWaitedFor_whichStopsTheStart() {
        node().withPropertyValues(
                        "latchkey.redis.wait-for-replicas=2",
                        "spring.data.redis.cluster.nodes=127.0.0.1:" + redis.port())
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey.redis.wait-for-replicas is 2. ")
                        .hasMessageContaining("this is a Cluster"));
    }

    @Test
    void readingFromAReplicaOfAFixedList_stopsTheStart_unlessTheStoresHaveThePrimary() {
        LettuceClientConfiguration reading = LettuceClientConfiguration.builder()
                .readFrom(ReadFrom.REPLICA_PREFERRED)
                .build();
        RedisStaticMasterReplicaConfiguration servers =
                new RedisStaticMasterReplicaConfiguration("127.0.0.1", redis.port());
        WebApplicationContextRunner list =
                node().withBean(RedisConnectionFactory.class, () -> new LettuceConnectionFactory(servers, reading));
        list.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("latchkey.store is redis, and the connections to Redis may read from a replica"));
        list.withBean(
                        StoreConnections.class,
                        () -> StoreConnections.of(
                                new LettuceConnectionFactory("127.0.0.1", redis.port()), Duration.ofSeconds(10)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void loginThatNoReplicaHas_isAnOutage() {
        node().withPropertyValues("latchkey.redis.wait-for-replicas=1", "latchkey.redis.timeout=2s")
                .run(one -> assertThatExceptionOfType(AuthUnavailableException.class)
                        .isThrownBy(() -> one.getBean(LoginStore.class).end("a-login")));
    }

    @Test
    void redisThatIsAskedForAndIsNotThere_stopsTheStart_andSaysWhatItTakes() {
        Services.web()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyRedisAutoConfiguration.class, LatchkeyMistakesAutoConfiguration.class))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.store=redis")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey.store is redis"));
    }

    @Test
    void redisUserWhoLacksARight_stopsTheStart_andTheMessageHasTheRight() {
        node().run(node -> {
            for (String user : List.of("limits", "sessions")) {
                String[] rights = {user, "on", "nopass", "~*", "&*", "+@all", user.equals("limits") ? "-time" : "-zadd"
                };
                node.getBean(StringRedisTemplate.class).execute((RedisCallback<Object>) connection ->
                        connection.execute(
                                "ACL",
                                Stream.concat(Stream.of("SETUSER"), Stream.of(rights))
                                        .map(each -> each.getBytes(StandardCharsets.UTF_8))
                                        .toArray(byte[][]::new)));
            }
        });
        String sessions = "spring.data.redis.url=redis://sessions:any@127.0.0.1:" + redis.port();
        assertRefused(sessions, "The Redis user of this service lacks rights that its stores need: +zadd");
        node().withPropertyValues(sessions)
                .withBean(RevocationStore.class, () -> new InMemoryRevocationStore(Duration.ofHours(1)))
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("+zadd"));
        WebApplicationContextRunner limits = Services.web()
                .withConfiguration(AutoConfigurations.of(
                        RedisAutoConfiguration.class, LatchkeySharedLimitsAutoConfiguration.class))
                .withPropertyValues(
                        "latchkey.guard.shared.enabled=true", "latchkey.guard.shared.secret=" + "k".repeat(32));
        limits.withPropertyValues("spring.data.redis.url=redis://limits:any@127.0.0.1:" + redis.port())
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessage("The Redis user of this service lacks rights that its stores need: +time"));
        limits.withPropertyValues(sessions).run(context -> assertThat(context).hasNotFailed());
    }

    private static void assertRefused(String property, String message) {
        node().withPropertyValues(property)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining(message));
    }

    private static WebApplicationContextRunner node() {
        return Services.web()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, LatchkeyRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.port=" + redis.port(),
                        "latchkey.redis.timeout=10s",
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true");
    }

    private static Decision decision(AssertableWebApplicationContext context, String token) {
        assertThat(context.getBean(RevocationStore.class)).isInstanceOf(LocalRevocations.class);
        return context.getBean(JwtAuthPlugin.class).authenticate(BearerToken.of(token), RequestContext.none());
    }

    private static String health(AssertableWebApplicationContext context) {
        return context.getBean("latchkeyHealthIndicator", HealthIndicator.class)
                .health()
                .getStatus()
                .getCode();
    }
}
