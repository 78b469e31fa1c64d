package dev.latchkey.examples.apikey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.SettingsReference;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.factory.PluginConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyPluginTest {

    private static final String PREFIX = "latchkey.plugin.api-key.";
    private static final Subject ADA = Subject.of("ada").withAuthorities("ROLE_USER", "SCOPE_read");

    @TempDir
    Path directory;

    private KeyFixture keys;

    @BeforeEach
    void writeKeys() throws IOException {
        keys = KeyFixture.in(directory).write(KeyFixture.ADA_LINE);
    }

    @Test
    void jarAndName_areAllThatASelectionNeeds() {
        PluginDirectory directoryOfPlugins = PluginDirectory.discover(getClass().getClassLoader());
        try (AuthChain chain = directoryOfPlugins.select(
                List.of("api-key"), name -> config(Map.of("file", keys.file().toString())), PluginHost.ALONE)) {
            Credentials read =
                    chain.readers().of(header("x-api-key", KeyFixture.ADA_KEY)).get(0);
            assertThat(chain.authenticate(read)).isInstanceOfSatisfying(Authenticated.class, login -> {
                assertThat(login.subject()).isEqualTo(ADA);
                assertThat(login.plugin()).isEqualTo("api-key");
            });
        }
    }

    @Test
    void misspeltSetting_isAStartUpErrorThatNamesIt() {
        PluginDirectory directoryOfPlugins = PluginDirectory.discover(getClass().getClassLoader());
        Map<String, String> settings = Map.of("file", keys.file().toString(), "haeder", "X-Key");
        assertThatThrownBy(
                        () -> directoryOfPlugins.select(List.of("api-key"), name -> config(settings), PluginHost.ALONE))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining(PREFIX + "haeder");
    }

    @Test
    void missingFileSetting_isAnErrorThatNamesTheKey() {
        assertThatThrownBy(() -> create(Map.of()))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining(PREFIX + "file");
    }

    @Test
    void fileThatIsNotThereAtStart_isAnErrorThatNamesIt() {
        assertThatThrownBy(() ->
                        create(Map.of("file", directory.resolve("none.txt").toString())))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining("the setting file")
                .hasStackTraceContaining("none.txt");
    }

    @Test
    void headerOfAnotherName_isReadInsteadOfTheDefault() {
        ApiKeyPlugin plugin = (ApiKeyPlugin) create(Map.of("file", keys.file().toString(), "header", "X-Acme-Key"));
        assertThat(plugin.read(header("X-Acme-Key", KeyFixture.ADA_KEY))).isPresent();
        assertThat(plugin.read(header("X-API-Key", KeyFixture.ADA_KEY))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X API Key", "X-Key:", "X-K\u00E9y", "X\nY", "(key)"})
    void headerThatIsNoFieldName_isAnErrorThatNamesTheKey(String header) {
        assertThatThrownBy(() -> create(Map.of("file", keys.file().toString(), "header", header)))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining(PREFIX + "header");
    }

    @Test
    void unknownKey_isRejected() {
        assertThat(decide(KeyFixture.UNKNOWN_KEY)).isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Test
    void digestOfAKey_isNoKey() {
        String digest = KeyFixture.digest(KeyFixture.ADA_KEY);
        assertThat(decide(digest)).isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 256})
    void keyOfAllowedLength_isAuthenticated(int length) throws IOException {
        String key = "k".repeat(length);
        keys.write(KeyFixture.line("ada", key, ""));
        assertThat(decide(key)).isEqualTo(Authenticated.as(Subject.of("ada")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 257})
    void keyOfOtherLength_isMalformedEvenWhereItsDigestIsListed(int length) throws IOException {
        String key = "k".repeat(length);
        keys.write(KeyFixture.line("ada", key, ""));
        assertThat(decide(key))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("key_length"));
    }

    @Test
    void fieldThatStandsTwice_isRefused() {
        RequestContext twice =
                RequestContext.none().withHeader("X-API-Key", KeyFixture.UNKNOWN_KEY, KeyFixture.ADA_KEY);
        assertRefused(twice);
        RequestContext same = RequestContext.none().withHeader("X-API-Key", KeyFixture.ADA_KEY, KeyFixture.ADA_KEY);
        assertRefused(same);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\tb", "a\0", "\u007F", "\u00E9", "\uD800"})
    void valueThatIsNoKey_isRefused(String value) {
        assertRefused(header("X-API-Key", value));
    }

    private void assertRefused(RequestContext request) {
        Credentials read = keys.plugin().read(request).orElseThrow();
        assertThat(keys.plugin().authenticate((ApiKeyCredentials) read, request))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void closedPlugin_saysSoInItsDetail() {
        ApiKeyPlugin plugin = keys.plugin();
        plugin.close();
        assertThat(plugin.authenticate(ApiKeyCredentials.of(KeyFixture.ADA_KEY), RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("plugin_closed"));
    }

    @Test
    void metadataAndTable_areMadeOfTheDescriptions() throws IOException {
        SettingsReference reference = SettingsReference.of(FACTORY);
        reference.assertTable(Path.of("README.md"));
        reference.assertMetadata(Path.of("src/main/resources/META-INF/spring-configuration-metadata.json"));
    }

    private Decision decide(String key) {
        return keys.plugin().authenticate(ApiKeyCredentials.of(key), RequestContext.none());
    }

    private static final ApiKeyPluginFactory FACTORY = new ApiKeyPluginFactory();

    private static AuthPlugin create(Map<String, String> settings) {
        return config(settings).create(FACTORY.type(), FACTORY, PluginHost.ALONE);
    }

    private static PluginConfig config(Map<String, String> settings) {
        return PluginConfig.of(PREFIX, settings);
    }

    private static RequestContext header(String name, String value) {
        return RequestContext.none().withHeader(name, value);
    }
}
