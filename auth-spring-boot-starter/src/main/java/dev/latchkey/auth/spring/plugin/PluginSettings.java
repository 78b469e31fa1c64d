package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The settings under {@code latchkey.plugin.<name>} from all property sources. Boot maps an environment variable to a key without
 * hyphens, both in the plugin's name and in the setting's name: {@code LATCHKEY_PLUGIN_APIKEY_KEYFILE} is {@code
 * latchkey.plugin.api-key.key-file}. The first source with any spelling of a key wins.
 */
final class PluginSettings {

    static final String PREFIX = "latchkey.plugin.";

    private final Map<String, Map<String, String>> given;

    PluginSettings(Map<String, Map<String, String>> given) {
        this.given = Map.copyOf(given);
    }

    PluginConfig of(String name) {
        Map<String, String> settings = new HashMap<>();
        given.forEach((spelling, values) -> {
            if (uniform(spelling).equals(uniform(name))) {
                settings.putAll(values);
            }
        });
        PluginConfig config = PluginConfig.of(PREFIX + name + ".", settings);
        // Marks the setting as known, because the plugin does not read this setting.
        config.text(LatchkeyProperties.MAX_CONCURRENT);
        return config;
    }

    /** The maximum of concurrent calls of this plugin. */
    Optional<Long> maxConcurrent(String name) {
        return of(name).number(LatchkeyProperties.MAX_CONCURRENT);
    }

    /** The names with settings, without these names. */
    Set<String> namesBeside(Collection<String> selected) {
        Set<String> known = selected.stream().map(PluginSettings::uniform).collect(Collectors.toSet());
        return given.keySet().stream()
                .filter(name -> !known.contains(uniform(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String uniform(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }
}
