package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.auth.contract.SettingsReference;
import dev.latchkey.auth.engine.PluginConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README shows working settings, and names all settings. */
class ReadmeTest {

    private static final Pattern SNIPPET = Pattern.compile("```properties\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    @Test
    void everySnippet_hasSettingsThatWork() throws Exception {
        List<String> snippets = SNIPPET.matcher(readme())
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(snippets).hasSize(4);
        for (String snippet : snippets) {
            Properties properties = new Properties();
            properties.load(new StringReader(withFiles(snippet)));
            List<String> names = Stream.of(
                            properties.getProperty("latchkey.plugins").split(",", -1))
                    .filter(name -> !name.equals("jwt"))
                    .toList();
            assertThat(names).isNotEmpty();
            for (String name : names) {
                PluginConfig config = configOf(properties, "latchkey.plugin." + name + ".");
                assertThatCode(() -> LdapSettings.of(Plugins.environment(config)))
                        .doesNotThrowAnyException();
            }
        }
    }

    /** The files that a snippet names are there. */
    private String withFiles(String snippet) throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "Service-Secret-1815\n");
        Path trusted = TestCertificate.of("localhost").pemIn(folder);
        return snippet.replace("/run/secrets/ldap-password", password.toString())
                .replace("/etc/ssl/corp-ca.pem", trusted.toString());
    }

    private static PluginConfig configOf(Properties properties, String prefix) {
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .forEach(key -> settings.put(key.substring(prefix.length()), properties.getProperty(key)));
        return PluginConfig.of(prefix, settings);
    }

    @Test
    void tableOfTheSettings_isMadeOfTheirDescriptions() throws IOException {
        SettingsReference.of(new LdapPluginFactory()).assertTable(Path.of("README.md"));
    }

    @Test
    void metadataForAnIde_isMadeOfTheDescriptions() throws IOException {
        SettingsReference.of(new LdapPluginFactory())
                .assertMetadata(Path.of("src/main/resources/META-INF/spring-configuration-metadata.json"));
    }
}
