package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The compiler refuses a public member without a description, in each published module. */
class DescribedMembersTest {

    private static final Path ROOT = Path.of("..");

    /** A line of {@code release/published.txt} for a jar: the name and the kind of jar. */
    private static final Pattern JAR = Pattern.compile("([a-z-]+) (?:jar|kit|shaded)");

    static List<String> jars() throws IOException {
        return Files.readAllLines(ROOT.resolve("release/published.txt")).stream()
                .map(JAR::matcher)
                .flatMap(line -> line.matches() ? Stream.of(line.group(1)) : Stream.empty())
                .toList();
    }

    @Test
    void jars_areThoseThatArePublished() throws IOException {
        assertThat(jars())
                .contains("auth-api", "latchkey-plugin-ldap", "auth-nacos")
                .doesNotContain("auth-bom");
    }

    @ParameterizedTest
    @MethodSource("jars")
    void publishedModule_refusesAMemberThatIsNotDescribed(String name) throws IOException {
        String folder = name.replace("latchkey-plugin-", "plugins/");
        assertThat(ROOT.resolve(folder).resolve("pom.xml"))
                .content()
                .contains("<artifactId>" + name + "</artifactId>")
                .contains("<described.members>missing/protected</described.members>");
    }
}
