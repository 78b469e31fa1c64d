package dev.latchkey.plugins.apikeys;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDigestsTest {

    private static final String HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final byte[] TEXT =
            "lk_0123456789AB_0123456789012345678901234567890123456789012xxxxxx".getBytes(US_ASCII);

    /** HMAC-SHA-256 of the secret and the binding under 32 zero bytes, computed by another program. */
    private static final String KNOWN = "b20e320b896d3e864e69280ea71993d2f64c4bef87f45684a3d185826a4d32dd";

    @Test
    void digest_isTheHmacOfTheSecretAndWhatItIsBoundTo() {
        KeyDigests digests = KeyDigests.of(Secret.of(new byte[32]));
        String digest = digests.digest(TEXT, 16, "binding".getBytes(US_ASCII));
        assertThat(digest).isEqualTo(digests.currentId() + "." + KNOWN);
        assertThat(digests.expected(digest).matches(TEXT, 16, "binding".getBytes(US_ASCII)))
                .isTrue();
        assertThat(digests.expected(digest).matches(TEXT, 16, "Binding".getBytes(US_ASCII)))
                .isFalse();
        assertThat(digests.expected(digest).matches(TEXT, 15, "binding".getBytes(US_ASCII)))
                .isFalse();
        assertThat(digests.nothing().matches(TEXT, 16, "binding".getBytes(US_ASCII)))
                .isFalse();
    }

    @Test
    void storedTextThatIsNoDigest_isAnOutage() {
        KeyDigests digests = KeyDigests.of(Secret.of(new byte[32]));
        for (String stored : List.of("", ".", "x", "x.00", digests.currentId() + ".0", digests.currentId() + ".zz")) {
            assertThatThrownBy(() -> digests.expected(stored)).isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void keyOfAnotherLength_isRefused() {
        assertThatThrownBy(() -> KeyDigests.of(Secret.of(new byte[31])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("HMAC-SHA-256 needs 32 key bytes here, got 31");
    }

    @Test
    void keyFile_isWhatOpensslWrites(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("keys.key"), HEX + "\n");
        KeyDigests read = KeyDigests.fromFiles(file, List.of());
        assertThat(read.toString()).contains(read.currentId()).doesNotContain("00010203");
        assertThat(KeyDigests.fromFiles(file, List.of(file)).currentId()).isEqualTo(read.currentId());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00010203",
                HEX + "00",
                HEX + " " + HEX,
                "zz0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
            })
    void badKeyFile_isNamed_andWhatItHoldsIsNot(String content, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("keys.key"), content);
        assertThatThrownBy(() -> KeyDigests.fromFiles(file, List.of()))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("openssl rand -hex 32")
                .hasMessageNotContaining("> " + file)
                .hasMessageNotContaining("000102");
    }

    @Test
    void missingKeyFile_andOneThatIsNoText_areNamed(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing.key");
        Path binary = Files.write(folder.resolve("binary.key"), new byte[] {-1, -2});
        for (Path file : List.of(missing, binary)) {
            assertThatThrownBy(() -> KeyDigests.fromFiles(file, List.of()))
                    .isInstanceOf(PluginConfigException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}
