package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {

    @TempDir
    Path folder;

    @Test
    void key_isReadFromEitherAlphabet_andFromLines() throws IOException {
        byte[] key = new byte[72];
        new SecureRandom().nextBytes(key);
        for (Base64.Encoder encoder : new Base64.Encoder[] {
            Base64.getEncoder(), Base64.getUrlEncoder().withoutPadding(), Base64.getMimeEncoder(64, new byte[] {'\n'}),
        }) {
            assertThat(KeyFile.read(file(encoder.encodeToString(key) + "\n")).withBytes(byte[]::clone))
                    .isEqualTo(key);
        }
    }

    @Test
    void fileThatIsNoHmacKey_isNoKeyForOtherUsesEither() throws IOException {
        for (String text : new String[] {
            "",
            "not a key!",
            Base64.getEncoder().encodeToString(new byte[16]),
            Base64.getEncoder().encodeToString(new byte[48]),
            "A".repeat(5000),
        }) {
            Path file = file(text);
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> HmacKey.ofFile(file));
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> KeyFile.read(file));
        }
        assertThatThrownBy(() -> KeyFile.read(folder.resolve("none"))).isInstanceOf(IOException.class);
    }

    @Test
    void keyOf4096Characters_isRead_andOneOfMoreIsNot() throws IOException {
        String longest = "AbCd".repeat(1024);
        assertThat(KeyFile.read(file(longest)).<Integer>withBytes(key -> key.length))
                .isEqualTo(3072);
        Path longer = file(longest + "\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFile.read(longer))
                .withMessageContaining("4096");
    }

    @Test
    void bytesOfTheKey_areWipedOnceTheyWereUsed() throws IOException {
        byte[] key = KeyFile.read(file("AbCd".repeat(16)), bytes -> {
            assertThat(bytes).hasSize(48).doesNotContain(0);
            return bytes;
        });
        assertThat(key).containsOnly(0);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("key"), text);
    }
}
