package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPluginTest {

    @Test
    void unknownPlugin_keepsTheServiceFromStarting_andTheMessageSaysWhatThereIs(
            CapturedOutput output, @TempDir Path folder) {
        assertThatThrownBy(() -> QuickstartApplication.main(new String[] {
                    "--server.port=0",
                    "--spring.datasource.url=jdbc:h2:mem:unknown-plugin",
                    "--quickstart.signing-key=" + folder.resolve("signing.key"),
                    "--quickstart.codes-key=" + folder.resolve("codes.key"),
                    "--quickstart.passkeys-key=" + folder.resolve("passkeys.key"),
                    "--latchkey.plugins=users,jwtt,one-time-codes,passkeys"
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "No plugin is named 'jwtt'; there are: api-key, jwt, one-time-codes, passkeys, permissions, users")
                .doesNotContain("\tat ");
    }
}
