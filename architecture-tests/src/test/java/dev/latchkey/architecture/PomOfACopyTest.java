package dev.latchkey.architecture;

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

/**
 * The template for plugins is copied without the rules and versions of its parent. So the copy has a POM of its own, with the
 * versions of this build.
 */
class PomOfACopyTest {

    private static final Path ROOT = Path.of("..");
    private static final Path TEMPLATE = ROOT.resolve("examples/http-directory-plugin");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
    private static final Pattern VERSION = Pattern.compile("\\$\\{([a-z0-9.-]+)}");

    private final String pom = read(TEMPLATE.resolve("pom.xml"));
    private final String copy = read(TEMPLATE.resolve("pom-of-a-copy.xml"));
    private final String parent = read(ROOT.resolve("pom.xml")).replace("${project.version}", version());

    @Test
    void pomOfACopy_needsNothingOfThisRepository() {
        assertThat(copy).doesNotContain("<parent>", "${");
    }

    @Test
    void pomOfACopy_hasTheTemplatesDependencies_inTheVersionsOfTheBuild() {
        String withVersions = VERSION.matcher(pom).replaceAll(found -> property(found.group(1)));
        assertThat(dependencies(withVersions)).hasSizeGreaterThan(8);
        assertThat(dependencies(copy)).containsAll(dependencies(withVersions));
    }

    @Test
    void pomOfACopy_takesTheModulesOfThisVersion_andThePluginsOfTheBuild() {
        assertThat(List.of("auth-bom", "maven-compiler-plugin", "maven-surefire-plugin"))
                .allSatisfy(
                        artifact -> assertThat(versionsOf(artifact, parent)).containsAll(versionsOf(artifact, copy)));
    }

    private static List<String> versionsOf(String artifact, String pom) {
        List<String> versions = Pattern.compile("<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)<")
                .matcher(pom)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(versions).as(artifact).hasSize(1);
        return versions;
    }

    /** The version in the BOM; the BOM has no parent. */
    private static String version() {
        return read(ROOT.resolve("auth-bom/pom.xml")).replaceAll("(?s).*?<version>([^<]+)<.*", "$1");
    }

    /** Of the template, or else of its parent. */
    private String property(String name) {
        return Stream.of((pom + parent).split("<" + Pattern.quote(name) + ">", 2))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf('<')))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> dependencies(String pom) {
        return DEPENDENCY
                .matcher(pom)
                .results()
                .map((MatchResult found) -> found.group().replaceAll("\\s", ""))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
