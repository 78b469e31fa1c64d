package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.InMemoryCodeStore;
import dev.latchkey.plugins.codes.JdbcCodeStore;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.RememberedDevices;
import dev.latchkey.plugins.codes.SecretKeys;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("long")
class OneTimeCodesAutoConfigurationTest {

    @TempDir
    private Path folder;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OneTimeCodesAutoConfiguration.class))
            .withUserConfiguration(Chain.class)
            .withPropertyValues("spring.application.name=Example");

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        AuthChain chain(ObjectProvider<AuthPlugin> plugins) {
            return AuthChain.of(plugins.orderedStream().toList());
        }
    }

    private ApplicationContextRunner withKey() {
        return runner.withPropertyValues(Services.keyFile(folder));
    }

    private static void assertStartEnds(ApplicationContextRunner runner, String... said) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(PluginConfigException.class)
                    .message()
                    .contains(said);
        });
    }

    @Test
    void codes_goByTheClockOfTheService() {
        InstantSource clock = InstantSource.fixed(Instant.parse("2040-01-01T00:00:00Z"));
        withKey()
                .withBean(CodeStore.class, InMemoryCodeStore::new)
                .withBean("latchkeyClock", InstantSource.class, () -> clock)
                .run(context -> {
                    OneTimeCodes codes = context.getBean(OneTimeCodes.class);
                    Secret key = codes.begin("ada").orElseThrow().key();
                    Phone phone = key.withText(text -> new Phone(text, clock));
                    assertThat(codes.confirm("ada", Secret.of(phone.code()))).isPresent();
                });
    }

    @Test
    void missingKeyFile_endsTheStart() {
        assertStartEnds(
                runner.withBean(CodeStore.class, InMemoryCodeStore::new),
                "Set latchkey.plugin.one-time-codes.key-file",
                "openssl rand -hex 32",
                "enabled=false");
    }

    @Test
    void badKeyFile_endsTheStart() {
        String missing = folder.resolve("not-there.key").toString();
        ApplicationContextRunner service = withKey().withBean(CodeStore.class, InMemoryCodeStore::new);
        for (String key : List.of("key-file", "former-key-files")) {
            String property = "latchkey.plugin.one-time-codes." + key;
            assertStartEnds(service.withPropertyValues(property + "=" + missing), property + ": ", missing);
        }
    }

    @Test
    void missingDataSource_endsTheStart() {
        assertStartEnds(
                withKey(), "there is no DataSource", "no DataSource beside an R2DBC ConnectionFactory", "CodeStore");
        assertStartEnds(withKey().withClassLoader(new FilteredClassLoader(JdbcClient.class)), "spring-jdbc");
    }

    @Test
    void missingTable_stopsTheStart_andItsScriptIsNamed() {
        withKey()
                .withBean(DataSource.class, () -> database(""))
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(PluginConfigException.class)
                        .hasMessageContainingAll(
                                "latchkey_one_time_codes",
                                "dev/latchkey/plugins/codes/schema-",
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
                .withBean(JdbcCodeStore.class, () -> new JdbcCodeStore(database("")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static DataSource database(String options) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + options);
        return database;
    }

    @Test
    void missingOrBadIssuer_endsTheStart() {
        ApplicationContextRunner service = withKey().withBean(CodeStore.class, InMemoryCodeStore::new);
        assertStartEnds(service.withPropertyValues("spring.application.name="), "one-time-codes.issuer");
        assertStartEnds(
                service.withPropertyValues("latchkey.plugin.one-time-codes.issuer=a:b"),
                "latchkey.plugin.one-time-codes.issuer: An issuer has");
    }

    @Test
    void timeThatIsTooLongToRememberADevice_endsTheStart() {
        ApplicationContextRunner service = withKey().withBean(CodeStore.class, InMemoryCodeStore::new);
        String on = "latchkey.plugin.one-time-codes.remember-devices=true";
        assertStartEnds(
                service.withPropertyValues(on, "latchkey.plugin.one-time-codes.remember-devices-for=366d"),
                "latchkey.plugin.one-time-codes.remember-devices-for: A device is remembered for a minute to 365 days");
        service.withPropertyValues(on).run(context -> assertThat(context).hasSingleBean(RememberedDevices.class));
        service.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RememberedDevices.class));
    }

    @Test
    void guessesWithoutALimit_endTheStart_unlessSomethingElseLimitsThem() {
        ApplicationContextRunner service = withKey().withBean(CodeStore.class, InMemoryCodeStore::new);
        for (String off : new String[] {"latchkey.guard.limits.enabled", "latchkey.guard.enabled"}) {
            ApplicationContextRunner unlimited = service.withPropertyValues(off + "=false");
            assertStartEnds(unlimited, off + "=false", "latchkey.plugin.one-time-codes.limited-elsewhere=true");
            unlimited
                    .withPropertyValues("latchkey.plugin.one-time-codes.limited-elsewhere=true")
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OneTimeCodesPlugin.class));
        }
    }

    @Test
    void everythingSwitchedOff_isSaidOnce_whereCodesWereMeantToBeAsked() {
        List<String> log = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(OneTimeCodesOffAutoConfiguration.class.getName());
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord entry) {
                log.add(entry.getLevel() + " " + entry.getMessage());
            }
        };
        logger.addHandler(handler);
        try {
            switchOff(log);
        } finally {
            logger.removeHandler(handler);
        }
    }

    private void switchOff(List<String> log) {
        ApplicationContextRunner off = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        OneTimeCodesAutoConfiguration.class, OneTimeCodesOffAutoConfiguration.class))
                .withPropertyValues("latchkey.enabled=false");
        off.run(context -> assertThat(context).hasNotFailed());
        off.withPropertyValues(Services.keyFile(folder), "latchkey.plugin.one-time-codes.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).isEmpty();
        off.withPropertyValues(Services.keyFile(folder))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OneTimeCodes.class));
        assertThat(log).singleElement().asString().startsWith("WARNING").contains("no login needs a one-time code");
    }

    @Test
    void issuerAndAlgorithm_areThoseOfTheSettings() {
        withKey()
                .withBean(CodeStore.class, InMemoryCodeStore::new)
                .withPropertyValues(
                        "latchkey.plugin.one-time-codes.issuer=Big Co",
                        "latchkey.plugin.one-time-codes.algorithm=sha256")
                .run(context -> assertThat(context.getBean(OneTimeCodes.class)
                                .begin("ada")
                                .orElseThrow()
                                .uri()
                                .<String>withText(CharSequence::toString))
                        .startsWith("otpauth://totp/Big%20Co:ada?")
                        .contains("&algorithm=SHA256&"));
    }

    @Test
    void ownBeans_win() {
        InMemoryCodeStore store = new InMemoryCodeStore();
        SecretKeys keys = SecretKeys.of(Secret.of(new byte[32]));
        runner.withBean(CodeStore.class, () -> store)
                .withBean(SecretKeys.class, () -> keys)
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(JdbcCodeStore.class);
                    context.getBean(OneTimeCodes.class).begin("ada");
                    assertThat(store.find("ada")).isPresent();
                });
    }

    @Test
    void disabled_leavesNothing() {
        for (String off : new String[] {"latchkey.plugin.one-time-codes.enabled=false", "latchkey.enabled=false"}) {
            runner.withPropertyValues(off)
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OneTimeCodes.class));
        }
    }

    @Test
    void chainThatLeavesThePluginOut_endsTheStart(@TempDir Path other) {
        Services.servlet()
                .withPropertyValues(Services.keyFile(other), "latchkey.plugins=users,jwt")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(LatchkeyConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("login steps [one-time-codes]"));
    }

    /** Users could enrol, and no login would ask for their codes. */
    @Test
    void chainThatLeavesThePluginOutOnPurpose_endsTheStart_untilThePluginIsOff(@TempDir Path other) {
        var service = Services.servlet()
                .withPropertyValues(
                        Services.keyFile(other), "latchkey.plugins=users,jwt", "latchkey.unused-steps=one-time-codes");
        service.run(context -> assertThat(context.getStartupFailure())
                .hasRootCauseInstanceOf(PluginConfigException.class)
                .rootCause()
                .hasMessageStartingWith("latchkey.plugins does not name one-time-codes")
                .hasMessageEndingWith("one-time-codes.enabled=false"));
        service.withPropertyValues("latchkey.plugin.one-time-codes.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void chainOfTheStarter_asksThePlugin(@TempDir Path other) {
        Services.servlet()
                .withPropertyValues(
                        Services.keyFile(other),
                        "latchkey.plugin.one-time-codes.former-key-files[0]=" + other.resolve("codes.key"))
                .run(context -> assertThat(context.getBean(AuthChain.class).pluginNames())
                        .contains("users", "jwt", "one-time-codes"));
    }
}
