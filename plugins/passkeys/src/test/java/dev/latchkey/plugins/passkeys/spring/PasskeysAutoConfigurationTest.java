package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.passkeys.Authenticator;
import dev.latchkey.plugins.passkeys.OwnPasskeys;
import dev.latchkey.plugins.passkeys.Passkey;
import dev.latchkey.plugins.passkeys.PasskeysPlugin;
import dev.latchkey.plugins.passkeys.RelyingParty;
import dev.latchkey.plugins.passkeys.store.InMemoryPasskeyStore;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The effect of the settings, and the messages about wrong settings. */
@Tag("long")
class PasskeysAutoConfigurationTest {

    private final WebApplicationContextRunner service = new WebApplicationContextRunner()
            .withUserConfiguration(Services.ServletService.class)
            .withPropertyValues(Services.properties());

    private final ApplicationContextRunner alone = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PasskeysAutoConfiguration.class))
            .withUserConfiguration(Chain.class);

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        AuthChain chain(ObjectProvider<AuthPlugin> plugins) {
            return AuthChain.of(
                    Stream.concat(Stream.of(new Ada()), plugins.orderedStream()).toList());
        }
    }

    /** Knows one account. */
    private static final class Ada implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "ada";
        }

        @Override
        public boolean hasStoredNames() {
            return true;
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Authenticated.as(Subject.of("ada"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "latchkey.plugin.passkeys.key-file=/nowhere,latchkey.plugin.passkeys.key-file: The key file /nowhere",
        "latchkey.plugin.passkeys.rp-id=https://example.com,rp-id",
        "latchkey.plugin.passkeys.origins=https://evil.test,https://evil.test",
        "latchkey.plugin.passkeys.origins=http://example.com,http://example.com",
        "latchkey.plugin.passkeys.origins=https://example.com/login,https://example.com/login",
        "latchkey.plugin.passkeys.rp-name=,rp-name",
        "'latchkey.plugins=users,jwt',passkeys"
    })
    void wrongSetting_stopsTheStart_andIsNamed(String property, String named) {
        service.withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            Throwable cause = context.getStartupFailure();
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause).hasMessageContaining(named);
        });
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
    void settingThatIsMissing_endsTheStart_andIsNamed() {
        ApplicationContextRunner bare = alone.withBean(PasskeyStore.class, InMemoryPasskeyStore::new);
        assertStartEnds(bare, "Set latchkey.plugin.passkeys.rp-id", "enabled=false");
        assertStartEnds(
                bare.withPropertyValues("latchkey.plugin.passkeys.rp-id=example.com"),
                "Set latchkey.plugin.passkeys.rp-name or spring.application.name");
        assertStartEnds(
                bare.withPropertyValues(
                        "spring.application.name=Example", "latchkey.plugin.passkeys.rp-id=example.com"),
                "Set latchkey.plugin.passkeys.key-file",
                "openssl rand -hex 32",
                "enabled=false");
    }

    @Test
    void missingDataSource_endsTheStart() {
        ApplicationContextRunner set = alone.withPropertyValues(Services.properties());
        assertStartEnds(
                set, "there is no DataSource", "no DataSource beside an R2DBC ConnectionFactory", "PasskeyStore");
        assertStartEnds(set.withClassLoader(new FilteredClassLoader(JdbcClient.class)), "spring-jdbc");
    }

    @Test
    void missingTable_stopsTheStart_andItsScriptIsNamed() {
        alone.withPropertyValues(Services.properties())
                .withBean(DataSource.class, () -> database(""))
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(PluginConfigException.class)
                        .hasMessageContainingAll(
                                "latchkey_passkey",
                                "dev/latchkey/plugins/passkeys/schema-",
                                "spring.sql.init.schema-locations"));
    }

    @Test
    void tablesOfAnEarlierBean_areFound_alsoWhereBeansAreMadeLate() {
        service.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void databaseThatDoesNotAnswer_doesNotStopTheStart() {
        alone.withPropertyValues(Services.properties())
                .withBean(DataSource.class, () -> database(";IFEXISTS=TRUE"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void storeOfTheService_isNotChecked() {
        alone.withPropertyValues(Services.properties())
                .withBean(JdbcPasskeyStore.class, () -> new JdbcPasskeyStore(database("")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static DataSource database(String options) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + options);
        return database;
    }

    @Test
    void nameAndPages_areThoseOfTheSettings_orThoseOfTheService() {
        assertThat(new PasskeysProperties(true, null, "example.com", null, Set.of(), false).service("Example"))
                .isEqualTo(RelyingParty.of("example.com", "Example"));
        assertThat(new PasskeysProperties(true, null, "example.com", "Shop", Set.of("https://shop.example.com"), false)
                        .service("Example"))
                .isEqualTo(new RelyingParty("example.com", "Shop", Set.of("https://shop.example.com")));
    }

    /** A service may have a clock for another purpose. */
    @Test
    void timeAndStore_areThoseOfTheService() {
        Instant then = Instant.parse("2040-01-01T00:00:00Z");
        InMemoryPasskeyStore store = new InMemoryPasskeyStore();
        alone.withPropertyValues(Services.properties())
                .withBean(PasskeyStore.class, () -> store)
                .withBean("latchkeyClock", InstantSource.class, () -> InstantSource.fixed(then))
                .withBean("another", InstantSource.class, () -> InstantSource.fixed(Instant.EPOCH))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(JdbcPasskeyStore.class);
                    OwnPasskeys own = context.getBean(OwnPasskeys.class);
                    PasswordCredentials login = new PasswordCredentials("ada", Secret.of("right"));
                    Map<String, Object> options = own.begin("ada", login, Map.of(), RequestContext.none())
                            .orElseThrow();
                    Map<String, Secret> made = new Authenticator().register(options);
                    assertThat(own.confirm(
                                    "ada",
                                    "key",
                                    made.get("attestation_object"),
                                    made.get("client_data_json"),
                                    RequestContext.none()))
                            .map(Passkey::created)
                            .contains(then);
                    assertThat(store.ofAccount("ada")).hasSize(1);
                });
    }

    @Test
    void switchedOff_thereIsNothingOfIt() {
        service.withPropertyValues("latchkey.plugin.passkeys.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(PasskeysPlugin.class)
                        .doesNotHaveBean(OwnPasskeys.class)
                        .doesNotHaveBean(PasskeysController.class));
    }

    @Test
    void endpoints_areOffUntilAskedFor() {
        service.withPropertyValues("latchkey.plugin.passkeys.endpoints-enabled=false")
                .run(context ->
                        assertThat(context).hasSingleBean(OwnPasskeys.class).doesNotHaveBean(PasskeysController.class));
    }

    @Test
    void settings_areAllInTheReadme() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        for (RecordComponent setting : PasskeysProperties.class.getRecordComponents()) {
            String name = setting.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(readme).contains("\n| `" + name + "` |");
        }
    }
}
