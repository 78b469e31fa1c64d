package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordToolTest {

    private static final String OLD = "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String input, String... args) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return new PasswordTool(in, printer(out), printer(err)).run(args);
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void identify_countsWhatALineHolds_andPrintsNoHash() {
        assertThat(run(OLD + "\n" + OLD + "\n\nnonsense\n{noop}hunter2\n", "identify", "-"))
                .isZero();

        assertThat(printed().lines().map(String::strip))
                .anyMatch(line -> line.matches("2 +ssha +upgrade +not argon2id"))
                .anyMatch(line -> line.startsWith("1  unknown"))
                .anyMatch(line -> line.startsWith("1  noop") && line.contains("refused"))
                .anyMatch(line -> line.equals("4  in all"));
        assertThat(printed()).doesNotContain("TmX8", "hunter2", "nonsense");
    }

    @Test
    void identify_readsAColumnOfAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("users.csv");
        Files.writeString(file, "1;ann;\"" + OLD + "\"\n2;bob;$1$Vrs.7CF8$3xz8hABaGekTRGWgdX/lf1\n3\n");

        assertThat(run("", "identify", file.toString(), "3", ";")).isZero();
        assertThat(printed()).contains("ssha", "md5-crypt", "unknown");
    }

    @Test
    void hash_readsThePasswordFromStandardInput() {
        assertThat(run("correct horse\n", "hash", "bcrypt")).isZero();

        assertThat(Cheap.encoders().matches("correct horse", printed().strip())).isTrue();
    }

    @Test
    void secretAndPassword_areRandom() {
        assertThat(run("", "secret", "48")).isZero();
        assertThat(printed().strip()).matches("[A-Za-z0-9_-]{64}");
        out.reset();
        assertThat(run("", "password")).isZero();
        assertThat(printed().strip()).hasSize(23);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "secret 31",
                "secret x",
                "secret 2000",
                "password 1",
                "hash sha1",
                "hash bcrypt:cost=4",
                "hash",
                "identify /no/such/file",
                "identify - x",
                "calibrate 0",
                "calibrate 99999",
                "calibrate 5 0"
            })
    void mistake_isExitCodeTwo_withTheRuleAndTheUsage(String line) {
        assertThat(run("", line.split(" ", -1))).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("identify FILE")
                .doesNotContain("Exception");
    }
}
