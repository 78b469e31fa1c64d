package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The configured texts of one plugin, before the check against the plugin's descriptions.
 *
 * <p>Every error names the full key, the right form of the value, and the file or bean with the value. No error repeats
 * the value, because the value may be a secret.
 *
 * <p>Case, hyphens and underscores of a key are ignored, because environment variables cannot have hyphens. Safe for use
 * by any number of threads.
 */
public final class PluginConfig {

    /** The setting with the type of a plugin. */
    static final PluginSetting<String> TYPE =
            PluginSetting.text("type", "the plugin's type, if the type differs from the name");

    private final String prefix;
    /** Values by their keys in {@linkplain #uniform uniform spelling}. */
    private final Map<String, String> values = new HashMap<>();
    /** The keys in their original spelling. */
    private final Map<String, String> spellings = new HashMap<>();

    private final UnaryOperator<String> origins;

    /** The host's own settings, such as {@link #TYPE}. */
    private final List<PluginSetting<?>> ofTheHost;

    private final Set<String> secrets = new ConcurrentSkipListSet<>();

    private PluginConfig(
            String prefix,
            Map<String, String> values,
            List<PluginSetting<?>> ofTheHost,
            UnaryOperator<String> origins) {
        this.prefix = prefix;
        this.ofTheHost = ofTheHost;
        this.origins = origins;
        new TreeMap<>(values).forEach((key, value) -> {
            String before = this.values.putIfAbsent(uniform(key), value);
            String spelling = spellings.merge(uniform(key), key, (first, second) -> first);
            if (before != null && !before.equals(value)) {
                throw new PluginConfigException(
                        prefix + spelling + " and " + prefix + key + " are one setting with two values; keep one");
            }
        });
    }

    /**
     * The same text for all spellings of a key or a plugin's name.
     *
     * @param key in any spelling
     * @return without case, hyphens and underscores
     */
    public static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Settings by their keys.
     *
     * @param prefix the text before each key in a configuration file, such as {@code latchkey.plugin.api-key.}; for
     *     messages only
     * @param values texts from the configuration; a key may have several spellings
     * @return settings of unknown origin
     * @throws PluginConfigException if two spellings of a key have different values
     */
    public static PluginConfig of(String prefix, Map<String, String> values) {
        return of(prefix, values, List.of(), key -> "");
    }

    /**
     * Settings by their keys, in a host with settings of its own.
     *
     * @param prefix the text before each key in a configuration file; for messages only
     * @param values texts from the configuration; a key may have several spellings
     * @param ofTheHost settings of the host for each plugin, such as a bound on calls. The plugin need not describe these
     *     settings; their values are checked together with the plugin's settings
     * @param origins the origin of a full key, such as a file and a line; an empty text for an unknown origin. Called
     *     only for a wrong setting
     * @return settings
     * @throws PluginConfigException if two spellings of a key have different values
     */
    public static PluginConfig of(
            String prefix,
            Map<String, String> values,
            List<PluginSetting<?>> ofTheHost,
            UnaryOperator<String> origins) {
        List<PluginSetting<?>> all = new ArrayList<>(ofTheHost);
        all.add(TYPE);
        return new PluginConfig(prefix, values, List.copyOf(all), origins);
    }

    /**
     * No settings, for a plugin without configuration.
     *
     * @return settings with no value for each key
     */
    public static PluginConfig empty() {
        return of("", Map.of());
    }

    /**
     * The value of a setting.
     *
     * @param <T> the type of the value
     * @param setting of the host
     * @return the configured value or the default; empty without both, and for a blank value
     * @throws PluginConfigException if the value is wrong
     */
    public <T> Optional<T> find(PluginSetting<T> setting) {
        Optional<String> text = text(setting.key());
        if (text.isEmpty() && !setting.byDefault().isEmpty()) {
            return Optional.of(setting.parse(setting.byDefault()));
        }
        try {
            return text.map(setting::parse);
        } catch (IllegalArgumentException e) {
            throw new PluginConfigException(sentenceOfWrong(setting.key(), String.valueOf(e.getMessage())));
        }
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(values.get(uniform(key))).map(String::strip).filter(value -> !value.isEmpty());
    }

    /**
     * The plugin's environment, with all settings checked.
     *
     * @param name the plugin's name
     * @param settings the descriptions of the plugin's factory
     * @param host the service
     * @return for the creation of the plugin
     * @throws PluginConfigException if a setting is missing, wrong or unknown; the message has all mistakes
     */
    public PluginEnvironment environment(String name, Collection<PluginSetting<?>> settings, PluginHost host) {
        requireNone(mistakes(settings));
        return checked(name, settings, host, OutageLog.ofPlugins(host.clock()));
    }

