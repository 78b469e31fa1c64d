package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.plugins.passkeys.OwnPasskeys;
import dev.latchkey.plugins.passkeys.PasskeysPlugin;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** The effect of the settings, and the messages about wrong settings. */
class PasskeysAutoConfigurationTest {

    private final WebApplicationContextRunner service = new WebApplicationContextRunner()
            .withUserConfiguration(Services.ServletService.class)
            .withPropertyValues(Services.properties());

    @ParameterizedTest
    @CsvSource({
        "latchkey.plugin.passkeys.key-file=/nowhere,/nowhere",
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
