package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.PluginConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings of plugins under each spelling that Boot makes of an environment variable. */
class PluginSettingsTest {

    private final PluginSettings settings = new PluginSettings(
            Map.of(
                    "api-keys", Map.of("type", "http-directory", "max_concurrent", "3", "url", "x"),
                    "apac", Map.of("TYPE", "ldap"),
                    "EMEA", Map.of("url", "y")),
            key -> "");

    @Test
    void nameAndKey_areFoundInEachSpelling() {
        assertThat(settings.maxConcurrent("apikeys")).contains(3);
        assertThat(settings.maxConcurrent("api-keys")).contains(3);
        assertThat(settings.maxConcurrent("apac")).isEmpty();
        assertThat(settings.typeOf("api_keys")).isEqualTo("http-directory");
        assertThat(settings.typeOf("apac")).isEqualTo("ldap");
    }

    @Test
    void pluginWithoutAType_isOfTheTypeOfItsName() {
        assertThat(settings.typeOf("emea")).isEqualTo("emea");
        assertThat(settings.typeOf("none")).isEqualTo("none");
    }

    @Test
    void namesBesideTheSelectedOnes_areSorted_whateverTheirSpelling() {
        assertThat(settings.namesBeside(List.of("emea"))).containsExactly("apac", "api-keys");
        assertThat(settings.namesBeside(List.of("apikeys", "APAC", "emea"))).isEmpty();
    }

    @Test
    void spelling_hasNoHyphensAndNoCapitals() {
        assertThat(PluginConfig.uniform("Api-Keys_1")).isEqualTo("apikeys1");
    }
}
