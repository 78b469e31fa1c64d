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
 * What is set under {@code latchkey.plugin.<name>}, wherever it comes from. Boot binds an environment variable to a key without hyphens, in the
 * plugin's name as in the setting's: {@code LATCHKEY_PLUGIN_APIKEY_KEYFILE} is {@code latchkey.plugin.api-key.key-file}. Which source wins is decided
 * by then: each spelling has the value of the first source that has any of them.
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
        // So that it is no setting that the plugin does not know.
        config.text(LatchkeyProperties.MAX_CONCURRENT);
        return config;
    }

    /** How many calls of this plugin may run at the same time. */
    Optional<Long> maxConcurrent(String name) {
        return of(name).number(LatchkeyProperties.MAX_CONCURRENT);
    }

    /** The names that have settings and are none of these. */
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
