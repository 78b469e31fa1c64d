package dev.latchkey.tests.contracts;

import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.HttpBackend;
import dev.latchkey.auth.contract.LoginSourceContract;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The kit over a plugin with a backend; the kit breaks the backend. */
class DirectoryContractTest extends LoginSourceContract {

    @Override
    protected LoginSource<?> newPlugin() throws Exception {
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
    protected Optional<HttpBackend> backend() {
        return Optional.of(HttpBackend.of(DirectoryPlugin::new, DirectoryContractTest::answer, DirectoryPlugin.TIMEOUT)
                .withGrace(Duration.ofSeconds(20)));
    }

    static void answer(HttpExchange request) throws IOException {
        answer(request, given -> {});
    }

    static void answer(HttpExchange request, Consumer<String> before) throws IOException {
        String query = request.getRequestURI().getQuery();
        String body = new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String given = body.isEmpty() ? query : body;
        before.accept(String.valueOf(given));
        byte[] answer = ("ada\nCorrect-Horse-7".equals(given) ? "yes" : "no").getBytes(StandardCharsets.UTF_8);
        request.sendResponseHeaders(200, answer.length);
        request.getResponseBody().write(answer);
        request.close();
    }
}
