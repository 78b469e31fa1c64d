package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every guide, also without a test of its own: the code compiles, and the properties and artifacts exist. */
@Tag("long")
class GuidePagesTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    /** Properties of plugins, of throttles ({@link ThrottleGuideTest}), of Boot, and of a Nacos server. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(latchkey\\.(plugin|trusted-issuers|throttle)\\.|management\\.|server\\.|spring\\.|nacos\\.core\\.).*");

    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>\\s*<groupId>([^<]+)</groupId>\\s*"
            + "<artifactId>([^<]+)</artifactId>\\s*(?:<version>([^<]+)</version>)?");
    private static final Pattern GRADLE =
            Pattern.compile("[iI]mplementation\\((?:platform\\()?\"([^:\"]+):([^:\"]+)(?::([^\"]+))?\"\\)");

    @TempDir
    Path folder;

    static List<String> guides() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            List<String> guides = files.map(file -> DOCS.relativize(file).toString())
                    .filter(file ->
                            file.matches("(getting-started|how-to|operations)/[A-Za-z-]+\\.md|write-a-plugin\\.md"))
                    .sorted()
                    .toList();
            return Stream.concat(guides.stream(), Stream.of("../README.md")).toList();
        }
    }

    /** The code of the left-out pages needs Boot 4.1: {@code tests/wire} compiles and runs this code. */
    static List<String> guidesOfTheStarter() throws IOException {
        return guides().stream()
                .filter(page -> !page.matches("how-to/(grpc|messaging)\\.md"))
                .toList();
    }

    @Test
    void guides_areFound() throws IOException {
        assertThat(guides()).hasSizeGreaterThan(12).contains("how-to/from-jjwt.md", "write-a-plugin.md");
    }

    @ParameterizedTest
    @MethodSource("guidesOfTheStarter")
    void codeOfTheGuide_compiles_andItsPropertiesAreThere(String page) throws IOException {
        Set<String> known =
                Metadata.properties().stream().map(Metadata.Property::name).collect(Collectors.toSet());
        try (Guide guide = Guide.of(page, folder)) {
            assertThat(guide.allProperties())
                    .extracting(pair ->
                            pair.replaceFirst("(\\[\\d+][^=]*)?=.*", "").replaceFirst("(pepper-files)\\..*", "$1"))
                    .filteredOn(name -> !ELSEWHERE.matcher(name).matches())
                    .allSatisfy(name -> assertThat(known).contains(name));
        }
    }

    @ParameterizedTest
    @MethodSource("guides")
    void artifactsOfTheGuide_areOfTheBom(String page) throws IOException {
        String bom = Files.readString(Path.of("..", "auth-bom", "pom.xml"));
        assertThat(ARTIFACT.matcher(Files.readString(DOCS.resolve(page)))
                        .results()
                        .map((MatchResult found) -> found.group()))
                .allSatisfy(artifact -> assertThat(bom).contains(artifact));
    }

    @ParameterizedTest
    @MethodSource("guides")
    void dependency_isShownForMavenAndForGradle(String page) throws IOException {
        String text = Files.readString(DOCS.resolve(page));
        assertThat(coordinates(DEPENDENCY, text)).isEqualTo(coordinates(GRADLE, text));
    }

    @Test
    void dependencies_areFound() throws IOException {
        assertThat(coordinates(DEPENDENCY, Files.readString(DOCS.resolve("getting-started/several-nodes.md"))))
                .containsExactly("dev.latchkey:auth-redis:0.1.0-SNAPSHOT", "dev.latchkey:auth-jdbc:0.1.0-SNAPSHOT");
    }

    /** Group, artifact and version; without a version if the BOM has it. */
    private static List<String> coordinates(Pattern dependency, String text) {
        return dependency
                .matcher(text)
                .results()
                .map((MatchResult found) ->
                        found.group(1) + ":" + found.group(2) + (found.group(3) == null ? "" : ":" + found.group(3)))
                .toList();
    }
}
