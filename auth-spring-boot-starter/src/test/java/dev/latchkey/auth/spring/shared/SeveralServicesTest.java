package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.RefreshToken;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.login.TokenLogin;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.ServiceName;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Two services, each a context with keys of its own, on one store. Each has an account of the same name and password. */
@Tag("long")
class SeveralServicesTest {

    private static final String OTHER_KEY = "latchkey.jwt.secret=mK7h0uD9b1Xz4Qw2Rt6Yv8Ns3Lp5Jc0Ea7Gf9Hi2Oq4=";
    private static final String OTHER_NAME = "spring.application.name=warehouse";
    private static final String ALICE = "alice";
    private static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);
    private static final String HASH = ENCODER.encode(Services.PASSWORD);

    private static EmbeddedRedis redis;

    @BeforeAll
    static void start() {
        redis = new EmbeddedRedis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    static Stream<WebApplicationContextRunner> stores() {
        DataSource h2 = SharedDatabase.withTables();
        return Stream.of(
                service()
                        .withConfiguration(AutoConfigurations.of(
                                RedisAutoConfiguration.class, LatchkeyRedisAutoConfiguration.class))
                        .withPropertyValues("spring.data.redis.port=" + redis.port(), "latchkey.redis.timeout=10s"),
                service()
                        .withConfiguration(AutoConfigurations.of(LatchkeyJdbcAutoConfiguration.class))
                        .withBean(DataSource.class, () -> h2));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void refreshTokenOfOneService_isRefusedAtAnother_andGoodAtItsOwn(WebApplicationContextRunner service) {
        service.run(shop -> service.withPropertyValues(OTHER_NAME, OTHER_KEY).run(warehouse -> {
            IssuedTokens tokens = login(shop);
            assertThat(refreshed(warehouse, tokens)).isFalse();
            assertThat(refreshed(shop, tokens)).isTrue();
        }));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void sessionOfOneService_isNeitherListedNorEndedByAnother(WebApplicationContextRunner service) {
        service.run(shop -> service.withPropertyValues(OTHER_NAME, OTHER_KEY).run(warehouse -> {
            IssuedTokens tokens = login(shop);
            String id = shop.getBean(AccountLogins.class).of(ALICE).get(0).id();
            AccountLogins others = warehouse.getBean(AccountLogins.class);
            assertThat(others.of(ALICE)).isEmpty();
            assertThat(others.find(id)).isEmpty();
            others.end(id, "alice", LoginListener.Cause.OPERATOR);
            others.revokeAll("alice");
            warehouse
                    .getBean(TokenRevocation.class)
                    .revoke(tokens.refresh().map(RefreshToken::text).orElseThrow());
            shop.getBean(LocalRevocations.class).refresh();
            assertThat(refreshed(shop, tokens)).isTrue();
        }));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void servicesOfOneName_shareSessionsAndRevocations(WebApplicationContextRunner service) {
        String together = "latchkey.service=single-sign-on";
        service.withPropertyValues(together)
                .run(shop -> service.withPropertyValues(together, OTHER_NAME).run(warehouse -> {
                    IssuedTokens tokens = login(shop);
                    assertThat(warehouse.getBean(AccountLogins.class).of(ALICE)).isNotEmpty();
                    assertThat(refreshed(warehouse, tokens)).isTrue();
                    IssuedTokens next = login(shop);
                    warehouse.getBean(AccountLogins.class).revokeAll("alice");
                    assertThat(refreshed(shop, next)).isFalse();
                }));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void serviceWithoutAName_doesNotStart_andSaysWhatToWrite(WebApplicationContextRunner service) {
        assertRefused(
                service.withPropertyValues("spring.application.name="),
                "neither latchkey.service nor spring.application.name is set");
        assertRefused(
                service.withPropertyValues("spring.application.name=My Shop"),
                "spring.application.name is 'My Shop', which cannot be part of the keys of a store");
        assertRefused(
                service.withPropertyValues("latchkey.service=a:b"),
                "latchkey.service is 'a:b', which cannot be part of the keys of a store");
        service.withPropertyValues("spring.application.name=My Shop", "latchkey.service=shop")
                .run(context -> assertThat(context.getBean(ServiceName.class)).hasToString("shop"));
    }

    @Test
    void serviceWhoseStoresAreItsOwn_needsNoName() {
        service()
                .withPropertyValues("spring.application.name=")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LoginStore.class));
        service()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, LatchkeyRedisAutoConfiguration.class))
                .withBean(RedisSettings.class, () -> RedisSettings.of(new ServiceName("own")))
                .withPropertyValues("spring.data.redis.port=" + redis.port(), "spring.application.name=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void assertRefused(WebApplicationContextRunner service, String message) {
        service.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining(message));
    }

    private static IssuedTokens login(AssertableWebApplicationContext service) {
        return (IssuedTokens) service.getBean(TokenLogin.class)
                .login(new PasswordCredentials("alice", Secret.of(Services.PASSWORD)), RequestContext.none())
                .orElseThrow();
    }

    private static boolean refreshed(AssertableWebApplicationContext service, IssuedTokens tokens) {
        String token = tokens.refresh().map(RefreshToken::text).orElseThrow();
        return service.getBean(RefreshableLogins.class).refresh(token).isPresent();
    }

    private static WebApplicationContextRunner service() {
        UserDetailsService accounts = name ->
                User.withUsername(name).password(HASH).authorities("ROLE_USER").build();
        return Services.web()
                .withBean(PasswordEncoder.class, () -> ENCODER)
                .withBean(UserDetailsService.class, () -> accounts)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true");
    }
}