    /**
     * A new plugin of this factory, with all settings checked.
     *
     * @param name the plugin's name
     * @param factory of the plugin's type
     * @param host the service
     * @return the plugin
     * @throws PluginConfigException if settings are missing, wrong or unknown, or do not fit each other; with all mistakes
     */
    public AuthPlugin create(String name, AuthPluginFactory factory, PluginHost host) {
        return create(name, factory, host, OutageLog.ofPlugins(host.clock()));
    }

    /** The same, for a chain with these outages. */
    AuthPlugin create(String name, AuthPluginFactory factory, PluginHost host, OutageLog outages) {
        List<PluginSetting<?>> settings = factory.settings();
        requireNone(mistakes(settings));
        ConfiguredEnvironment environment = checked(name, settings, host, outages);
        factory.check(environment);
        requireNone(environment.reported());
        AuthPlugin plugin = Objects.requireNonNull(factory.create(environment), "its factory made nothing");
        if (!environment.reported().isEmpty()) {
            plugin.close();
            requireNone(environment.reported());
        }
        return plugin;
    }

    private static void requireNone(Collection<String> mistakes) {
        if (!mistakes.isEmpty()) {
            throw new PluginConfigException(List.copyOf(mistakes));
        }
    }

    private ConfiguredEnvironment checked(
            String name, Collection<PluginSetting<?>> settings, PluginHost host, OutageLog outages) {
        Listeners listeners = Listeners.NONE;
        for (AuthListener listener : host.listeners()) {
            listeners = listeners.and(listener);
        }
        return new ConfiguredEnvironment(
                name, this, keysOf(settings), host.clock(), listeners, outages, new LinkedHashSet<>());
    }

    /**
     * The missing, wrong and unknown settings.
     *
     * @param settings the descriptions of the plugin's factory
     * @return a sentence for each mistake, without a value of a setting
     */
    List<String> mistakes(Collection<PluginSetting<?>> settings) {
        return mistakes(settings, "");
    }

    /** @param whyUnknown the end of the sentence about unknown settings */
    List<String> mistakes(Collection<PluginSetting<?>> settings, String whyUnknown) {
        List<String> mistakes = new ArrayList<>();
        List<PluginSetting<?>> all = new ArrayList<>(settings);
        all.addAll(ofTheHost);
        for (PluginSetting<?> setting : all) {
            if (setting.isSecret()) {
                secrets.add(setting.key());
            }
            try {
                if (find(setting).isEmpty() && setting.isRequired()) {
                    mistakes.add(sentenceOfMissing(setting.key()));
                }
            } catch (PluginConfigException e) {
                mistakes.add(String.valueOf(e.getMessage()));
            }
        }
        Set<String> known = keysOf(all);
        List<String> unknown = unknown(known);
        if (!unknown.isEmpty()) {
            mistakes.add("There is no setting " + String.join(", ", unknown) + "; the settings are "
                    + String.join(", ", known) + whyUnknown);
        }
        return mistakes;
    }

    private static Set<String> keysOf(Collection<PluginSetting<?>> settings) {
        return settings.stream().map(PluginSetting::key).collect(Collectors.toCollection(TreeSet::new));
    }

    private List<String> unknown(Collection<String> known) {
        Set<String> uniform = known.stream().map(PluginConfig::uniform).collect(Collectors.toSet());
        return new TreeMap<>(spellings)
                .entrySet().stream()
                        .filter(setting -> !uniform.contains(setting.getKey()))
                        .map(setting -> prefix + setting.getValue() + originOf(setting.getValue()))
                        .toList();
    }

    String sentenceOfMissing(String key) {
        return "Set " + prefix + key + ": it is required";
    }

    String sentenceOfWrong(String key, String rule) {
        return prefix + key + " must be " + rule + originOf(key);
    }

    private String originOf(String key) {
        String origin = spellings.containsKey(uniform(key)) ? origins.apply(prefix + key) : "";
        return origin.isEmpty() ? "" : " (set in " + origin + ")";
    }

    /**
     * Whether a text contains the value of a secret setting. For messages about a failed plugin.
     *
     * @param text of an exception
     * @return {@code true} if the text must not be shown
     */
    public boolean hasSecretIn(String text) {
        return secrets.stream().flatMap(key -> text(key).stream()).anyMatch(text::contains);
    }

    /** The keys, not the values. */
    @Override
    public String toString() {
        return "PluginConfig" + new TreeSet<>(spellings.values());
    }
}
