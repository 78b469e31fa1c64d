package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of a plugin's settings, and the environment of the plugin. */
class PluginConfigTest {

    private static final String PREFIX = "latchkey.plugin.acme.";

    private static final PluginSetting<String> URL =
            PluginSetting.text("url", "an address").required();
    private static final PluginSetting<Duration> TIMEOUT =
            PluginSetting.duration("timeout", "a time").within("1ms", "1m").withDefault("5s");
    private static final PluginSetting<Secret> KEY = PluginSetting.secret("service-key", "a key");
    private static final List<PluginSetting<?>> ALL = List.of(URL, TIMEOUT, KEY);

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void blankValue_isAsIfNotSet(String blank) {
        PluginEnvironment environment = environment(Map.of("url", "x", "service-key", blank, "timeout", blank));
        assertThat(environment.find(KEY)).isEmpty();
        assertThat(environment.get(TIMEOUT)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void settingThatIsSet_isReadInsteadOfTheDefault() {
        assertThat(environment(Map.of("url", "x", "timeout", "7s")).get(TIMEOUT))
                .isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void allMistakes_areSaidAtOnce_withTheirOrigins_withoutTheValues() {
        PluginConfig config = PluginConfig.of(
                PREFIX,
                Map.of("timeout", "hunter2", "servicekye", "hunter3", "service-key", "hunter4\uD800"),
                List.of(),
                key -> key.endsWith("timeout") ? "application.yaml - 3:5" : "");
        assertThatThrownBy(() -> config.environment("acme", ALL, PluginHost.ALONE))
                .isInstanceOf(PluginConfigException.class)
                .hasMessage("Set latchkey.plugin.acme.url: it is required"
                        + "; latchkey.plugin.acme.timeout must be a duration such as 30s, 5m or PT5M"
                        + " (set in application.yaml - 3:5)"
                        + "; latchkey.plugin.acme.service-key must be well-formed text"
                        + "; There is no setting latchkey.plugin.acme.servicekye"
                        + "; the settings are service-key, timeout, type, url")
                .hasNoCause();
    }

    @Test
    void unknownKey_isNamedWithItsOrigin() {
        PluginConfig config = PluginConfig.of(PREFIX, Map.of("ulr", "x"), List.of(), key -> "the environment");
        assertThat(config.mistakes(List.of()))
                .containsExactly(
                        "There is no setting latchkey.plugin.acme.ulr (set in the environment); the settings are type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"service-key", "servicekey", "serviceKey", "SERVICE_KEY", "service_key"})
    void key_isFoundInEachSpelling(String spelling) {
        PluginEnvironment environment = environment(Map.of("url", "x", spelling, "k"));
        assertThat(environment.find(KEY)).isPresent();
    }

    @Test
    void keyInTwoSpellings_isAnErrorUnlessBothSayTheSame() {
        assertThat(environment(Map.of("url", "x", "service-key", "k", "servicekey", "k"))
                        .find(KEY))
                .isPresent();
        assertThatThrownBy(() -> PluginConfig.of(PREFIX, Map.of("service-key", "hunter2", "servicekey", "hunter3")))
                .isInstanceOf(PluginConfigException.class)
                .hasMessage(
                        PREFIX + "service-key and " + PREFIX + "servicekey are one setting with two values; keep one");
    }

    @Test
    void settingOfTheHost_isCheckedWithoutADescription() {
        PluginSetting<Long> most = PluginSetting.number("most", "a bound");
        PluginConfig config = ofTheHost(most, "7");
        assertThat(config.mistakes(ALL)).isEmpty();
        assertThat(config.find(most)).contains(7L);
        assertThat(PluginConfig.empty().find(most)).isEmpty();
        assertThat(ofTheHost(most, "many").mistakes(ALL)).containsExactly(PREFIX + "most must be a whole number");
    }

    private static PluginConfig ofTheHost(PluginSetting<Long> most, String value) {
        return PluginConfig.of(PREFIX, Map.of("url", "x", "most", value), List.of(most), key -> "");
    }

    @Test
    void settingsChangedLater_areNotSeen() {
        Map<String, String> values = new HashMap<>(Map.of("url", "old"));
        PluginEnvironment environment = environment(values);
        values.put("url", "new");
        assertThat(environment.get(URL)).isEqualTo("old");
    }

    @Test
    void settingThatTheFactoryDoesNotDescribe_isRefused() {
        PluginSetting<String> other = PluginSetting.text("other", "a text");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment(Map.of("url", "x")).find(other))
                .withMessage("The factory's settings() lack other");
    }

    @Test
    void mistakesBetweenSettings_nameTheKey() {
        PluginEnvironment environment = environment(Map.of("url", "x"));
        assertThat(environment.wrong(URL, "an address")).hasMessage(PREFIX + "url must be an address");
        assertThat(environment.missing(KEY)).hasMessage("Set " + PREFIX + "service-key: it is required");
        assertThatThrownBy(() -> environment.get(KEY)).hasMessage("Set " + PREFIX + "service-key: it is required");
    }

    @Test
    void secretsAreKnownAfterTheCheck() {
        PluginConfig config = PluginConfig.of(PREFIX, Map.of("url", "public", "service-key", "hunter2"));
        config.mistakes(ALL);
        assertThat(config.hasSecretIn("x hunter2 y")).isTrue();
        assertThat(config.hasSecretIn("x public y")).isFalse();
    }

    @Test
    void environment_hasTheNameAndTheTimeOfTheService() {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        PluginEnvironment environment =
                PluginConfig.empty().environment("acme", List.of(), new PluginHost(clock, List.of()));
        assertThat(environment.name()).isEqualTo("acme");
        assertThat(environment.clock()).isSameAs(clock);
        assertThat(environment).hasToString("PluginEnvironment[acme]");
    }

    @Test
    void events_reachEveryListener_evenIfAnotherFails() {
        List<AuthEvent> heard = new ArrayList<>();
        AuthListener failing = event -> {
            throw new IllegalStateException("no registry");
        };
        PluginEnvironment environment = PluginConfig.empty()
                .environment("acme", List.of(), new PluginHost(InstantSource.system(), List.of(failing, heard::add)));
        environment.count("server_failed");
        assertThat(heard).containsExactly(new AuthEvent.Counted("acme", "server_failed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Server failed", "a-b", "alice@example.org"})
    void eventOfAnotherForm_isRefused(String event) {
        PluginEnvironment environment = environment(Map.of("url", "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> environment.count(event));
        assertThatIllegalArgumentException().isThrownBy(() -> environment.count("a".repeat(65)));
    }

    @Test
    void toString_hasTheKeysAndNotTheValues() {
        assertThat(PluginConfig.of(PREFIX, Map.of("key", "hunter2"))).hasToString("PluginConfig[key]");
    }

    private static PluginEnvironment environment(Map<String, String> values) {
        return PluginConfig.of(PREFIX, values).environment("acme", ALL, PluginHost.ALONE);
    }
}
