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
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jdbc.JdbcLoginStore;
import dev.latchkey.auth.jdbc.JdbcRevocationStore;
import dev.latchkey.auth.jdbc.JdbcSchema;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.FeatureBans;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyMistakesAutoConfiguration;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.ServiceName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Nodes of one service, each a context, on one database. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
@Tag("long")
class SharedRevocationsTest {

    private static final JwtClaims ALICE = JwtClaims.forSubject("alice", Duration.ofMinutes(1));
    private static final Duration STALE_AFTER = Duration.ofSeconds(2);

    private final Database database = new Database();

    @BeforeEach
    void isUp() {
        database.isDown = false;
    }

    @Test
    void logoutOnOneNode_isRefusedOnAnother_withinTheBound() {
        node().run(one -> node().run(other -> {
            String token = one.getBean(JwtSigner.class).sign(ALICE);
            assertThat(decision(other, token)).isInstanceOf(Authenticated.class);
            one.getBean(TokenRevocation.class).revoke(token);
            long revoked = System.nanoTime();
            assertThat(decision(one, token)).isInstanceOf(Rejected.class);
            until(() -> isRefusedSince(revoked, other, token));
        }));
    }

    @Test
    void databaseThatIsAskedForAndIsNotThere_stopsTheStart_andSaysWhatItTakes() {
        withoutADatabase()
                .withPropertyValues("latchkey.store=jdbc")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey.store is jdbc"));
    }

    @Test
    void moduleWithoutADatabase_isOneWarning_thatSaysWhatToDeclare(CapturedOutput log) {
        String warning = "declare a DataSource bean";
        node().run(context -> assertThat(context).hasNotFailed());
        withoutADatabase()
                .withPropertyValues("latchkey.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
        withoutADatabase()
                .withBean(RevocationStore.class, () -> new InMemoryRevocationStore(Duration.ofHours(1)))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(warning);
        withoutADatabase().run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(warning, -1)).hasSize(2);
        assertThat(log).contains("there is no DataSource", "beside an R2DBC ConnectionFactory");
    }

