package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The service's log at TRACE, and the plugin's own texts, have no password. */
@ExtendWith(OutputCaptureExtension.class)
class SecretsInLogsTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Service {}

    @Test
    void passwords_areInNoLine_atTrace(CapturedOutput output) throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                ConfigurableApplicationContext service = service(directory)) {
            AuthChain chain = service.getBean(AuthChain.class);
            chain.authenticate(Plugins.login("ada", TestDirectory.PASSWORD));
            chain.authenticate(Plugins.login("ada", "Incorrect-Horse"));
            chain.authenticate(Plugins.login("nobody", "Incorrect-Horse"));
            directory.stop();
            Assertions.assertThatThrownBy(
                            () -> chain.authenticate(Plugins.login("grace", TestDirectory.OTHER_PASSWORD)))
                    .isInstanceOf(AuthUnavailableException.class);
        }
        assertThat(output.getAll())
                .contains("TRACE")
                .contains("The directory of 'ldap' gave no answer")
                .doesNotContain(
                        TestDirectory.PASSWORD,
                        TestDirectory.OTHER_PASSWORD,
                        "Incorrect-Horse",
                        TestDirectory.SERVICE_PASSWORD);
    }

    private static ConfigurableApplicationContext service(TestDirectory directory) {
        SpringApplication service = new SpringApplication(Service.class);
        service.setWebApplicationType(WebApplicationType.SERVLET);
        Map<String, Object> all =
                new HashMap<>(Map.of("server.port", "0", "logging.level.root", "TRACE", "latchkey.plugins", "ldap"));
        directory.settings().forEach((key, value) -> all.put("latchkey.plugin.ldap." + key, value));
        service.setDefaultProperties(all);
        return service.run();
    }

    @Test
    void settingsAndPlugin_sayNothingSecretOfThemselves() throws Exception {
        try (TestDirectory directory = TestDirectory.start()) {
            PluginConfig config = Plugins.config(directory.settings());
            try (AuthPlugin plugin = Plugins.of(directory.settings())) {
                assertThat(List.of(
                                config.toString(),
                                LdapSettings.of(Plugins.environment(config)).toString(),
                                plugin.toString()))
                        .allSatisfy(text -> assertThat(text).doesNotContain(TestDirectory.SERVICE_PASSWORD));
            }
        }
    }

    /** A mistake outside of the settings is a warning at the start, and the service starts. */
    @Test
    void serviceAccountThatIsRefused_isAWarningAtTheStart(CapturedOutput output) throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                AuthPlugin plugin = new LdapPluginFactory()
                        .create(Plugins.environment(
                                Plugins.config(directory.settings(), "bind-password", "Wrong-Secret-1")))) {
            assertThat(plugin.name()).isEqualTo("ldap");
            assertThat(output.getAll())
                    .contains("WARN")
                    .contains("look at bind-dn and bind-password-file")
                    .doesNotContain("Wrong-Secret-1");
        }
    }
}
