package dev.latchkey.examples.apikey;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** All that it takes to know whether a plugin keeps the contract. */
class ApiKeyPluginContractTest extends AuthPluginContract {

    @TempDir
    Path directory;

    @Override
    protected AuthPlugin newPlugin() throws IOException {
        return KeyFixture.in(directory)
                .write(KeyFixture.ADA_LINE, KeyFixture.GRACE_LINE)
                .plugin();
    }

    @Override
    protected Credentials validCredentials() {
        return ApiKeyCredentials.of(KeyFixture.ADA_KEY);
    }

    @Override
    protected Credentials wrongCredentials() {
        return ApiKeyCredentials.of(KeyFixture.UNKNOWN_KEY);
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(KeyFixture.ADA_KEY, KeyFixture.UNKNOWN_KEY);
    }

    @Override
    protected Optional<Credentials> credentialsWith(String text) {
        return Optional.of(ApiKeyCredentials.of(text));
    }

    @Override
    protected Optional<Credentials> secondValidCredentials() {
        return Optional.of(ApiKeyCredentials.of(KeyFixture.GRACE_KEY));
    }

    @Override
    protected Optional<AuthPlugin> newPluginInOutage() throws IOException {
        Path other = Files.createTempDirectory(directory, "gone");
        KeyFixture keys = KeyFixture.in(other).write(KeyFixture.ADA_LINE);
        AuthPlugin plugin = keys.plugin();
        Files.delete(keys.file());
        return Optional.of(plugin);
    }

    @Override
    protected Optional<RequestContext> requestWithValidCredentials() {
        return Optional.of(RequestContext.none().withHeader("X-API-Key", KeyFixture.ADA_KEY));
    }

    @Override
    protected Optional<AuthPluginFactory> factory() {
        return Optional.of(new ApiKeyPluginFactory());
    }

    @Override
    protected Optional<PluginConfig> settings() throws IOException {
        Path file = KeyFixture.in(directory).write(KeyFixture.ADA_LINE).file();
        return Optional.of(
                PluginConfig.of("latchkey.plugin.api-key.", Map.of("file", file.toString(), "header", "X-Key")));
    }
}
