package dev.latchkey.auth.factory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginSettingTest {

    private static final PluginSetting<Long> NUMBER = PluginSetting.number("number", "a number");
    private static final PluginSetting<Duration> TIME = PluginSetting.duration("time", "a time");

    @Test
    void text_comesWithoutTheWhiteSpaceAroundIt() {
        assertThat(PluginSetting.text("key", "a text").parse("  a b\t")).isEqualTo("a b");
    }

    @Test
    void list_hasTheTextsBetweenCommas() {
        assertThat(PluginSetting.list("key", "texts").parse("a, b c ,d")).containsExactly("a", "b c", "d");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void wholeNumber_isRead(long number) {
        assertThat(NUMBER.parse(Long.toString(number))).isEqualTo(number);
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
        assertThat(TIME.parse(text)).isEqualTo(expected);
    }

    @Test
    void path_isRead() {
        assertThat(PluginSetting.path("key", "a file").parse("keys/api.txt")).isEqualTo(Path.of("keys", "api.txt"));
    }

    @Test
    void secret_isReadAndNotPrinted() {
        PluginSetting<Secret> setting = PluginSetting.secret("key", "a password");
        Secret secret = setting.parse("hunter2-hunter2");
        assertThat(secret.matches(Secret.of("hunter2-hunter2"))).isTrue();
        assertThat(secret.toString()).doesNotContain("hunter2");
        assertThat(setting.isSecret()).isTrue();
        assertThat(NUMBER.isSecret()).isFalse();
    }

    static Stream<Arguments> wrongValues() {
        PluginSetting<Path> path = PluginSetting.path("key", "a file");
        PluginSetting<Secret> secret = PluginSetting.secret("key", "a password");
        return Stream.of(
                Arguments.of(NUMBER, "hunter2", "a whole number"),
                Arguments.of(NUMBER, "9223372036854775808", "a whole number"),
                Arguments.of(NUMBER, "-9223372036854775809", "a whole number"),
                Arguments.of(NUMBER, "1.5", "a whole number"),
                Arguments.of(NUMBER, "1e3", "a whole number"),
                Arguments.of(NUMBER, "0x10", "a whole number"),
                Arguments.of(TIME, "hunter2", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(TIME, "30", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(TIME, "30 s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(TIME, "-30s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(TIME, "1000000000000s", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(TIME, "PT9999999999999999H", "a duration such as 30s, 5m or PT5M"),
                Arguments.of(
                        PluginSetting.list("key", "texts"), "a,,b", "a list with nothing empty between its commas"),
                Arguments.of(path, "keys\0.txt", "a path"),
                Arguments.of(secret, "hunter2\uD800", "well-formed text"));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void wrongValue_isAnErrorWithTheRule_withoutTheValueAndItsCause(
            PluginSetting<?> setting, String value, String rule) {
        assertThatThrownBy(() -> setting.parse(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(rule)
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1ms", "PT0.5S", "1m", "60s"})
    void valueWithinTheRange_isRead(String value) {
        assertThat(TIME.within("1ms", "1m").parse(value)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "61s", "PT-1S"})
    void valueOutsideOfTheRange_isWrong(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TIME.within("1ms", "1m").parse(value))
                .withMessage("from 1ms to 1m");
    }

    @Test
    void furtherRule_isCheckedAfterTheFirst_andItsMessageIsTheRule() {
        PluginSetting<Long> even = NUMBER.within("0", "10").must(number -> number % 2 == 0, "even");
        assertThat(even.parse("4")).isEqualTo(4);
        assertThatIllegalArgumentException().isThrownBy(() -> even.parse("11")).withMessage("from 0 to 10");
        assertThatIllegalArgumentException().isThrownBy(() -> even.parse("3")).withMessage("even");
        assertThat(even.rule()).isEqualTo("even");
        assertThat(NUMBER.rule()).isEqualTo("a whole number");
    }

    @Test
    void convertedValue_hasAnotherType_andAFailureIsTheRule() {
        PluginSetting<Locale> language = PluginSetting.text("language", "a language")
                .as("a language", text -> {
                    if (text.length() != 2) {
                        throw new IllegalArgumentException("no language: " + text);
                    }
                    return Locale.forLanguageTag(text);
                });
        assertThat(language.parse("de")).isEqualTo(Locale.GERMAN);
        assertThat(language.type()).isEqualTo(String.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> language.parse("hunter2"))
                .withMessage("a language");
    }

    @Test
    void defaultIsInTheFormOfTheConfiguration_andMustBeRight() {
        assertThat(TIME.withDefault("5s").byDefault()).isEqualTo("5s");
        assertThat(TIME.byDefault()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TIME.within("1s", "2s").withDefault("5s"));
    }

    @Test
    void secretAndRequiredSetting_haveNoDefault() {
        assertThatIllegalStateException()
                .isThrownBy(() -> PluginSetting.secret("key", "a password").withDefault("changeit"));
        assertThatIllegalStateException().isThrownBy(() -> TIME.required().withDefault("5s"));
    }

    @Test
    void rangeNeedsAnOrder() {
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        PluginSetting.list("key", "texts").within("a", "b").parse("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Key", "service_key", "-key", "key-", "a--b", "a.b"})
    void keyOfAnotherForm_isRefused(String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> PluginSetting.text(key, "a text"));
    }

    @Test
    void blankDescription_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> PluginSetting.text("key", " "));
    }

    @Test
    void toString_hasKeyAndType() {
        assertThat(TIME.withDefault("5s")).hasToString("PluginSetting[time, Duration]");
    }
}
