package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSettingTest {

    @ParameterizedTest
    @CsvSource({
        "file:/run/secrets/jwt.key, /run/secrets/jwt.key",
        "file:///run/secrets/jwt.key, /run/secrets/jwt.key",
        "file:jwt.key, jwt.key"
    })
    void file_isNamed(String setting, Path file) {
        assertThat(SecretSetting.file(Secret.of(setting))).isEqualTo(file);
    }

    /** A slash is a character of Base64. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/zG7+Qk4V0h/aGVsbG8=", "a b.c-d_e", "FILE:x", "~", "a/../no-such-file"})
    void otherText_isTheSecretItself(String setting) {
        assertThat(SecretSetting.file(Secret.of(setting))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/run/secrets/jwt.key", "/run/jwt-key", "./jwt", "../jwt", "~/jwt", "C:\\jwt", "c:/jwt"})
    void pathThatIsNotHere_isNoSecret(String setting) {
        assertRefused(setting, "is the path of a file, and no secret");
    }

    @Test
    void pathOfAFileOrDirectoryThatIsHere_isNoSecret() throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "aFolderOfThisTest"));
        Path file = folder.resolve("aFile");
        Files.deleteIfExists(file);
        Files.createFile(file);
        assertRefused("target/aFolderOfThisTest", "is the path of a file, and no secret");
        assertRefused("target/aFolderOfThisTest/aFile", "is the path of a file, and no secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:", "file:  ", "file:a\0b"})
    void fileWithoutAName_isRefused(String setting) {
        assertRefused(setting, "begins with file: and names no file");
    }

    private static void assertRefused(String setting, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretSetting.file(Secret.of(setting)))
                .withMessage(reason);
    }
}
