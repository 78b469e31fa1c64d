package dev.latchkey.auth;

import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.contract.AuthPluginContract;
import dev.latchkey.auth.contract.HttpBackend;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The kit over a plugin that asks a backend, which the kit breaks. */
class DirectoryPluginContractTest extends AuthPluginContract {

    @Override
    protected AuthPlugin newPlugin() throws Exception {
        return new DirectoryPlugin(workingBackend(), HttpClient.Redirect.NEVER, Duration.ofSeconds(20));
    }

    @Override
    protected Credentials validCredentials() {
        return new PasswordCredentials("ada", Secret.of("Correct-Horse-7"));
    }

    @Override
    protected Credentials wrongCredentials() {
        return new PasswordCredentials("ada", Secret.of("Incorrect-Horse"));
    }

    @Override
    protected List<String> secretTexts() {
        return List.of("Correct-Horse-7", "Incorrect-Horse");
    }

    @Override
    protected Optional<HttpBackend> backend() {
        return Optional.of(
                HttpBackend.of(DirectoryPlugin::new, DirectoryPluginContractTest::answer, DirectoryPlugin.TIMEOUT)
                        .withGrace(Duration.ofSeconds(20)));
    }

    static void answer(HttpExchange request) throws IOException {
        String query = request.getRequestURI().getQuery();
        String body = new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String given = body.isEmpty() ? query : body;
        byte[] answer = ("ada\nCorrect-Horse-7".equals(given) ? "yes" : "no").getBytes(StandardCharsets.UTF_8);
        request.sendResponseHeaders(200, answer.length);
        request.getResponseBody().write(answer);
        request.close();
    }
}
