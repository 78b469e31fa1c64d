package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.factory.PluginSetting;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The settings under {@code latchkey.plugin.<name>} from all property sources. Boot maps an environment variable to a key without
 * hyphens, both in the plugin's name and in the setting's name: {@code LATCHKEY_PLUGIN_APIKEY_KEYFILE} is {@code
 * latchkey.plugin.api-key.key-file}. The first source with any spelling of a key wins.
 */
final class PluginSettings {

    static final String PREFIX = "latchkey.plugin.";

    private static final PluginSetting<Long> MAX_CONCURRENT = PluginSetting.number(
                    LatchkeyProperties.MAX_CONCURRENT, "the maximum of concurrent calls of this plugin")
            .must(most -> most >= 1 && most <= Integer.MAX_VALUE, "a positive number");

    private final Map<String, Map<String, String>> given;
    private final UnaryOperator<String> origins;

    /**
     * @param origins the origin of a full key, for messages
     */
    PluginSettings(Map<String, Map<String, String>> given, UnaryOperator<String> origins) {
        this.given = Map.copyOf(given);
        this.origins = origins;
    }

    boolean areNone() {
        return given.isEmpty();
    }

    PluginConfig of(String name) {
        return config(name, settingsOf(name));
    }

    /** Only the host's settings for this plugin. The other settings of such a plugin belong to a properties class. */
    PluginConfig ofHost(String name) {
        Map<String, String> settings = settingsOf(name);
        settings.keySet()
                .removeIf(key -> !PluginConfig.uniform(key).equals(PluginConfig.uniform(MAX_CONCURRENT.key())));
        return config(name, settings);
    }

    private PluginConfig config(String name, Map<String, String> settings) {
        return PluginConfig.of(PREFIX + name + ".", settings, List.of(MAX_CONCURRENT), origins);
    }

    private Map<String, String> settingsOf(String name) {
        Map<String, String> settings = new HashMap<>();
        given.forEach((spelling, values) -> {
            if (PluginConfig.uniform(spelling).equals(PluginConfig.uniform(name))) {
                settings.putAll(values);
            }
        });
        return settings;
    }

    /** The maximum of concurrent calls of this plugin. */
    Optional<Integer> maxConcurrent(String name) {
        return ofHost(name).find(MAX_CONCURRENT).map(Math::toIntExact);
    }

    /** The type of this plugin: the setting {@code type}, or else the plugin's name. */
    String typeOf(String name) {
        return find(name, "type").orElse(name);
    }

    /** Whether the settings remove the beans of this plugin. */
    boolean switchOff(String name) {
        return find(name, "enabled").filter("false"::equalsIgnoreCase).isPresent();
    }

    private Optional<String> find(String name, String key) {
        return settingsOf(name).entrySet().stream()
                .filter(setting -> PluginConfig.uniform(setting.getKey()).equals(key))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The full keys of this plugin's settings, sorted. */
    List<String> keysOf(String name) {
        return settingsOf(name).keySet().stream()
                .map(key -> PREFIX + name + "." + key)
                .sorted()
                .toList();
    }

    /** The plugin names that have settings, except these names. */
    Set<String> namesBeside(Collection<String> selected) {
        Set<String> known = selected.stream().map(PluginConfig::uniform).collect(Collectors.toSet());
        return given.keySet().stream()
                .filter(name -> !known.contains(PluginConfig.uniform(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
