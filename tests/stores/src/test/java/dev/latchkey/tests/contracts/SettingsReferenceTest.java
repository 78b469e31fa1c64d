package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.contract.SettingsReference;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar with two types of plugins: both have their settings in one file and one table. */
class SettingsReferenceTest {

    private final SettingsReference reference =
            SettingsReference.of(new Factory("directory", "url"), new Factory("mails", "sender"));

    @TempDir
    private Path folder;

    @Test
    void table_hasTheSettingsOfBothTypes() throws IOException {
        Path page = folder.resolve("README.md");
        Files.writeString(
                page, """
                <!-- settings -->
                | setting | default | meaning | value |
                | --- | --- | --- | --- |
                | `directory.url` | | a text | %1$s |
                | `mails.sender` | | a text | %1$s |
                <!-- /settings -->
                """.formatted(PluginSetting.text("url", "a text").rule()));
        assertThatCode(() -> reference.assertTable(page)).doesNotThrowAnyException();
    }

    @Test
    void metadata_hasTheSettingsOfBothTypes() throws IOException {
        Path file = folder.resolve("metadata.json");
        Files.writeString(file, "");
        assertThatThrownBy(() -> reference.assertMetadata(file))
                .hasMessageContaining("\"name\": \"latchkey.plugin.directory.url\"")
                .hasMessageContaining("\"name\": \"latchkey.plugin.mails.sender\"");
    }

    private record Factory(String type, String key) implements AuthPluginFactory {

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public List<PluginSetting<?>> settings() {
            return List.of(PluginSetting.text(key, "a text"));
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            throw new UnsupportedOperationException("Only the descriptions are read");
        }
    }
}
