package dev.latchkey.examples.apikey;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.contract.CredentialsReaderContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.factory.AuthPluginFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Whether the plugin keeps the contracts of its two roles. */
class ApiKeyPluginContractTest {

    @TempDir
    Path directory;

    private ApiKeyPlugin plugin() throws IOException {
        return KeyFixture.in(directory)
                .write(KeyFixture.ADA_LINE, KeyFixture.GRACE_LINE)
                .plugin();
    }

    @Nested
    class Source extends LoginSourceContract {

        @Override
        protected ApiKeyPlugin newPlugin() throws IOException {
            return plugin();
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
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(ApiKeyCredentials.of(KeyFixture.GRACE_KEY));
        }

        @Override
        protected Optional<ApiKeyPlugin> newPluginInOutage() throws IOException {
            Path other = Files.createTempDirectory(directory, "gone");
            KeyFixture keys = KeyFixture.in(other).write(KeyFixture.ADA_LINE);
            ApiKeyPlugin plugin = keys.plugin();
            Files.delete(keys.file());
            return Optional.of(plugin);
        }

        @Override
        protected Optional<AuthPluginFactory> factory() {
            return Optional.of(new ApiKeyPluginFactory());
        }

        @Override
        protected Map<String, String> settings() throws IOException {
            Path file = KeyFixture.in(directory).write(KeyFixture.ADA_LINE).file();
            return Map.of("file", file.toString(), "header", "X-Key");
        }
    }

    @Nested
    class Reader extends CredentialsReaderContract {

        @Override
        protected ApiKeyPlugin newPlugin() throws IOException {
            return plugin();
        }

        @Override
        protected RequestContext requestWithCredentials() {
            return RequestContext.none().withHeader("X-API-Key", KeyFixture.ADA_KEY);
        }
    }
}
