package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What an IDE shows of {@code latchkey.*}, as the processor wrote it into the jar. */
class ConfigurationMetadataTest {

    private static final Pattern README_ROW = Pattern.compile("(?m)^\\| `(latchkey\\.[a-z.<>*-]+)` \\|([^|]*)\\|");

    @Test
    void everyProperty_hasADescriptionInPlainText() throws IOException {
        assertThat(properties()).isNotEmpty().allSatisfy(property -> {
            Object description = property.get("description");
            assertThat(description).as("%s", property.get("name")).isInstanceOf(String.class);
            // The processor takes the first @param that begins with the component's name: the shorter name must come
            // first.
            assertThat((String) description).matches("(?s)[a-z]+[ '].{10,}").doesNotContain("{@", "<p>");
            assertThat(property).containsKey("type");
        });
    }

    @Test
    void readme_namesEveryProperty_withItsDefault() throws IOException {
        Map<String, String> documented = documented();
        for (Map<String, Object> property : properties()) {
            String name = (String) property.get("name");
            String row = name.equals("latchkey.plugin") ? "latchkey.plugin.<name>.*" : name;
            assertThat(documented).as("a row in the README for " + name).containsKey(row);
            Object value = property.get("defaultValue");
            if (value != null && !value.equals(List.of())) {
                assertThat(documented.get(row)).as(name).isEqualTo("`" + value + "`");
            }
        }
    }

    @Test
    void hints_areForPropertiesThatExist() throws IOException {
        Set<String> names = properties().stream()
                .map(property -> (String) property.get("name"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(list("hints")).isNotEmpty().allSatisfy(hint -> {
            String name = ((String) hint.get("name")).replaceAll("\\.(keys|values)$", "");
            assertThat(names).contains(name);
        });
    }

    @Test
    void readme_namesNoPropertyThatDoesNotExist() throws IOException {
        Set<String> names = properties().stream()
                .map(property -> (String) property.get("name"))
                .collect(Collectors.toCollection(TreeSet::new));
        names.add("latchkey.plugin.<name>.*");
        names.add("latchkey.plugin.<name>.max-concurrent");
        assertThat(documented().keySet())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(names).contains(name));
    }

    /** The defaults that the README gives, by the properties' names. */
    private static Map<String, String> documented() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String table = readme.substring(readme.indexOf("## Properties"), readme.indexOf("## Operations"));
        return README_ROW
                .matcher(table)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> row.group(2).trim()));
    }

    private static List<Map<String, Object>> properties() throws IOException {
        return list("properties").stream()
                .filter(property -> ((String) property.get("name")).startsWith("latchkey."))
                .filter(property -> property.get("deprecation") == null)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(String section) throws IOException {
        try (InputStream metadata = Objects.requireNonNull(
                LatchkeyProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            return (List<Map<String, Object>>)
                    JsonParserFactory.getJsonParser().parseMap(text).get(section);
        }
    }
}
