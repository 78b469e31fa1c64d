package dev.latchkey.auth.password.migration.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.Foreign;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
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
        return run(input.getBytes(StandardCharsets.UTF_8), args);
    }

    private int run(byte[] input, String... args) {
        return new PasswordTool(new ByteArrayInputStream(input), printer(out), printer(err)).run(args);
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
                .anyMatch(line -> line.matches("2 +ssha +upgrade +a fast digest: .*"))
                .anyMatch(line -> line.startsWith("1  unknown"))
                .anyMatch(line -> line.startsWith("1  noop") && line.contains("refused"))
                .anyMatch(line -> line.equals("4  in all"));
        assertThat(printed()).doesNotContain("TmX8", "hunter2", "nonsense");
    }

    /** There, … stands for any text. */
    @Test
    void identify_printsTheLinesOfTheGuide() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to", "move-hashes.md"));
        assertThat(run(OLD + "\n" + OLD + "\n{noop}hunter2\n", "identify", "-")).isZero();
        assertThat(printed().lines().filter(line -> !line.isBlank()))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(page.lines())
                        .anyMatch(shown -> !shown.isBlank()
                                && withoutBlanks(line)
                                        .matches("\\Q" + withoutBlanks(shown).replace("…", "\\E.*\\Q") + "\\E")));
    }

    private static String withoutBlanks(String line) {
        return line.replace(" ", "");
    }

    @Test
    void identify_readsAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("hashes.txt");
        Files.writeString(file, OLD + "\n$1$Vrs.7CF8$3xz8hABaGekTRGWgdX/lf1\n3\n");

        assertThat(run("", "identify", file.toString())).isZero();
        assertThat(printed()).contains("ssha", "md5-crypt", "unknown");
    }

    @Test
    void hash_readsThePasswordFromStandardInput() {
        assertThat(run("correct horse\n", "hash", "bcrypt")).isZero();

        assertThat(Foreign.encoders().matches("correct horse", printed().strip()))
                .isTrue();
    }

    @Test
    void identify_takesTheServicesOwnSpec_forWhatIsCurrent() {
        String bcrypt = "{bcrypt}$2b$10$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS\n";

        run(bcrypt, "identify", "-", "bcrypt:cost=10");
        run(bcrypt, "identify", "-", "bcrypt:cost=12");

        assertThat(printed()).contains("current").contains("costs less than cost=12");
    }

    /** A row of gigabytes is valid, for every heap of this JVM. */
    @Test
    void identify_measuresRowsByTheCeilingsOnly() {
        run(
                "$argon2id$v=19$m=1048576,t=4,p=1$c29tZXNhbHRvZm1pbmUhIQ$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4\n",
                "identify",
                "-");

        assertThat(printed()).contains("m=1048576,t=4,p=1", "current");
    }

    @Test
    void identify_readsAsciiHashesBesideLinesInAnyEncoding() {
        ByteArrayOutputStream latin1 = new ByteArrayOutputStream();
        latin1.writeBytes(("J\u00fcrgen\r\n" + OLD + "\r\n").getBytes(StandardCharsets.ISO_8859_1));

        assertThat(run(latin1.toByteArray(), "identify", "-")).isZero();
        assertThat(printed()).contains("ssha", "1  unknown");
    }

    @Test
    void identify_dropsTheMarkAtTheStart() {
        assertThat(run("\ufeff" + OLD + "\n", "identify", "-")).isZero();
        assertThat(printed()).contains("ssha").doesNotContain("unknown");
    }

    @Test
    void identifyOfNothing_countsNothing() {
        assertThat(run("", "identify", "-")).isZero();
        assertThat(printed()).contains("0  in all");
    }

    @Test
    void lineWithoutAnEnd_isRefusedWithItsNumber() {
        String long1 = OLD + "\n" + "x".repeat(BoundedLines.MAX_CHARACTERS);

        assertThat(run(long1, "identify", "-")).isZero();
        assertThat(run(long1 + "x", "identify", "-")).isEqualTo(1);
        assertThat(said()).isEqualTo("Line 2 has more than 1048576 characters; is this a file of lines?");
        assertThat(run("x".repeat(BoundedLines.MAX_CHARACTERS + 1), "hash", "bcrypt"))
                .isEqualTo(1);
    }

    @Test
    void manyKinds_areCountedTogetherBeyondWhatSomebodyReads() {
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i <= HashReport.MAX_KINDS + 5; i++) {
            rows.append("$pbkdf2-sha256$i=")
                    .append(i)
                    .append("$c2FsdHNhbHQ$")
                    .append("A".repeat(43))
                    .append('\n');
        }
        rows.append("$pbkdf2-sha256$i=1$c2FsdHNhbHQ$").append("A".repeat(43)).append('\n');

        run(rows.toString(), "identify", "-");

        assertThat(printed().lines().map(String::strip))
                .contains("5  of more than 1000 kinds", "1006  in all")
                .anyMatch(line -> line.matches("2 +pbkdf2-sha256 +i=1 .*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE"})
    void utf16_isSaidToBeUtf16(String charset) {
        assertThat(run(OLD.getBytes(Charset.forName(charset)), "identify", "-")).isEqualTo(1);
        assertThat(said()).contains("Line 1 has a zero character: the input is UTF-16");
    }

    @Test
    void passwordThatIsNotUtf8_isRefused_notReplaced() {
        assertThat(run(new byte[] {'p', (byte) 0xe4, 's', 's', '\n'}, "hash", "bcrypt"))
                .isEqualTo(1);
        assertThat(said()).isEqualTo("The input is not UTF-8");
        assertThat(printed()).isEmpty();
    }

    @Test
    void fileThatIsNotThereOrNoFile_isSaidToBe(@TempDir Path folder) {
        assertThat(run("", "identify", "/no/such/file")).isEqualTo(1);
        assertThat(said()).isEqualTo("There is no file /no/such/file");
        err.reset();
        assertThat(run("", "identify", folder.toString())).isEqualTo(1);
        assertThat(said()).startsWith("The input cannot be read: ");
    }

    /** A full disk, or a reader that has gone: a script must not take an empty file for a report. */
    @Test
    void outputThatCannotBeWritten_isAFailure() {
        PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                },
                false,
                StandardCharsets.UTF_8);

        assertThat(new PasswordTool(InputStream.nullInputStream(), full, printer(err)).run("help"))
                .isEqualTo(1);
        assertThat(said()).isEqualTo("The output could not be written");
    }

    @Test
    void help_isNoMistake() {
        assertThat(run("", "--help")).isZero();
        assertThat(printed()).contains("identify FILE", "hash [SPEC]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "hash sha1",
                "hash bcrypt:cost=4",
                "hash",
                "identify",
                "identify - x",
                "identify - bcrypt more",
                "secret"
            })
    void mistake_isExitCodeTwo_withTheRuleAndTheUsage(String line) {
        assertThat(run("", line.split(" ", -1))).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("identify FILE")
                .doesNotContain("Exception");
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8).strip();
    }
}
