package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.SharedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** If a property has the key in place of the file name, the message must not print the key. */
class KeyInPlaceOfItsFileTest {

    @ParameterizedTest
    @CsvSource({
        "latchkey.jwt.verifying-secret-files[0], latchkey.jwt.secret=" + Services.KEY,
        "latchkey.password.pepper-files.new, latchkey.password.pepper=new"
    })
    void start_ends_andNamesThePropertyAlone(String property, String other) {
        Services.web()
                .withPropertyValues("latchkey.password.encoding=bcrypt:cost=10", other, property + "=" + Services.KEY)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .isInstanceOf(LatchkeyConfigurationException.class)
                                .hasMessage(
                                        property
                                                + ": the file cannot be read: java.nio.file.NoSuchFileException, and its name may be the key itself"));
    }

    /** A service with shared limits needs a store as well; only the key is read here. */
    @Test
    void keyOfSharedLimits_isNotToldEither() {
        GuardProperties.Shared shared = new GuardProperties.Shared(true, Secret.of("file:" + Services.KEY));
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> SharedKey.of(shared))
                .withMessageStartingWith("latchkey.guard.shared.secret: the file cannot be read")
                .withMessageNotContaining(Services.KEY);
    }

    @Test
    void pathOfAFile_isNoSecret(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a-path-of-at-least-32-characters.key"), Services.KEY);
        Secret path = Secret.of(file.toString());
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> SharedKey.of(new GuardProperties.Shared(true, path)))
                .withMessage("latchkey.guard.shared.secret is the path of a file, and no secret");
        Services.web()
                .withPropertyValues("latchkey.jwt.secret-encoding=text", "latchkey.jwt.secret=" + file)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("latchkey.jwt.secret is the path of a file, and no secret"));
    }

    /** The folder is that of another machine, and the name of a key file alone has 32 characters. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/run/secrets/orders/limits-of-the-shop.key",
                "./secrets/of/this/service/limits/shared",
                "C:\\secrets\\of\\this\\service\\limits\\shared"
            })
    void pathOfAFileThatIsNotHere_isNoSecretEither(String path) {
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> SharedKey.of(new GuardProperties.Shared(true, Secret.of(path))))
                .withMessage("latchkey.guard.shared.secret is the path of a file, and no secret");
    }

    @Test
    void secretOfAClient_mayBeInAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("shop"), "0123456789-abcdefghijkl\n");
        ClientProperties client = new ClientProperties(Secret.of("file:" + file), null);
        assertThat(client.secret().<String>withText(CharSequence::toString)).isEqualTo("0123456789-abcdefghijkl");
    }

    @ParameterizedTest
    @CsvSource({
        "file:/no/such/client.secret, the file cannot be read",
        "/no/such/folder/client.secret, is the path of a file",
        "file:, names no file"
    })
    void secretOfAClientThatIsNotThere_isNoText(String secret, String message) {
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> new ClientProperties(Secret.of(secret), null))
                .withMessageStartingWith("latchkey.login.clients.<id>.secret")
                .withMessageContaining(message);
    }

    @Test
    void fileOfAClient_thatIsEmptyOrTooLong_isNoSecret(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        Path large = Files.writeString(folder.resolve("large"), "x".repeat(4_097));
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> new ClientProperties(Secret.of("file:" + empty), null))
                .withMessageContaining("0 characters");
        assertThatExceptionOfType(LatchkeyConfigurationException.class)
                .isThrownBy(() -> new ClientProperties(Secret.of("file:" + large), null))
                .withMessageContaining("more than 4096 bytes");
    }
}
