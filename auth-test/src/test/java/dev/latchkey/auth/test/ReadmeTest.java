package dev.latchkey.auth.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code of README.md is code that is compiled and run. */
class ReadmeTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void codeOfThePage_isThatOfATest() throws IOException {
        String sources;
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .map(ReadmeTest::linesOf)
                    .collect(Collectors.joining());
        }
        List<String> snippets = SNIPPET.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(match -> withoutMargins(match.group(1)))
                .toList();
        assertThat(snippets)
                .hasSizeGreaterThan(5)
                .allSatisfy(snippet -> assertThat(sources).contains(snippet));
    }

    private static String linesOf(Path file) {
        try {
            return withoutMargins(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutMargins(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }
}
