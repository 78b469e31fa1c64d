package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.apikeys.ApiKeyCredentials;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.apikeys.IssuedKey;
import dev.latchkey.plugins.apikeys.KeyDigests;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("long")
class ApiKeysAutoConfigurationTest {

    private static final String PREFIX = "latchkey.plugin.api-keys.";

    @TempDir
    private Path folder;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ApiKeysAutoConfiguration.class))
            .withUserConfiguration(Chain.class);

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        AuthChain chain(ObjectProvider<AuthPlugin> plugins) {
            return AuthChain.of(plugins.orderedStream().toList());
        }

        @Bean
        Callers callers() {
            return caller -> Optional.of(Subject.of("ada"));
        }
    }

    private ApplicationContextRunner withKey() {
        return runner.withPropertyValues(Services.keyFile(folder));
    }

    private ApplicationContextRunner withStore() {
        return withKey().withBean(ApiKeyStore.class, InMemoryApiKeyStore::new);
    }

    private static void assertStartEnds(ApplicationContextRunner runner, String... said) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause))
                    .filteredOn(PluginConfigException.class::isInstance)
                    .singleElement()
                    .satisfies(cause -> assertThat(cause.getMessage()).contains(said));
        });
    }

    @Test
    void missingKeyFile_endsTheStart() {
        assertStartEnds(
                runner.withBean(ApiKeyStore.class, InMemoryApiKeyStore::new),
                "Set latchkey.plugin.api-keys.key-file",
                "openssl rand -hex 32",
                "enabled=false");
    }

    @Test
    void badKeyFile_endsTheStart() {
        String missing = folder.resolve("not-there.key").toString();
        for (String property : List.of(PREFIX + "key-file", PREFIX + "former-key-files")) {
            assertStartEnds(withStore().withPropertyValues(property + "=" + missing), property + ": ", missing);
        }
    }

    @Test
    void missingDataSource_endsTheStart() {
        assertStartEnds(withKey(), "no DataSource", "no DataSource beside an R2DBC ConnectionFactory", "ApiKeyStore");
        assertStartEnds(withKey().withClassLoader(new FilteredClassLoader(JdbcClient.class)), "spring-jdbc");
    }

    @Test
    void missingTable_stopsTheStart_andItsScriptIsNamed() {
        withKey()
                .withBean(DataSource.class, () -> database(""))
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(PluginConfigException.class)
                        .hasMessageContainingAll(
                                "latchkey_api_key",
                                "dev/latchkey/plugins/apikeys/schema-",
                                "spring.sql.init.schema-locations"));
    }

    @Test
    void tablesOfAnEarlierBean_areFound_alsoWhereBeansAreMadeLate() {
        Services.servlet()
                .withPropertyValues(Services.keyFile(folder))
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void databaseThatDoesNotAnswer_doesNotStopTheStart() {
        withKey()
                .withBean(DataSource.class, () -> database(";IFEXISTS=TRUE"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void storeOfTheService_isNotChecked() {
        withKey()
                .withBean(JdbcApiKeyStore.class, () -> new JdbcApiKeyStore(database("")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static DataSource database(String options) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + options);
        return database;
    }

    @ParameterizedTest
    @CsvSource({
        "prefix,LK_,lower-case letter",
        "prefix,lk,underscore",
        "header,Authorization,none of",
        "seen-within,0s,an hour",
        "seen-within,2h,an hour",
        "most-per-account,0,10",
        "scopes[a b],ROLE_USER,visible ASCII"
    })
    void badSetting_endsTheStart_andIsNamed(String key, String value, String said) {
        assertStartEnds(
                withStore().withPropertyValues(PREFIX + key + "=" + value),
                PREFIX + key.replaceAll("\\[.*", "") + ": ",
                said);
    }

    @Test
    void longestLifetime_isADayToAHundredYears() {
        ApplicationContextRunner service = withStore().withPropertyValues(PREFIX + "endpoints-enabled=true");
        for (String wrong : List.of("23h", "36501d")) {
            assertStartEnds(
                    service.withPropertyValues(PREFIX + "longest-lifetime=" + wrong), PREFIX + "longest-lifetime: ");
        }
        for (long right : new long[] {1, 36_500}) {
            service.withPropertyValues(PREFIX + "longest-lifetime=" + right + "d")
                    .run(context -> assertThat(
                                    context.getBean(ApiKeysProperties.class).mostDays())
                            .isEqualTo(right));
        }
    }

    @Test
    void endpoint_answersWithoutTheRestOfTheStarter() {
        withStore()
                .withPropertyValues(PREFIX + "endpoints-enabled=true")
                .run(context -> assertThat(context.getBean(KeyEndpoint.class)
                                .list(null)
                                .getStatusCode()
                                .value())
                        .isEqualTo(200));
    }

    @Test
    void settings_areTaken() {
        withStore()
                .withPropertyValues(
                        PREFIX + "seen-within=3s",
                        PREFIX + "most-per-account=7",
                        PREFIX + "scopes[orders.read]=ROLE_USER,ROLE_ADMIN",
                        PREFIX + "scopes.stock=ROLE_ADMIN")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    ApiKeys keys = context.getBean(ApiKeys.class);
                    assertThat(keys.settings().seenWithin()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(keys.settings().mostPerAccount()).isEqualTo(7);
                    assertThat(keys.settings().scopes().byAuthority())
                            .isEqualTo(Map.of(
                                    "orders.read", Set.of("ROLE_USER", "ROLE_ADMIN"), "stock", Set.of("ROLE_ADMIN")));
                });
    }

    @Test
    void ownBeans_win() {
        InMemoryApiKeyStore store = new InMemoryApiKeyStore();
        runner.withBean(ApiKeyStore.class, () -> store)
                .withBean(KeyDigests.class, () -> KeyDigests.of(Secret.of(new byte[32])))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(JdbcApiKeyStore.class);
                    context.getBean(ApiKeys.class).issue(KeyOwner.of("ada"), KeyRequest.named("ci"));
                    assertThat(store.ofAccount("ada")).hasSize(1);
                });
    }

    @Test
    void timeIsThatOfLatchkeysClock_andOfNoOther() {
        Instant then = Instant.parse("2026-03-01T12:00:10Z");
        withStore()
                .withBean("latchkeyClock", InstantSource.class, () -> InstantSource.fixed(then))
                .withBean("another", InstantSource.class, () -> InstantSource.fixed(Instant.EPOCH))
                .run(context -> {
                    ApiKeys keys = context.getBean(ApiKeys.class);
                    keys.issue(KeyOwner.of("ada"), KeyRequest.named("ci"));
                    assertThat(keys.list("ada").get(0).created()).isEqualTo(then);
                });
    }

    @Test
    void ageOfACachedKey_isThatOfLatchkeysNanoTime() {
        AtomicLong nanos = new AtomicLong();
        withStore()
                .withBean("latchkeyNanoTime", LongSupplier.class, () -> nanos::get)
                .run(context -> {
                    IssuedKey key = (IssuedKey)
                            context.getBean(ApiKeys.class).issue(KeyOwner.of("ada"), KeyRequest.named("ci"));
                    ApiKeysPlugin plugin = context.getBean(ApiKeysPlugin.class);
                    ApiKeyCredentials shown = new ApiKeyCredentials(key.text());
                    assertThat(plugin.authenticate(shown, RequestContext.none()))
                            .isInstanceOf(Authenticated.class);
                    context.getBean(ApiKeyStore.class).delete("ada", key.key().id());
                    nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
                    assertThat(plugin.authenticate(shown, RequestContext.none()))
                            .isInstanceOf(Authenticated.class);
                    nanos.addAndGet(1);
                    assertThat(plugin.authenticate(shown, RequestContext.none()))
                            .isInstanceOf(Rejected.class);
                });
    }

    @Test
    void disabled_leavesNothing() {
        for (String off : new String[] {PREFIX + "enabled=false", "latchkey.enabled=false"}) {
            runner.withPropertyValues(off)
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ApiKeys.class));
        }
    }

    /** The message of a failed start names this switch. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void switchOfThePlugin_isNoUnknownSetting(CapturedOutput log) {
        Services.servlet()
                .withPropertyValues(PREFIX + "enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ApiKeys.class));
        assertThat(log).contains("Auth plugins, in order").doesNotContain("nothing reads");
    }

    @Test
    void chainThatLeavesThePluginOut_endsTheStartWhereKeysAreIssued() {
        Services.servlet()
                .withPropertyValues(Services.keyFile(folder), "latchkey.plugins=users,jwt")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(PluginConfigException.class)
                        .rootCause()
                        .hasMessageStartingWith("latchkey.plugins does not name api-keys"));
    }

    @Test
    void chainOfTheStarter_asksThePlugin() {
        Services.servlet()
                .withPropertyValues(
                        Services.keyFile(folder), PREFIX + "former-key-files[0]=" + folder.resolve("keys.key"))
                .run(context -> assertThat(context.getBean(AuthChain.class).pluginNames())
                        .contains("users", "jwt", "api-keys"));
    }
}
