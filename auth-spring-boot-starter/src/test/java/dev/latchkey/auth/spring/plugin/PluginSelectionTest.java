package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The plugins selected by a configuration, with their settings, and the messages about mistakes. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class PluginSelectionTest {

    @TempDir
    Path jar;

    private WebApplicationContextRunner service;

    @BeforeEach
    void findTheDirectory() throws IOException {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(AuthPluginFactory.class.getName()), HttpDirectory.class.getName());
        URLClassLoader found =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader());
        service = Services.web().withUserConfiguration(Services.Accounts.class).withClassLoader(found);
        HttpDirectory.MADE.clear();
    }

    @Test
    void twoInstancesOfOneType_haveSettingsOfTheirOwn(CapturedOutput output) {
        service.withPropertyValues(
                        "latchkey.plugins=emea,apac",
                        "latchkey.plugin.emea.type=http-directory",
                        "latchkey.plugin.emea.service-key=of-emea",
                        "latchkey.plugin.apac.type=http-directory",
                        "latchkey.plugin.apac.service-key=of-apac",
                        "latchkey.plugin.apac.max-concurrent=3")
                .run(context -> assertThat(context.getBean(AuthChain.class).pluginNames())
                        .containsExactly("emea", "apac"));
        assertThat(HttpDirectory.MADE).containsExactly("emea of-emea", "apac of-apac");
        assertThat(output).contains("since latchkey.plugins does not name them: [users]");
    }

    /** The first plugin decides about every token, so it would reject tokens of the second, or take their subjects for local accounts. */
    @Test
    void secondPluginOfTokens_stopsTheStart() {
        JwtVerifier ofAPartner = JwtVerifier.with(HmacKey.ofBase64(Services.KEY));
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        for (String order : List.of("jwt,partner", "partner,jwt")) {
            service.withBean("jwt-of-the-service", AuthPlugin.class, () -> JwtAuthPlugin.of(ofAPartner, revocations))
                    .withBean(
                            "jwt-of-a-partner",
                            AuthPlugin.class,
                            () -> JwtAuthPlugin.of(ofAPartner, revocations).withName("partner"))
                    .withPropertyValues("latchkey.plugins=users," + order)
                    .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                            .isInstanceOf(LatchkeyConfigurationException.class)
                            .hasMessageContaining("the first decides about every token"));
        }
    }

    @Test
    void environmentVariables_nameAPluginAndASettingWithHyphens() {
        service.withInitializer(context -> TestPropertyValues.of("LATCHKEY_PLUGIN_HTTPDIRECTORY_SERVICEKEY=environment")
                        .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT))
                .withPropertyValues("latchkey.plugins=http-directory")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(HttpDirectory.MADE).containsExactly("http-directory environment");
    }

    @Test
    void environmentAndProperty_giveTheValueOfTheSourceThatWins() {
        service.withInitializer(context -> TestPropertyValues.of("LATCHKEY_PLUGIN_HTTPDIRECTORY_SERVICEKEY=environment")
                        .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT))
                .withPropertyValues(
                        "latchkey.plugins=http-directory", "latchkey.plugin.http-directory.service-key=property")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean("environment", Environment.class)
                        .extracting(found -> found.getProperty("latchkey.plugin.http-directory.service-key"))
                        .satisfies(value -> assertThat(HttpDirectory.MADE).containsExactly("http-directory " + value)));
    }

    @Test
    void settingThatIsUnknown_isToldWithThoseThatAreKnown() {
        service.withPropertyValues(
                        "latchkey.plugins=http-directory",
                        "latchkey.plugin.http-directory.service-key=x",
                        "latchkey.plugin.http-directory.servicekye=hunter2-hunter2")
                .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                        .isInstanceOf(PluginSelectionException.class)
                        .hasMessageStartingWith("Plugin 'http-directory': There is no setting"
                                + " latchkey.plugin.http-directory.servicekye (set in ")
                        .hasMessageEndingWith("; the settings are max-concurrent, service-key, timeout, type"));
    }

    @ParameterizedTest
    @CsvSource({
        "latchkey.plugin.htpt-directory.service-key",
        "latchkey.plugin.usres.max-concurrent",
        "latchkey.plugin.user.enabled",
        "latchkey.plugin.passkey.enabled"
    })
    void settingOfAMisspeltName_stopsTheStart(String key) {
        service.withPropertyValues("latchkey.plugins=users", key + "=hunter2-hunter2")
                .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageStartingWith(key + ": no plugin has this name")
                        .hasMessageNotContaining("hunter2"));
    }

    @Test
    void settingOfAnotherNameThatNoPluginHas_isLogged(CapturedOutput output) {
        service.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME + "-systemEnvironment",
                                Map.of("LATCHKEY_PLUGIN_SERVICE_HOST", "10.0.0.7"))))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("latchkey.plugin.service.* is set, and no auth plugin of that name is asked");
    }

    @Test
    void settingsOfAPluginThatIsNotAsked_areTold(CapturedOutput output) {
        service.withPropertyValues("latchkey.plugins=users", "latchkey.plugin.http-directory.service-key=x")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("latchkey.plugin.http-directory.* is set, and no auth plugin of that name is asked;"
                        + " those that are: [users]")
                .contains("since latchkey.plugins does not name them: [http-directory]");
    }

    @Test
    void nothingIsTold_whereAllIsAsked(CapturedOutput output) {
        service.withPropertyValues(
                        "latchkey.plugins=users,http-directory", "latchkey.plugin.http-directory.service-key=x")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("Auth plugins, in order: [users, http-directory]")
                .doesNotContain("not asked", "is asked;");
    }

    @Test
    void emptyEntry_isAnErrorThatSaysSo() {
        service.withPropertyValues("latchkey.plugins=users,,http-directory")
                .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey.plugins has an empty entry"));
    }

    @Test
    void factorysRootCause_isInTheMessage() {
        service.withPropertyValues("latchkey.plugins=http-directory", "latchkey.plugin.http-directory.service-key=down")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Plugin 'http-directory' could not be made")
                        .hasMessageContaining("caused by java.io.IOException: connection refused"));
    }

    @Test
    void wrongSettingsOfAllPlugins_areToldAtOnce_withTheFileAndLine_withoutTheValues() throws IOException {
        Path file = Files.writeString(jar.resolve("plugins.properties"), """
                latchkey.plugins=emea,apac
                latchkey.plugin.emea.type=http-directory
                latchkey.plugin.emea.timeout=PT999H
                latchkey.plugin.emea.max-concurrent=0
                latchkey.plugin.apac.type=http-directory
                latchkey.plugin.apac.service-key=of-apac
                latchkey.plugin.apac.servicekye=hunter3
                """);
        service.withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + file.toUri())
                .run(context -> assertThat(problemsOf(context))
                        .hasSize(4)
                        .satisfiesExactly(
                                problem -> assertThat(problem)
                                        .isEqualTo(
                                                "Plugin 'emea': Set latchkey.plugin.emea.service-key: it is required"),
                                problem -> assertThat(problem)
                                        .startsWith("Plugin 'emea': latchkey.plugin.emea.timeout must be from 1ms to 1m"
                                                + " (set in ")
                                        .contains("plugins.properties]", "3:30"),
                                problem -> assertThat(problem)
                                        .contains("max-concurrent must be a positive number (set in", "4:37"),
                                problem -> assertThat(problem)
                                        .startsWith("Plugin 'apac': There is no setting"
                                                + " latchkey.plugin.apac.servicekye (set in ")
                                        .contains(
                                                "7:33", "the settings are max-concurrent, service-key, timeout, type"))
                        .noneMatch(problem -> problem.contains("hunter") || problem.contains("PT999H")));
    }

    @Test
    void wrongEnvironmentVariable_isNamed() {
        service.withInitializer(context -> TestPropertyValues.of("LATCHKEY_PLUGIN_HTTPDIRECTORY_TIMEOUT=soon")
                        .applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT))
                .withPropertyValues("latchkey.plugins=http-directory", "latchkey.plugin.http-directory.service-key=x")
                .run(context -> assertThat(problemsOf(context))
                        .singleElement()
                        .asString()
                        .contains("timeout must be", "LATCHKEY_PLUGIN_HTTPDIRECTORY_TIMEOUT")
                        .doesNotContain("soon"));
    }

    @Test
    void settingsOfABean_areRefused_sinceNoCodeReadsThem() {
        service.withBean("robots", AuthPlugin.class, () -> () -> "robots")
                .withPropertyValues("latchkey.plugin.robots.timeout=1s")
                .run(context -> assertThat(problemsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith("Plugin 'robots': ")
                        .contains("There is no setting latchkey.plugin.robots.timeout (set in ", "made in code"));
    }

    @Test
    void boundOfABean_isTheServices_andChecked() {
        service.withBean("robots", AuthPlugin.class, () -> () -> "robots")
                .withPropertyValues("latchkey.plugin.robots.max-concurrent=3")
                .run(context -> assertThat(context).hasNotFailed());
        service.withBean("robots", AuthPlugin.class, () -> () -> "robots")
                .withPropertyValues("latchkey.plugin.robots.max-concurrent=0")
                .run(context -> assertThat(problemsOf(context))
                        .singleElement()
                        .asString()
                        .contains("latchkey.plugin.robots.max-concurrent must be a positive number")
                        .doesNotContain("made in code"));
    }

    @Test
    void jarForAnotherVersionOfTheSpi_stopsTheStart_evenIfThePluginIsNotNamed() throws IOException {
        Files.writeString(
                jar.resolve("META-INF/services").resolve(AuthPluginFactory.class.getName()), Later.class.getName());
        service.withPropertyValues("latchkey.plugins=users")
                .run(context -> assertThat(problemsOf(context))
                        .singleElement()
                        .asString()
                        .contains(
                                Later.class.getName(), "was built for version " + (AuthPluginFactory.SPI_VERSION + 1)));
    }

    @Test
    void clockMetersAndHealth_areThoseOfTheService() {
        List<AuthEvent> heard = new ArrayList<>();
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        service.withBean(AuthListener.class, () -> heard::add)
                .withBean("latchkeyClock", InstantSource.class, () -> clock)
                .withPropertyValues("latchkey.plugins=http-directory", "latchkey.plugin.http-directory.service-key=x")
                .run(context -> assertThat(context.getBean(AuthChain.class).pluginsDown())
                        .containsExactly("http-directory"));
        assertThat(heard).containsExactly(new AuthEvent.Counted("http-directory", "made_in_1970"));
    }

    private static List<String> problemsOf(AssertableWebApplicationContext context) {
        Throwable failure = NestedExceptionUtils.getRootCause(context.getStartupFailure());
        assertThat(failure).isInstanceOf(PluginSelectionException.class);
        return ((PluginSelectionException) failure).mistakes();
    }

    /** What a jar on the class path brings. */
    public static class HttpDirectory implements AuthPluginFactory {

        static final List<String> MADE = new ArrayList<>();

        private static final PluginSetting<String> KEY =
                PluginSetting.text("service-key", "the key of the service").required();
        private static final PluginSetting<Duration> TIMEOUT = PluginSetting.duration("timeout", "of a call")
                .within("1ms", "1m")
                .withDefault("2s");

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public String type() {
            return "http-directory";
        }

        @Override
        public List<PluginSetting<?>> settings() {
            return List.of(KEY, TIMEOUT);
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            String key = environment.get(KEY);
            if (key.equals("down")) {
                throw new IllegalStateException("not reached", new IOException("connection refused"));
            }
            String name = environment.name();
            MADE.add(name + " " + key);
            environment.count("made_in_"
                    + environment.clock().instant().atOffset(ZoneOffset.UTC).getYear());
            environment.reportOutage();
            return () -> name;
        }
    }

    public static final class Later extends HttpDirectory {

        @Override
        public int spiVersion() {
            return SPI_VERSION + 1;
        }
    }
}
