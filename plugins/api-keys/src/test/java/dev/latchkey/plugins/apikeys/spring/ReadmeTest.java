package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The README's table of settings is complete, and the figures are the measured figures. */
class ReadmeTest {

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    @Test
    void settings_areAllNamed() throws IOException {
        for (RecordComponent setting : ApiKeysProperties.class.getRecordComponents()) {
            String name = setting.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(readme()).contains("\n| `" + name + "` |");
        }
    }

    @Test
    void figures_areThoseOfTheResultFile() throws IOException {
        String results = Files.readString(Path.of("../../benchmarks/results/api-keys-jdk17.txt"));
        assertThat(results).contains("checked: 1116 ns").contains("chain: 1637 ns");
        assertThat(readme()).contains("1.1 us").contains("1.6 us");
    }
}
