package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginConfigTest {

    private static final String PREFIX = "latchkey.plugin.acme.";

    @Test
    void text_comesWithoutTheWhiteSpaceAroundIt() {
        assertThat(config("  a b\t").text("key")).contains("a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void blankValue_isAsIfNotSet(String blank) {
        PluginConfig config = config(blank);
        assertThat(config.text("key")).isEmpty();
        assertThat(config.number("key")).isEmpty();
        assertThat(config.duration("key")).isEmpty();
        assertThat(config.path("key")).isEmpty();
        assertThat(config.secret("key")).isEmpty();
    }

    @Test
    void keyThatIsNotSet_isEmpty() {
        assertThat(PluginConfig.empty().text("key")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void wholeNumber_isRead(long number) {
        assertThat(config(Long.toString(number)).number("key")).contains(number);
    }

    @ParameterizedTest
    @CsvSource({
        "0ms, PT0S",
        "500ms, PT0.5S",
        "30s, PT30S",
        "5m, PT5M",
        "12h, PT12H",
        "7d, PT168H",
        "999999999999s, PT277777777H46M39S",
        "PT5M, PT5M",
        "P2D, PT48H",
        "' 30s ', PT30S"
    })
    void duration_isReadAsPeopleWriteIt(String text, Duration expected) {
        assertThat(config(text).duration("key")).contains(expected);
    }

    @Test
    void path_isRead() {
        assertThat(config("keys/api.txt").path("key")).contains(Path.of("keys", "api.txt"));
    }

    @Test
    void secret_isReadAndNotPrinted() {
        Secret secret = config("hunter2-hunter2").secret("key").orElseThrow();
        assertThat(secret.matches(Secret.of("hunter2-hunter2"))).isTrue();
        assertThat(secret.toString()).doesNotContain("hunter2");
    }

    static Stream<Arguments> wrongValues() {
        BiFunction<PluginConfig, String, Object> number = PluginConfig::number;
        BiFunction<PluginConfig, String, Object> duration = PluginConfig::duration;
        BiFunction<PluginConfig, String, Object> path = PluginConfig::path;
        BiFunction<PluginConfig, String, Object> secret = PluginConfig::secret;
        return Stream.of(
                Arguments.of(number, "hunter2", "a whole number"),
                Arguments.of(number, "9223372036854775808", "a whole number"),
                Arguments.of(number, "-9223372036854775809", "a whole number"),
                Arguments.of(number, "1.5", "a whole number"),
                Arguments.of(number, "1e3", "a whole number"),
                Arguments.of(number, "0x10", "a whole number"),
                Arguments.of(duration, "hunter2", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(duration, "30", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(duration, "30 s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(duration, "-30s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(duration, "1000000000000s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(duration, "PT9999999999999999H", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(path, "keys\0.txt", "a path"),
                Arguments.of(secret, "hunter2\uD800", "well-formed text"));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void wrongValue_isAnErrorThatNamesKeyAndRuleAndNotTheValue(
            BiFunction<PluginConfig, String, Object> reader, String value, String rule) {
        assertThatThrownBy(() -> reader.apply(config(value), "key"))
                .isInstanceOf(PluginConfigException.class)
                .hasMessage(PREFIX + "key must be " + rule)
                .hasNoCause();
    }

    @Test
    void missingKey_isAnErrorThatNamesIt() {
        assertThat(PluginConfig.of(PREFIX, Map.of()).missing("file").get())
                .hasMessage("Set latchkey.plugin.acme.file: it is required");
    }

    @Test
    void wrongKey_isAnErrorThatNamesIt() {
        assertThat(PluginConfig.of(PREFIX, Map.of()).wrong("file", "a file that exists"))
                .hasMessage("latchkey.plugin.acme.file must be a file that exists");
    }

    @Test
    void keysThatNobodyAskedFor_areUnread() {
        PluginConfig config = PluginConfig.of(PREFIX, Map.of("a", "1", "b", "2", "c", "3"));
        config.number("b");
        assertThat(config.unread()).containsExactly(PREFIX + "a", PREFIX + "c");
    }

    @Test
    void key_isFoundInWhateverSpellingItWasSet() {
        for (String spelling : List.of("service-key", "servicekey", "serviceKey", "SERVICE_KEY", "service_key")) {
            PluginConfig config = PluginConfig.of(PREFIX, Map.of(spelling, "x"));
            assertThat(config.unread()).containsExactly(PREFIX + spelling);
            assertThat(config.text("service-key")).as(spelling).contains("x");
            assertThat(config.unread()).isEmpty();
            assertThat(config.read()).containsExactly("service-key");
        }
    }

    @Test
    void keyInTwoSpellings_isAnErrorUnlessBothSayTheSame() {
        assertThat(PluginConfig.of(PREFIX, Map.of("service-key", "x", "servicekey", "x"))
                        .text("service-key"))
                .contains("x");
        assertThatThrownBy(() -> PluginConfig.of(PREFIX, Map.of("service-key", "hunter2", "servicekey", "hunter3")))
                .isInstanceOf(PluginConfigException.class)
                .hasMessage(
                        PREFIX + "service-key and " + PREFIX + "servicekey are one setting with two values; keep one");
    }

    @Test
    void keyThatWasAskedForAndIsWrong_isNotUnread() {
        PluginConfig config = config("none");
        assertThatThrownBy(() -> config.number("key")).isInstanceOf(PluginConfigException.class);
        assertThat(config.unread()).isEmpty();
    }

    @Test
    void settingsChangedLater_areNotSeen() {
        Map<String, String> values = new HashMap<>(Map.of("key", "old"));
        PluginConfig config = PluginConfig.of(PREFIX, values);
        values.put("key", "new");
        assertThat(config.text("key")).contains("old");
    }

    @Test
    void toString_hasTheKeysAndNotTheValues() {
        assertThat(config("hunter2")).hasToString("PluginConfig[key]");
    }

    private static PluginConfig config(String value) {
        return PluginConfig.of(PREFIX, Map.of("key", value));
    }
}
