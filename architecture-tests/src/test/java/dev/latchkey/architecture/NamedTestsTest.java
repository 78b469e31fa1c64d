package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each test that a page names exists. Each promise in SECURITY.md names one test. */
class NamedTestsTest {

    private static final Path ROOT = Path.of("..");

    /** Not the end of a pattern of names, such as {@code *RacesTest}, no annotation, and no word in capitals, such as Redis' {@code WAIT}. */
    private static final Pattern NAME = Pattern.compile("(?<![*@\\w])[A-Z]\\w*(?:Test|(?<=[a-z])IT)\\b");

    private static final Set<String> BUILT = Set.of("target", ".git");

    private static final Set<String> TESTS = tests();

    static List<Path> pages() throws IOException {
        try (Stream<Path> files =
                Files.find(ROOT, 3, (file, is) -> file.toString().endsWith(".md"))) {
            return files.filter(file -> !file.toString().contains("target")).toList();
        }
    }

    @Test
    void pages_areThoseOfTheRootAndOfTheModules() throws IOException {
        assertThat(pages())
                .contains(
                        ROOT.resolve("SECURITY.md"),
                        ROOT.resolve("auth-guard/README.md"),
                        ROOT.resolve("examples/api-key-plugin/README.md"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyTestThatAPageNames_exists(Path page) throws IOException {
        String text = Files.readString(page);
        Set<String> missing = namedIn(text);
        missing.removeAll(TESTS);
        missing.removeIf(name -> text.contains("class " + name + " ")); // a guide shows the whole test
        assertThat(missing).isEmpty();
    }

    @Test
    void everyPromise_isShortAndNamesOneTest() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("SECURITY.md")).stream()
                .filter(line -> line.startsWith("| "))
                .filter(line -> !line.startsWith("| Promise |") && !line.startsWith("| ---"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(60).allSatisfy(row -> {
            String[] cells = row.split("\\|", -1);
            assertThat(cells[1].strip().split("\\s+", -1)).hasSizeLessThanOrEqualTo(25);
            assertThat(cells[2].strip()).matches("`\\w+`");
            assertThat(TESTS).contains(cells[2].strip().replace("`", ""));
        });
    }

    @Test
    void nameOfNoTest_isFoundMissing() throws IOException {
        Set<String> named = namedIn("`NamedTestsTest` and `NoSuchTest.g1_…`, not `*RacesTest`, `WAIT` and no Test");
        assertThat(named).containsExactly("NamedTestsTest", "NoSuchTest");
        assertThat(TESTS).contains("NamedTestsTest", "StarterIT").doesNotContain("NoSuchTest");
    }

    private static Set<String> namedIn(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    /** By file names, without the output of builds. */
    private static Set<String> tests() {
        Set<String> tests = new TreeSet<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
                    return BUILT.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
                    String name = file.getFileName().toString();
                    if (name.endsWith("Test.java") || name.endsWith("IT.java") || name.endsWith("Contract.java")) {
                        tests.add(name.substring(0, name.length() - ".java".length()));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tests;
    }
}
