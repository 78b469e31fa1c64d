package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hashes made by the tools themselves; {@code make-vectors.sh} and {@code make-more-vectors.sh} beside the files made them. */
@Tag("long")
class RealToolHashesTest {

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    /** One line of the file. */
    record MadeHash(String tool, String algorithm, String password, String hash) {
        @Override
        public String toString() {
            return tool + ", " + password.length() + " characters";
        }
    }

    static List<MadeHash> hashes() {
        return Stream.of("real-tool-hashes.tsv", "more-tool-hashes.tsv")
                .flatMap(RealToolHashesTest::linesOf)
                .map(line -> made(line.split("\t", -1)))
                .toList();
    }

    private static Stream<String> linesOf(String file) {
        try (InputStream in = RealToolHashesTest.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MadeHash made(String[] fields) {
        String password = new String(HexFormat.of().parseHex(fields[2]), StandardCharsets.UTF_8);
        return new MadeHash(fields[0], fields[1], password, fields[3]);
    }

    @ParameterizedTest
    @MethodSource("hashes")
    void hashOfARealTool_matchesItsPassword_andNoOther(MadeHash made) {
        assertThat(ENCODERS.matches(made.password, made.hash)).isTrue();
        assertThat(ENCODERS.matches("!" + made.password, made.hash)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("hashes")
    void hashOfARealTool_isIdentified(MadeHash made) {
        HashInfo info = ENCODERS.identify(made.hash);

        assertThat(info.algorithm()).isEqualTo(made.algorithm);
        assertThat(info.standing()).isIn(HashInfo.Standing.UPGRADE, HashInfo.Standing.CURRENT);
    }

    @Test
    void theFileHoldsEveryTool() {
        Stream<String> tools =
                hashes().stream().map(made -> made.tool.split(" ", -1)[0]).distinct();

        assertThat(tools)
                .containsExactlyInAnyOrder(
                        "htpasswd",
                        "openssl",
                        "mkpasswd",
                        "php",
                        "slappasswd",
                        "argon2",
                        "passlib",
                        "django",
                        "grub-mkpasswd-pbkdf2",
                        "wordpress",
                        "drupal",
                        "postgresql",
                        "firebase",
                        "scramp",
                        "werkzeug",
                        "aspnet",
                        "keycloak");
    }
}
