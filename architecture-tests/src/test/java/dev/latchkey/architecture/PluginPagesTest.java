package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages for authors of plugins: the code compiles, and the settings work. */
class PluginPagesTest {

    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern SNIPPET = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);
    private static final String PREFIX = "latchkey.plugin.";

    private record Snippet(String language, String text) {}

    static Stream<Path> pages() {
        return Stream.of(
                DOCS.resolve("write-a-plugin.md"),
                DOCS.resolve("from-nacos-auth-plugins.md"),
                EXAMPLES.resolve("http-directory-plugin/README.md"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void codeOfThePage_isThatOfAnExample(Path page) throws IOException {
        String sources = Stream.of("api-key-plugin", "http-directory-plugin")
                .flatMap(example -> filesOf(EXAMPLES.resolve(example)))
                .map(PluginPagesTest::linesOf)
                .collect(Collectors.joining());
        assertThat(snippetsOf(page))
                .filteredOn(snippet -> languagesFromExamples(page).contains(snippet.language()))
                .allSatisfy(snippet -> assertThat(sources).contains(withoutMargins(snippet.text())));
    }

    /** The guide's own classes are compiled by {@code GuidePagesTest} of the starter. */
    private static List<String> languagesFromExamples(Path page) {
        return page.endsWith("write-a-plugin.md") ? List.of("xml") : List.of("java", "xml");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void settingsOfThePage_makeThePlugins(Path page) throws IOException {
        for (Snippet snippet : snippetsOf(page)) {
            if (snippet.language().equals("properties")) {
                assertThat(made(snippet.text())).isNotEmpty();
            }
        }
    }

    @Test
    void firstPage_hasSnippetsOfEachKind() throws IOException {
        assertThat(snippetsOf(DOCS.resolve("write-a-plugin.md")))
                .extracting(Snippet::language)
                .contains("java", "xml", "properties")
                .hasSizeGreaterThan(8);
    }

    /** The names of the plugins made by these settings; the service itself has {@code users} and {@code jwt}. */
    private static List<String> made(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        List<String> names = Stream.of(
                        properties.getProperty("latchkey.plugins").split(","))
                .filter(name -> !name.equals("users") && !name.equals("jwt"))
                .toList();
        try (AuthChain chain = PluginDirectory.discover(PluginPagesTest.class.getClassLoader())
                .select(names, name -> configOf(properties, PREFIX + name + "."), PluginHost.ALONE)) {
            return chain.pluginNames();
        }
    }

    private static PluginConfig configOf(Properties properties, String prefix) {
        return PluginConfig.of(
                prefix,
                properties.stringPropertyNames().stream()
                        .filter(key -> key.startsWith(prefix))
                        .collect(Collectors.toMap(key -> key.substring(prefix.length()), properties::getProperty)));
    }

    private static List<Snippet> snippetsOf(Path page) throws IOException {
        return SNIPPET.matcher(Files.readString(page))
                .results()
                .map((MatchResult match) -> new Snippet(match.group(1), match.group(2)))
                .toList();
    }

    private static Stream<Path> filesOf(Path example) {
        try (Stream<Path> files = Files.walk(example.resolve("src"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            List<Path> builds = Stream.of("pom.xml", "pom-of-a-copy.xml")
                    .map(example::resolve)
                    .filter(Files::exists)
                    .toList();
            return Stream.concat(sources.stream(), builds.stream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String linesOf(Path file) {
        try {
            return withoutMargins(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutMargins(String text) {
        return text.strip().lines().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }
}
