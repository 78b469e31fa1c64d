package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.migration.ForeignFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The README's snippet, between the markers, is the code of this test. The README lists exactly the readable formats. */
class ReadmeTest {

    @Test
    void snippet_compilesAndHolds() {
        // snippet
        PasswordEncoder encoder =
                PasswordEncoders.writing(HashSpec.of("bcrypt:cost=10")).reading(ForeignFormats.all());

        String ofMySql = "*667F407DE7C6AD07358FA38DAED7828A72014B4E";
        boolean right = encoder.matches("a", ofMySql) && encoder.upgradeEncoding(ofMySql);
        // end
        assertThat(right).isTrue();
    }

    @Test
    void readme_holdsTheSnippet() throws IOException {
        String test = Files.readString(Path.of("src/test/java/dev/latchkey/auth/password/ReadmeTest.java"));
        String snippet = test.substring(test.indexOf("// snippet\n") + 11, test.indexOf("        // end\n"));

        assertThat(Files.readString(Path.of("README.md")))
                .contains(snippet.stripTrailing().stripIndent());
    }

    /** What stands in backquotes between the heading and the fast digests: the starts of texts, and names. */
    private static List<String> listOfFormats() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String list = readme.substring(readme.indexOf("## What is read"), readme.indexOf("**Fast digests**"));
        return Pattern.compile("`([^`]+)`")
                .matcher(list)
                .results()
                .map(found -> found.group(1).replace("\\|", "|"))
                .toList();
    }

    /** ASP.NET's and Keycloak's have no start of their own. */
    @Test
    void hashOfEachTool_isInTheListOfFormats() throws IOException {
        List<String> list = listOfFormats();

        assertThat(RealToolHashesTest.hashes())
                .filteredOn(made ->
                        !made.tool().startsWith("aspnet") && !made.tool().startsWith("keycloak"))
                .allSatisfy(made -> assertThat(list).anyMatch(made.hash()::startsWith));
    }

    @Test
    void idInTheListOfFormats_isRead() throws IOException {
        assertThat(listOfFormats())
                .filteredOn(start -> start.startsWith("{") && start.endsWith("}") && !start.equals("{ldap}"))
                .hasSizeGreaterThan(20)
                .allSatisfy(
                        id -> assertThat(Foreign.encoders().identify(id + "x").standing())
                                .isEqualTo(HashInfo.Standing.REFUSED));
    }
}
