package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.reference.Metadata;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an IDE shows of {@code latchkey.*}, as the processor wrote it into the jar. */
class ConfigurationMetadataTest {

    @Test
    void everyProperty_hasADescriptionInPlainText() throws IOException {
        // The processor takes the first @param that begins with the component's name: the shorter name must come first.
        assertThat(Metadata.properties())
                .isNotEmpty()
                .allSatisfy(property -> assertThat(property.meaning())
                        .as(property.name())
                        .matches("(?s)[a-z]+[ '].{10,}")
                        .doesNotContain("{@", "<p>"));
    }

    @Test
    void hints_areForPropertiesThatExist() throws IOException {
        Set<String> names = Metadata.properties().stream()
                .map(Metadata.Property::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(Metadata.list("hints")).isNotEmpty().allSatisfy(hint -> {
            String name = ((String) hint.get("name")).replaceAll("\\.(keys|values)$", "");
            assertThat(names).contains(name);
        });
    }
}
