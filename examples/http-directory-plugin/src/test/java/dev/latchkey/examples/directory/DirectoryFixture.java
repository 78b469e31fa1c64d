package dev.latchkey.examples.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The directory with its answers and accounts, and settings with short times. */
final class DirectoryFixture {

    static final String SERVICE_KEY = "key-of-the-service-1815";
    static final String PASSWORD = "Correct-Horse-7";
    /** The beginning of further names with the same password. */
    static final String ONE_OF_MANY = "user-";

    static final String WRONG_PASSWORD = "Incorrect-Horse";
    static final Duration TIMEOUT = Duration.ofMillis(400);
    static final Duration PATIENT = Duration.ofSeconds(20);
    static final Duration PAUSE = Duration.ofMillis(100);

    private static final Map<String, String> PASSWORDS =
            Map.of("ada", PASSWORD, "grace", "Battery-Staple-9", "linus", "0123456789".repeat(10));
    private static final JsonMapper JSON = new JsonMapper();

    private DirectoryFixture() {}

    static PasswordCredentials login(String name) {
        return login(name, PASSWORDS.get(name));
    }

    static PasswordCredentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    /** For the kit, which waits for each of many time-outs. */
    static HttpDirectoryPlugin pluginAt(URI url) {
        return pluginAt(url, TIMEOUT);
    }

    static HttpDirectoryPlugin pluginAt(URI url, Duration timeout) {
        return new HttpDirectoryPlugin(
                "directory", new DirectorySettings(url, Secret.of(SERVICE_KEY), timeout, timeout, 32, PAUSE));
    }

    static void answer(HttpExchange request) throws IOException {
        send(request, answerTo(request));
    }

    /** Decides about logins, for the service alone. */
    static String answerTo(HttpExchange request) throws IOException {
        if (!("Bearer " + SERVICE_KEY).equals(request.getRequestHeaders().getFirst("Authorization"))) {
            throw new IOException("Not the service");
        }
        JsonNode question = JSON.readTree(request.getRequestBody());
        String name = question.get("username").textValue();
        String password = name.startsWith(ONE_OF_MANY) ? PASSWORD : PASSWORDS.get(name);
        if (password == null) {
            return "{\"result\":\"unknown\"}";
        }
        return password.equals(question.get("password").textValue())
                ? "{\"result\":\"accepted\",\"subject\":\"" + name + "\",\"authorities\":[\"ROLE_USER\"]}"
                : "{\"result\":\"refused\"}";
    }

    static void send(HttpExchange request, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().set("Content-Type", "application/json");
        request.sendResponseHeaders(200, bytes.length);
        request.getResponseBody().write(bytes);
        request.close();
    }
}
