package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginSelectionException;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/** Which plugins a configuration selects, with which settings, and what it is told about its mistakes. */
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
                        .hasMessage("Plugin 'http-directory' knows no latchkey.plugin.http-directory.servicekye;"
                                + " it knows max-concurrent, service-key, type"));
    }

    @Test
    void settingsOfAPluginThatIsNotAsked_areTold(CapturedOutput output) {
        service.withPropertyValues("latchkey.plugins=users", "latchkey.plugin.htpt-directory.service-key=x")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("latchkey.plugin.htpt-directory.* is set, and no auth plugin of that name is asked;"
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

    /** What a jar on the class path brings. */
    public static final class HttpDirectory implements AuthPluginFactory {

        static final List<String> MADE = new ArrayList<>();

        @Override
        public String type() {
            return "http-directory";
        }

        @Override
        public AuthPlugin create(String name, PluginConfig config) {
            String key = config.text("service-key").orElseThrow(config.missing("service-key"));
            if (key.equals("down")) {
                throw new IllegalStateException("not reached", new IOException("connection refused"));
            }
            MADE.add(name + " " + key);
            return () -> name;
        }
    }
}
