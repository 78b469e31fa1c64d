package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Read in the sources: {@code architecture-tests} asks the compiled classes about what all modules share. */
class ArchitectureTest {

    private static final Pattern OF_SPRING = Pattern.compile("org\\.springframework[.\\w]*");

    @Test
    void module_knowsOfSpringOnlyThePasswordEncoder() throws IOException {
        assertThat(sources())
                .flatMap(source -> OF_SPRING
                        .matcher(source)
                        .results()
                        .map(MatchResult::group)
                        .toList())
                .containsOnly("org.springframework.security.crypto.password.PasswordEncoder");
    }

    // A virtual thread blocked inside a monitor pins its carrier on JDK 21 to 23.
    @Test
    void nothingHoldsAMonitor() throws IOException {
        assertThat(sources()).isNotEmpty().noneMatch(source -> source.contains("synchronized"));
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<Path> sources = files.filter(Files::isRegularFile).toList();
            return sources.stream().map(ArchitectureTest::text).toList();
        }
    }

    private static String text(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
