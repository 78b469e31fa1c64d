package dev.latchkey.auth.factory;

import dev.latchkey.auth.Secret;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The description of one setting of a plugin: key, type, default and right values. The service checks the configuration
 * against the descriptions at the start. IDE metadata and reference pages are made from the same descriptions.
 *
 * <p>Immutable, and safe for use by any number of threads.
 *
 * @param <T> the type of the value
 */
public final class PluginSetting<T> {

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern SIMPLE_DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

    private final String key;
    private final String description;
    private final Class<?> type;
    private final String rule;
    private final boolean isRequired;
    private final @Nullable String byDefault;
    private final Function<String, T> parser;

    private PluginSetting(
            String key,
            String description,
            Class<?> type,
            String rule,
            boolean isRequired,
            @Nullable String byDefault,
            Function<String, T> parser) {
        this.key = key;
        this.description = description;
        this.type = type;
        this.rule = rule;
        this.isRequired = isRequired;
        this.byDefault = byDefault;
        this.parser = parser;
    }

    private static <T> PluginSetting<T> of(
            String key, String description, Class<?> type, String rule, Function<String, T> parser) {
        if (!KEY.matcher(key).matches() || description.isBlank()) {
            throw new IllegalArgumentException(
                    "A setting has a key such as service-key, and a description; got " + key);
        }
        return new PluginSetting<>(key, description, type, rule, false, null, text -> parsed(text, parser, rule));
    }

    /**
     * A text, without the white space around the text.
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<String> text(String key, String description) {
        return of(key, description, String.class, "text", Function.identity());
    }

    /**
     * Texts between commas, without the white space around each text.
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default; the list is never empty and has no empty text
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<List<String>> list(String key, String description) {
        return of(key, description, List.class, "a list with nothing empty between its commas", PluginSetting::listOf);
    }

    /**
     * A whole number, possibly negative.
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<Long> number(String key, String description) {
        return of(key, description, Long.class, "a whole number", Long::valueOf);
    }

    /**
     * A duration in short form ({@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h}, {@code 7d}) or in ISO 8601 ({@code
     * PT5M}).
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<Duration> duration(String key, String description) {
        return of(key, description, Duration.class, "a duration such as 30s, 5m or PT5M", PluginSetting::durationOf);
    }

    /**
     * A path in the file system, without a check for existence.
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<Path> path(String key, String description) {
        return of(key, description, Path.class, "a path", Path::of);
    }

    /**
     * A text that is never printed. Each reading gives a copy, so the plugin may wipe the secret.
     *
     * @param key without a prefix, in lower case with hyphens
     * @param description for people who configure the plugin
     * @return an optional setting without a default
     * @throws IllegalArgumentException if the key has another form, or the description is blank
     */
    public static PluginSetting<Secret> secret(String key, String description) {
        return of(key, description, Secret.class, "well-formed text", Secret::of);
    }

    /**
     * The same setting with a default: the value for a configuration without the key.
     *
     * @param value in the form of the configuration, such as {@code 5s}
     * @return another setting
     * @throws IllegalArgumentException if the value is wrong for this setting; the message has the right form
     * @throws IllegalStateException if the setting is a secret or required: such a setting has no default
     */
    public PluginSetting<T> withDefault(String value) {
        if (isSecret() || isRequired) {
            throw new IllegalStateException(key + " is a secret or required, so the setting has no default");
        }
        Object unused = parse(value);
        return new PluginSetting<>(key, description, type, rule, false, value, parser);
    }

    /**
     * The same setting, which every configuration must have.
     *
     * @return another setting
     */
    public PluginSetting<T> required() {
        return new PluginSetting<>(key, description, type, rule, true, null, parser);
    }

    /**
     * The same setting with a range. Call this method before {@link #withDefault}.
     *
     * @param least the smallest right value, in the form of the configuration, such as {@code 1ms}
     * @param most the largest right value, in the same form
     * @return another setting; if the values have no order, {@link #parse} throws an {@link IllegalStateException}
     * @throws IllegalArgumentException if a bound is wrong for this setting
     */
    public PluginSetting<T> within(String least, String most) {
        T lowest = parse(least);
        T highest = parse(most);
        return must(value -> order(lowest, value) <= 0 && order(value, highest) <= 0, "from " + least + " to " + most);
    }

    @SuppressWarnings("unchecked") // Both are values of this setting.
    private int order(T one, T other) {
        if (one instanceof Comparable<?> comparable) {
            return ((Comparable<T>) comparable).compareTo(other);
        }
        throw new IllegalStateException("The values of " + key + " have no order");
    }

    /**
     * The same setting with a further rule. Call this method before {@link #withDefault}.
     *
     * @param isRight whether a value is right
     * @param rule the right form, as the end of a sentence after "must be"; without the wrong value
     * @return another setting
     */
    public PluginSetting<T> must(Predicate<T> isRight, String rule) {
        return as(rule, value -> {
            if (!isRight.test(value)) {
                throw new IllegalArgumentException(rule);
            }
            return value;
        });
    }

    /**
     * The same setting with values of another type. Call this method before {@link #withDefault}.
     *
     * @param <R> the type of the values
     * @param rule the right form, as the end of a sentence after "must be"; without the wrong value
     * @param conversion throws {@link IllegalArgumentException} for a wrong value; the exception's message is not shown
     * @return another setting
     */
    public <R> PluginSetting<R> as(String rule, Function<T, R> conversion) {
        return new PluginSetting<>(
                key, description, type, rule, isRequired, null, text -> parsed(parser.apply(text), conversion, rule));
    }

    /** {@return the key without a prefix, in lower case with hyphens} */
    public String key() {
        return key;
    }

    /** {@return the description for people who configure the plugin} */
    public String description() {
        return description;
    }

    /** {@return the type of the text in the configuration, before any conversion by {@link #as}} */
    public Class<?> type() {
        return type;
    }

    /** {@return the right form of a value, as the end of a sentence after "must be"; the last given rule} */
    public String rule() {
        return rule;
    }

    /** {@return whether every configuration must have the setting} */
    public boolean isRequired() {
        return isRequired;
    }

    /** {@return whether the value must not be printed} */
    public boolean isSecret() {
        return type == Secret.class;
    }

    /** {@return the default in the form of the configuration; empty for no default} */
    public String byDefault() {
        return Objects.requireNonNullElse(byDefault, "");
    }

    /**
     * The value of a text.
     *
     * @param text from the configuration
     * @return the value
     * @throws IllegalArgumentException if the text is wrong; the message is the right form, without the text
     * @throws IllegalStateException if the setting has a range, and its values have no order
     */
    public T parse(String text) {
        return parser.apply(text.strip());
    }

    private static <A, B> B parsed(A value, Function<A, B> parser, String rule) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            // Without the cause, because its message repeats the value.
            throw new IllegalArgumentException(rule);
        }
    }

    private static List<String> listOf(String text) {
        List<String> parts =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (parts.contains("")) {
            throw new IllegalArgumentException();
        }
        return parts;
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

    /** The key and the type. */
    @Override
    public String toString() {
        return "PluginSetting[" + key + ", " + type.getSimpleName() + "]";
    }
}
