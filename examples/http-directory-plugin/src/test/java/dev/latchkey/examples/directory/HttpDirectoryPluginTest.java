package dev.latchkey.examples.directory;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.contract.SettingsReference;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.PluginSelectionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings, several instances, and the circuit. */
class HttpDirectoryPluginTest {

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer directory;
    private volatile boolean down;

    @BeforeEach
    void start() throws Exception {
        directory = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        directory.createContext("/", request -> {
            asked.incrementAndGet();
            if (down) {
                request.close();
            } else {
                DirectoryFixture.answer(request);
            }
        });
        directory.start();
    }

    @AfterEach
    void stop() {
        directory.stop(0);
    }

    @Test
    void twoDirectoriesOfOneType_haveTheirOwnCircuits() {
        Map<String, PluginConfig> configs = Map.of(
                "emea", config("emea", Map.of("url", url())),
                "apac", config("apac", Map.of("url", "http://127.0.0.1:1/")));
        try (AuthChain chain = PluginDirectory.discover(getClass().getClassLoader())
                .select(List.of("emea", "apac"), configs::get, PluginHost.ALONE)) {
            for (int call = 0; call < 10; call++) {
                assertThat(chain.authenticate(DirectoryFixture.login("ada", DirectoryFixture.WRONG_PASSWORD)))
                        .as("rejected by emea, and apac is down")
                        .isRejectedBecause(RejectionReason.BAD_CREDENTIALS);
            }
            assertThat(chain.authenticate(DirectoryFixture.login("ada"))).isDecidedBy("emea");
        }
    }

    @Test
    void directoryThatFails_isLeftAloneAfterFiveCalls() {
        down = true;
        PluginConfig config = config("directory", Map.of("url", url(), "pause", "1h"));
        try (HttpDirectoryPlugin plugin = new HttpDirectoryPlugin(
                "directory",
                DirectorySettings.of(config.environment("directory", DirectorySettings.ALL, PluginHost.ALONE)))) {
            for (int call = 0; call < 8; call++) {
                assertThatThrownBy(() -> plugin.authenticate(DirectoryFixture.login("ada"), RequestContext.none()))
                        .isInstanceOf(AuthUnavailableException.class);
            }
        }
        assertThat(asked).hasValue(5);
    }

    @Test
    void nameThatCannotBeAsked_isRefusedHere_andDoesNotOpenTheCircuit() {
        try (HttpDirectoryPlugin plugin = DirectoryFixture.pluginAt(URI.create(url()), DirectoryFixture.PATIENT)) {
            for (String name : List.of("a".repeat(256), "user\uD800name")) {
                for (int call = 0; call < 10; call++) {
                    assertThat(plugin.authenticate(DirectoryFixture.login(name, "any"), RequestContext.none()))
                            .isRejectedBecause(RejectionReason.MALFORMED);
                }
            }
            assertThat(asked).hasValue(0);
            assertThat(plugin.authenticate(DirectoryFixture.login("ada"), RequestContext.none()))
                    .isAuthenticatedAs("ada");
        }
    }

    @Test
    void unknownName_wrongPassword_andNameOfAnotherSource_areOneCallEach() {
        try (HttpDirectoryPlugin plugin = DirectoryFixture.pluginAt(URI.create(url()), DirectoryFixture.PATIENT)) {
            assertThat(plugin.authenticate(DirectoryFixture.login("alan", "any"), RequestContext.none()))
                    .isRejectedBecause(RejectionReason.UNKNOWN_ACCOUNT);
            assertThat(asked).hasValue(1);
            assertThat(plugin.authenticate(DirectoryFixture.login("ada", "any"), RequestContext.none()))
                    .isRejectedBecause(RejectionReason.BAD_CREDENTIALS);
            assertThat(asked).hasValue(2);
            plugin.unrecognized(DirectoryFixture.login("bob", "any"));
            assertThat(asked).hasValue(3);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "url, '', latchkey.plugin.emea.url: it is required",
        "url, http://directory.example/, latchkey.plugin.emea.url must be an https address",
        "url, not a url, latchkey.plugin.emea.url must be an https address",
        "service-key, '', latchkey.plugin.emea.service-key: it is required",
        "max-calls, 0, latchkey.plugin.emea.max-calls must be from 1 to 1000",
        "timeout, soon, latchkey.plugin.emea.timeout must be a duration",
        "port, 1, latchkey.plugin.emea.port"
    })
    void settingThatIsWrong_isNamed(String key, String value, String message) {
        Map<String, String> settings = new HashMap<>(Map.of("url", "https://directory.example/login"));
        settings.put(key, value);
        PluginConfig config = config("emea", settings);
        assertThatThrownBy(() -> PluginDirectory.discover(getClass().getClassLoader())
                        .select(List.of("emea"), name -> config, PluginHost.ALONE))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void metadataAndTable_areMadeOfTheDescriptions() throws IOException {
        SettingsReference reference = SettingsReference.of(new HttpDirectoryPluginFactory());
        reference.assertTable(Path.of("README.md"));
        reference.assertMetadata(Path.of("src/main/resources/META-INF/spring-configuration-metadata.json"));
    }

    private String url() {
        return "http://127.0.0.1:" + directory.getAddress().getPort() + "/login";
    }

    private static PluginConfig config(String name, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "type",
                "http-directory",
                "service-key",
                DirectoryFixture.SERVICE_KEY,
                "timeout",
                "20s",
                "connect-timeout",
                "20s"));
        all.putAll(settings);
        return PluginConfig.of("latchkey.plugin." + name + ".", all);
    }
}
