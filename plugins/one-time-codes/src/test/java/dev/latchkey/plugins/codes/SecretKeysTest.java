package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.codes.SecretKeys.Column;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretKeysTest {

    private static final byte[] PLAIN = {1, 2, 3};
    private static final String HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    private final SecretKeys keys = SecretKeys.of(key(1));

    private static Secret key(int first) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) first;
        return Secret.of(bytes);
    }

    @Test
    void sealedSecret_isOpenedInItsOwnRowOnly() {
        String sealed = keys.seal("ada", Column.IN_USE, PLAIN);
        assertThat(keys.open("ada", Column.IN_USE, sealed)).isEqualTo(PLAIN);
        assertThatThrownBy(() -> keys.open("bob", Column.IN_USE, sealed))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("another account's");
        assertThatThrownBy(() -> keys.open("ada", Column.PENDING, sealed)).isInstanceOf(AuthUnavailableException.class);
        assertThat(keys.seal("ada", Column.IN_USE, PLAIN))
                .as("a nonce is used once")
                .isNotEqualTo(sealed);
    }

    @Test
    void changedSecret_isNotOpened() {
        String sealed = keys.seal("ada", Column.IN_USE, PLAIN);
        for (int i = sealed.indexOf('.') + 1; i < sealed.length(); i++) {
            char other = sealed.charAt(i) == '0' ? '1' : '0';
            String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
            assertThatThrownBy(() -> keys.open("ada", Column.IN_USE, changed))
                    .isInstanceOf(AuthUnavailableException.class);
        }
        String id = keys.currentId();
        for (String other : List.of("", ".", "x.y", id, id + ".", id + ".0", id + ".zz", id + ".00")) {
            assertThatThrownBy(() -> keys.open("ada", Column.IN_USE, other))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void formerKey_opensAndDoesNotSeal() {
        String old = keys.seal("ada", Column.IN_USE, PLAIN);
        SecretKeys rotated = SecretKeys.of(key(2), key(1));
        assertThat(rotated.open("ada", Column.IN_USE, old)).isEqualTo(PLAIN);
        assertThat(rotated.isCurrent(old)).isFalse();
        assertThat(keys.currentId()).matches("[0-9a-f]{16}").isNotEqualTo(rotated.currentId());
        assertThat(rotated.isCurrent(rotated.seal("ada", Column.IN_USE, PLAIN))).isTrue();
        assertThatThrownBy(() -> SecretKeys.of(key(2)).open("ada", Column.IN_USE, old))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining(keys.currentId());
    }

    @Test
    void keyOfAnotherLength_isRefused() {
        assertThatThrownBy(() -> SecretKeys.of(Secret.of(new byte[31])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("AES-256 needs 32 key bytes, got 31");
    }

    @Test
    void keyFile_isWhatOpensslWrites(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("codes.key"), HEX + "\n");
        SecretKeys read = SecretKeys.fromFiles(file, List.of());
        assertThat(read.toString()).contains(read.currentId()).doesNotContain("00010203");
        assertThat(SecretKeys.fromFiles(file, List.of(file)).currentId()).isEqualTo(read.currentId());
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
        Path file = Files.writeString(folder.resolve("codes.key"), content);
        assertThatThrownBy(() -> SecretKeys.fromFiles(file, List.of()))
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
            assertThatThrownBy(() -> SecretKeys.fromFiles(file, List.of()))
                    .isInstanceOf(PluginConfigException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}