    @Test
    void moduleWithoutARedis_isOneWarning_unlessTheServiceWantsNone(CapturedOutput log) {
        String warning = "there is no RedisConnectionFactory, or there are several";
        withoutADatabase()
                .withPropertyValues("latchkey.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
        node().run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(warning);
        withoutADatabase()
                .withConfiguration(AutoConfigurations.of(LatchkeyRedisAutoConfiguration.class))
                .withBean("sessions", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .withBean("messages", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(warning, -1)).hasSize(2);
    }

    private static WebApplicationContextRunner withoutADatabase() {
        return Services.web()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyJdbcAutoConfiguration.class, LatchkeyMistakesAutoConfiguration.class))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);
    }

    @Test
    void revocationWithoutAKey_isKnownOnAnotherNode_forTheSakeOfSessions() {
        keyless()
                .run(one -> keyless().run(other -> {
                    assertThat(one.getBean(AuthChain.class).revokeAll("alice", Instant.now()))
                            .isTrue();
                    until(() -> other.getBean(RevocationStore.class).isSubjectRevoked("alice", Instant.EPOCH));
                }));
    }

    /** Boot's database comes after the conditions for Redis, and auth-redis is on the class path of these tests. */
    @Test
    void databaseOfBoot_isUsed_ifThereIsNoRedis() {
        Services.web()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        LatchkeyRedisAutoConfiguration.class,
                        LatchkeyJdbcAutoConfiguration.class,
                        LatchkeySharedLimitsAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("no table latchkey_revocation"));
    }

    @Test
    void banOfAFeatureOnOneNode_isKnownOnAnother_andSoIsItsEnd() {
        WebApplicationContextRunner node = node().withPropertyValues("latchkey.permissions.features=true");
        node.run(one -> node.run(other -> {
            FeatureBans here = one.getBean(FeatureBans.class);
            FeatureBans there = other.getBean(FeatureBans.class);
            Instant end = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
            here.ban("alice", "comment", end);
            assertThat(here.bannedUntil("alice", "comment")).contains(end);
            until(() -> there.bannedUntil("alice", "comment").equals(Optional.of(end)));
            there.lift("alice", "comment");
            until(() -> here.bannedUntil("alice", "comment").isEmpty());
            here.ban("alice", "comment", Instant.MAX);
            until(() -> there.bannedUntil("alice", "comment").isPresent());
        }));
    }

    /** A request after the end of the bound is refused; the machine decides how soon such a request comes. */
    private static boolean isRefusedSince(long revoked, AssertableWebApplicationContext context, String token) {
        Duration asked = Duration.ofNanos(System.nanoTime() - revoked);
        boolean isRefused = decision(context, token) instanceof Rejected;
        assertThat(isRefused || asked.compareTo(STALE_AFTER) <= 0)
                .as("refused, asked %s after the logout", asked)
                .isTrue();
        return isRefused;
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
                database.isDown = true;
                assertThat(decision(other, token)).isInstanceOf(Rejected.class);
            });
        });
    }

    @Test
    void loginsAreInTheDatabaseToo() {
        node().run(one -> assertThat(one.getBean(LoginStore.class)).isInstanceOf(JdbcLoginStore.class));
    }

    @Test
    void databaseWithoutTables_stopsTheStart_andSaysWhatToDo() {
        database.setTargetDataSource(SharedDatabase.empty());
        node().run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("latchkey_revocation")
                .hasMessageContaining(JdbcSchema.H2.script()));
    }

    @Test
    void databaseWithoutTables_stopsTheStart_besideAStoreOfRevocationsOfTheService() {
        database.setTargetDataSource(SharedDatabase.empty());
        WebApplicationContextRunner service =
                node().withBean(RevocationStore.class, () -> new InMemoryRevocationStore(Duration.ofHours(1)));
        service.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("latchkey_login"));
        service.withPropertyValues("latchkey.login.refresh.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void storesOfTheServiceInASecondDatabase_needNoTablesInTheFirst() {
        DataSource second = SharedDatabase.withTables();
        ServiceName shop = new ServiceName("shop");
        database.setTargetDataSource(SharedDatabase.empty());
        WebApplicationContextRunner service =
                node().withBean(JdbcLoginStore.class, () -> JdbcLoginStore.in(second, shop));
        JdbcRevocationStore revocations = JdbcRevocationStore.in(second, shop, Duration.ofHours(1));
        service.withBean(JdbcRevocationStore.class, () -> revocations)
                .run(context -> assertThat(context).hasNotFailed());
        service.withConfiguration(AutoConfigurations.of(LatchkeyRevocationCopyAutoConfiguration.class))
                .withBean(
                        LocalRevocations.class,
                        () -> LocalRevocations.of(revocations, LocalRevocationSettings.defaults()))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RevocationRefresh.class));
    }

    @Test
    void tableWithoutAStoreOfLatchkey_mayBeMissing() {
        database.setTargetDataSource(SharedDatabase.without("latchkey_revocation"));
        node().withBean(RevocationStore.class, () -> new InMemoryRevocationStore(Duration.ofHours(1)))
                .run(context -> assertThat(context).hasNotFailed());
        database.setTargetDataSource(SharedDatabase.without("latchkey_login"));
        node().withPropertyValues("latchkey.login.refresh.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        node().run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("latchkey_login"));
    }

    @Test
    void databaseThatIsDown_letsTheServiceStart_acceptsNoToken_andIsUsedOnceItIsThere() {
        node().run(first -> {
            database.isDown = true;
            node().run(context -> {
                assertThat(context).hasNotFailed();
                String token = context.getBean(JwtSigner.class).sign(ALICE);
                assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> decision(context, token));
                assertThat(health(context)).isEqualTo("DOWN");
                database.isDown = false;
                until(() -> health(context).equals("UP"));
                assertThat(decision(context, token)).isInstanceOf(Authenticated.class);
            });
        });
    }

    @Test
    void databaseThatGoesDown_isAnOutage_unlessTheServiceSaysForHowLongNot() {
        node().run(strict -> node().withPropertyValues("latchkey.revocation.accept-stale-for=1h")
                .run(lenient -> {
                    String good = strict.getBean(JwtSigner.class).sign(ALICE);
                    String revoked = strict.getBean(JwtSigner.class).sign(ALICE);
                    lenient.getBean(TokenRevocation.class).revoke(revoked);
                    database.isDown = true;
                    until(() -> health(strict).equals("DOWN"));
                    assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> decision(strict, good));
                    until(() ->
                            !lenient.getBean(LocalRevocations.class).status().isFresh());
                    assertThat(decision(lenient, good)).isInstanceOf(Authenticated.class);
                    assertThat(decision(lenient, revoked)).isInstanceOf(Rejected.class);
                    assertThat(health(lenient)).isEqualTo("UP");
                }));
    }

    @Test
    void copyThatIsNeverFresh_isRefusedAtTheStart() {
        node().withPropertyValues("latchkey.revocation.stale-after=0s")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("latchkey.revocation.stale-after is 0ms, and must be from 100ms to 60s"));
    }

    @Test
    void nodeThatStopped_asksNoMore() {
        node().run(context -> {
            RevocationRefresh refresh = context.getBean(RevocationRefresh.class);
            assertThat(refresh.isRunning()).isTrue();
            refresh.stop();
            assertThat(refresh.isRunning()).isFalse();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals(RevocationRefresh.THREAD_NAME))
                    .allMatch(SharedRevocationsTest::ends);
        });
    }

    private WebApplicationContextRunner keyless() {
        return Services.web()
                .withConfiguration(AutoConfigurations.of(LatchkeyJdbcAutoConfiguration.class))
                .withBean(DataSource.class, () -> database);
    }

    private WebApplicationContextRunner node() {
        return keyless()
                .withPropertyValues(
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

    private static boolean ends(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return !thread.isAlive();
    }

    /** One for all nodes of a test, which can be down. */
    private static final class Database extends DelegatingDataSource {

        private volatile boolean isDown;

        Database() {
            setTargetDataSource(SharedDatabase.withTables());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (isDown) {
                throw new SQLException("refused", "08001");
            }
            return super.getConnection();
        }
    }
}
