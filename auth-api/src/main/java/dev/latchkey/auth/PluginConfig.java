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
 * <p>Every error names the full key and says what belongs there. None repeats the value, which may be a secret. {@link #unread()} finds the keys that
 * the plugin never asked for, which are typing errors.
 *
 * <p>Plugins ask in lower case with hyphens ({@code service-key}). Case, hyphens and underscores are ignored, so that a setting is found in an
 * environment variable, which has no hyphens.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PluginConfig {

    private static final Pattern SIMPLE_DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

    private final String prefix;
    /** By their keys in {@linkplain #uniform one spelling}. */
    private final Map<String, String> values = new HashMap<>();
    /** The keys as they were set. */
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
     * @param prefix what stands before each key where a person writes it, such as {@code latchkey.plugin.api-key.}; for
     *     messages only
     * @param values texts as a person wrote them; a key may be spelled in several ways
     * @return settings of which nobody has read any
     * @throws PluginConfigException if two spellings of one key have different values
     */
    public static PluginConfig of(String prefix, Map<String, String> values) {
        return new PluginConfig(prefix, values);
    }

    /**
     * No settings at all, for a plugin that is made without configuration.
     *
     * @return settings in which each key is empty
     */
    public static PluginConfig empty() {
        return new PluginConfig("", Map.of());
    }

    /**
     * A text without the white space around it; empty where the key is not set or blank.
     *
     * @param key without the prefix, in lower case with hyphens; other spellings of it are found too
     * @return the text; it counts as read from now on
     */
    public Optional<String> text(String key) {
        read.add(key);
        return Optional.ofNullable(values.get(uniform(key))).map(String::trim).filter(value -> !value.isEmpty());
    }

    /**
     * A whole number.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the number, negative ones too; empty where the key is not set or blank
     * @throws PluginConfigException if the value is none
     */
    public Optional<Long> number(String key) {
        return parsed(key, Long::valueOf, "a whole number");
    }

    /**
     * A duration as people write it ({@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h}, {@code 7d}) or in the form of ISO
     * 8601 ({@code PT5M}).
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the duration; empty where the key is not set or blank
     * @throws PluginConfigException if the value is neither
     */
    public Optional<Duration> duration(String key) {
        return parsed(key, PluginConfig::durationOf, "a duration such as 30s, 5m or PT5M");
    }

    /**
     * A path of the file system.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return the path, of which nobody knows whether it is there; empty where the key is not set or blank
     * @throws PluginConfigException if the value is none
     */
    public Optional<Path> path(String key) {
        return parsed(key, Path::of, "a path");
    }

    /**
     * A text that never prints.
     *
     * @param key without the prefix, in lower case with hyphens
     * @return a copy that its reader may wipe; empty where the key is not set or blank
     */
    public Optional<Secret> secret(String key) {
        readAsSecrets.add(key);
        return parsed(key, Secret::of, "well-formed text");
    }

    /**
     * The exception for a required key that is not there: {@code config.path("file").orElseThrow(config.missing("file"))}.
     *
     * @param key which one is required, without the prefix
     * @return makes the exception when it is asked, with the full key in its message
     */
    public Supplier<PluginConfigException> missing(String key) {
        return () -> new PluginConfigException("Set " + prefix + key + ": it is required");
    }

    /**
     * The exception for a value that is there and cannot be used.
     *
     * @param key the key of that value, without the prefix
     * @param rule what is right, in words that go on from "must be"; no secret value
     * @return an exception to throw, which names the full key
     */
    public PluginConfigException wrong(String key, String rule) {
        return new PluginConfigException(prefix + key + " must be " + rule);
    }

    /**
     * The full keys that are set and that the plugin has not asked for so far.
     *
     * @return a copy, with the prefix before each; empty where all was read
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
     * The keys that the plugin has asked for so far. Once it was made, these are the keys that it knows.
     *
     * @return a copy, without the prefix
     */
    public Set<String> read() {
        return new TreeSet<>(read);
    }

    /**
     * Whether a text repeats a value that the plugin read as a secret. For messages about a plugin that failed.
     *
     * @param text of an exception
     * @return {@code true} where the text must not be shown
     */
    public boolean hasSecretIn(String text) {
        return readAsSecrets.stream().flatMap(key -> text(key).stream()).anyMatch(text::contains);
    }

    private <T> Optional<T> parsed(String key, Function<String, T> parser, String rule) {
        try {
            return text(key).map(parser);
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
            // Without the cause, whose message repeats the value.
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
