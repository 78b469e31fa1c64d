package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.factory.PluginConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HexKeyFileTest {

    @TempDir
    private Path folder;

    @Test
    void keyOfAFile_isItsDigits() throws Exception {
        Path file = Files.writeString(folder.resolve("a.key"), "0f".repeat(32) + "\n");
        assertThat(HexKeyFile.read("a.key-file", file).length()).isEqualTo(HexKeyFile.KEY_BYTES);
    }

    @Test
    void missingFile_isMadeWithACommand() {
        assertThat(mistake(folder.resolve("a.key")))
                .startsWith("a.key-file: The key file " + folder.resolve("a.key") + " does not exist.")
                .contains("openssl rand -hex 32 > " + folder.resolve("a.key"), "backup");
    }

    /** The command would destroy the key of a file that lost a digit, and each other file named by mistake. */
    @Test
    void fileThatIsThere_isNeverOverwritten() throws Exception {
        Path shorter = Files.writeString(folder.resolve("shorter.key"), "0f".repeat(31) + "0");
        Path binary = Files.write(folder.resolve("binary.key"), new byte[] {-1, -2});
        for (Path file : new Path[] {shorter, binary, folder}) {
            assertThat(mistake(file))
                    .startsWith("a.key-file: The key file " + file)
                    .contains("backup")
                    .doesNotContain("> " + file, "0f0f");
        }
    }

    @Test
    void oneDigit_isNoKey() throws Exception {
        assertThat(mistake(Files.writeString(folder.resolve("zeros.key"), "0".repeat(64))))
                .contains("no random key", "backup");
    }

    /** As a trailing comma in a list of files. */
    @Test
    void emptyEntry_isNamed() {
        assertThat(mistake(null)).startsWith("a.key-file has an empty entry");
    }

    private static String mistake(@Nullable Path file) {
        return assertThatExceptionOfType(PluginConfigException.class)
                .isThrownBy(() -> HexKeyFile.read("a.key-file", file))
                .actual()
                .getMessage();
    }
}
