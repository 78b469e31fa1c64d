package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A secret of hexadecimal digits, which is valid Base64 of another key. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class HexadecimalSecretTest {

    private static final String WARNING = "latchkey.jwt.secret consists of hexadecimal digits";
    private static final String DIGITS = "93c1a5e07b2d4f68".repeat(8);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {64, 96, 128})
    void hexadecimalDigits_areOneWarning_withoutTheSecret(int length, CapturedOutput log) throws Exception {
        Path file = Files.writeString(directory.resolve("jwt.key"), DIGITS.substring(0, length) + "\n");
        start("file:" + file);
        assertThat(log.getAll().split(WARNING, -1)).hasSize(2);
        start(DIGITS.substring(0, length));
        assertThat(log.getAll().split(WARNING, -1)).hasSize(3);
        assertThat(log).contains("WARN", "openssl rand -base64 32").doesNotContain(DIGITS.substring(0, 16));
    }

    @Test
    void otherSecrets_areNoWarning(CapturedOutput log) {
        start(Services.KEY);
        start(DIGITS.substring(0, 68));
        start(DIGITS.substring(0, 63) + "g");
        start(DIGITS.substring(0, 64), "latchkey.jwt.secret-encoding=text");
        assertThat(log).doesNotContain(WARNING);
    }

    private static void start(String secret, String... more) {
        Services.web()
                .withPropertyValues("latchkey.jwt.secret=" + secret)
                .withPropertyValues(more)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
