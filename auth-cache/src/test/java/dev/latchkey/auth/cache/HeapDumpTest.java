package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trino, Elytron and Rundeck kept the password itself. A child JVM logs in, hits, and dumps its live heap; the
 * password is searched for in the dump, in every form that a JVM keeps text in.
 */
@Timeout(120)
class HeapDumpTest {

    @TempDir
    private Path folder;

    @Test
    void password_isNowhereInTheHeapOfARunningCache() throws Exception {
        byte[] dump = dumpOf("cache");
        assertThat(formsFound(dump)).isEmpty();
        assertThat(indexOf(dump, "dev.latchkey.auth.cache.CachedCredential".replace('.', '/'), StandardCharsets.UTF_8))
                .as("the dump is of a running cache")
                .isNotNegative();
    }

    // Shows that the search finds a planted password.
    @Test
    void plantedPassword_isFound() throws Exception {
        assertThat(formsFound(dumpOf("planted")))
                .contains(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);
    }

    private byte[] dumpOf(String mode) throws IOException, InterruptedException {
        Path dump = folder.resolve(mode + ".hprof");
        Path output = folder.resolve(mode + ".txt");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                List.of(System.getProperty(
                                        "surefire.test.class.path", System.getProperty("java.class.path")))),
                        HeapDumpChild.class.getName(),
                        mode,
                        dump.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(child.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).as(Files.readString(output)).isZero();
        return Files.readAllBytes(dump);
    }

    /**
     * UTF-8 is Latin-1 here, and the form of a compact string; the other two are of wide strings and, in a dump, of
     * char arrays.
     */
    private static List<Charset> formsFound(byte[] dump) {
        String password = HeapDumpChild.password().toString();
        return List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE).stream()
                .filter(form -> indexOf(dump, password, form) >= 0)
                .toList();
    }

    private static int indexOf(byte[] dump, String text, Charset form) {
        byte[] wanted = text.getBytes(form);
        for (int at = 0; at <= dump.length - wanted.length; at++) {
            if (dump[at] == wanted[0]
                    && java.util.Arrays.equals(dump, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }
}
