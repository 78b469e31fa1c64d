package dev.latchkey.auth;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of one plugin, typed.
 *
 * <p>Every error names the full key and the right form of the value. No error repeats the value, because the value may
 * be a secret. {@link #unread()} finds the keys that the plugin never read: typing errors.
 *
 * <p>Plugins ask in lower case with hyphens ({@code service-key}). Case, hyphens and underscores are ignored, because
 * environment variables cannot have hyphens.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PluginConfig {

    private static final Pattern SIMPLE_DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

    private final String prefix;
    /** Values by their keys in {@linkplain #uniform uniform spelling}. */
    private final Map<String, String> values = new HashMap<>();
    /** The keys in their original spelling. */
    private final Map<String, String> spellings = new HashMap<>();

    private final Set<String> read = new ConcurrentSkipListSet<>();
    private final Set<String> readAsSecrets = new ConcurrentSkipListSet<>();

    private PluginConfig(String prefix, Map<String, String> values) {
        this.prefix = prefix;
        new TreeMap<>(values).forEach((key, value) -> {
            String before = this.values.putIfAbsent(uniform(key), value);
            String spelling = spellings.merge(uniform(key), key, (first, second) -> first);
            if (before != null && !before.equals(value)) {
                throw new PluginConfigException(
                        prefix + spelling + " and " + prefix + key + " are one setting with two values; keep one");
            }
        });
    }

    private static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Settings by their keys.
     *
     * @param prefix the text before each key in a configuration file, such as {@code latchkey.plugin.api-key.}; for
     *     messages only
     * @param values texts from the configuration; a key may have several spellings
     * @return settings; no key counts as read
     * @throws PluginConfigException if two spellings of a key have different values
     */
    public static PluginConfig of(String prefix, Map<String, String> values) {
        return new PluginConfig(prefix, values);
    }

    /**
     * No settings, for a plugin without configuration.
     *
     * @return settings with no value for each key
     */
    public static PluginConfig empty() {
        return new PluginConfig("", Map.of());
    }

    /**
     * A text without the white space around the text.
     *
     * @param key without the prefix, in lower case with hyphens; other spellings are found too
     * @return the text; empty if the key is not set or blank. The key counts as read from now on
     */
    public Optional<String> text(String key) {
        read.add(key);
        return Optional.ofNullable(values.get(uniform(key))).map(String::trim).filter(value -> !value.isEmpty());
    }

    /**
     * A whole number.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the number, possibly negative; empty if the key is not set or blank
     * @throws PluginConfigException if the value is not a whole number
     */
    public Optional<Long> number(String key) {
        return parsed(key, Long::valueOf, "a whole number");
    }

    /**
     * A duration in short form ({@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h}, {@code 7d}) or in ISO 8601
     * ({@code PT5M}).
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the duration; empty if the key is not set or blank
     * @throws PluginConfigException if the value has neither form
     */
    public Optional<Duration> duration(String key) {
        return parsed(key, PluginConfig::durationOf, "a duration such as 30s, 5m or PT5M");
    }

    /**
     * A path in the file system.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the path, without a check for existence; empty if the key is not set or blank
     * @throws PluginConfigException if the value is not a path
     */
    public Optional<Path> path(String key) {
        return parsed(key, Path::of, "a path");
    }

    /**
     * A text that is never printed.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return a copy, so the plugin may wipe the secret; empty if the key is not set or blank
     */
    public Optional<Secret> secret(String key) {
        readAsSecrets.add(key);
        return parsed(key, Secret::of, "well-formed text");
    }

    /**
     * The exception for a missing required key: {@code config.path("file").orElseThrow(config.missing("file"))}.
     *
     * @param key the missing key, without the prefix
     * @return creates the exception, with the full key in its message
     */
    public Supplier<PluginConfigException> missing(String key) {
        return () -> new PluginConfigException("Set " + prefix + key + ": it is required");
    }

    /**
     * The exception for an unusable value.
     *
     * @param key of the value, without the prefix
     * @param rule the right form, as the end of a sentence after "must be"; no secret value
     * @return an exception with the full key in its message, to throw
     */
    public PluginConfigException wrong(String key, String rule) {
        return new PluginConfigException(prefix + key + " must be " + rule);
    }

    /**
     * The full keys that are set and that the plugin has not read so far.
     *
     * @return a copy, with the prefix before each key; empty if the plugin has read all keys
     */
    public Set<String> unread() {
        Set<String> unread = new TreeSet<>();
        Set<String> asked = read.stream().map(PluginConfig::uniform).collect(Collectors.toSet());
        spellings.forEach((key, spelling) -> {
            if (!asked.contains(key)) {
                unread.add(prefix + spelling);
            }
        });
        return unread;
    }

    /**
     * The keys read by the plugin so far. After the plugin's creation, these are all keys of the plugin.
     *
     * @return a copy, without the prefix
     */
    public Set<String> read() {
        return new TreeSet<>(read);
    }

    /**
     * Whether a text contains a value read as a secret. For messages about a failed plugin.
     *
     * @param text of an exception
     * @return {@code true} if the text must not be shown
     */
    public boolean hasSecretIn(String text) {
        return readAsSecrets.stream().flatMap(key -> text(key).stream()).anyMatch(text::contains);
    }

    private <T> Optional<T> parsed(String key, Function<String, T> parser, String rule) {
        try {
            return text(key).map(parser);
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
            // Without the cause, because its message repeats the value.
            throw wrong(key, rule);
        }
    }

    private static Duration durationOf(String text) {
        Matcher simple = SIMPLE_DURATION.matcher(text);
        if (!simple.matches()) {
            return Duration.parse(text);
        }
        long amount = Long.parseLong(simple.group(1));
        return switch (simple.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The keys, not the values. */
    @Override
    public String toString() {
        return "PluginConfig" + new TreeSet<>(spellings.values());
    }
}
