package dev.latchkey.nacos.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The HTTP calls of clients and of the console, with a limit to each. */
public final class NacosHttp {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final HttpClient CLIENT = client();

    /**
     * For calls in the background: a client has one thread for all connections, so background answers must not delay the test.
     */
    private static final HttpClient LATER = client();

    private static final ObjectMapper JSON = new ObjectMapper();

    /** An answer, with the body as JSON if possible. */
    public record Answer(int status, String body, HttpResponse<String> response) {

        public JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException("No JSON: " + status + " " + body, e);
            }
        }

        public String token() {
            return json().path("accessToken").asText();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    private final String base;
    private final Map<String, String> headers;

    NacosHttp(String base) {
        this(base, Map.of());
    }

    private NacosHttp(String base, Map<String, String> headers) {
        this.base = base;
        this.headers = headers;
    }

    String address() {
        return base;
    }

    public NacosHttp with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new NacosHttp(base, more);
    }

    /** As a client at this address, behind the trusted proxy of these tests. */
    public NacosHttp from(String address) {
        return with("X-Forwarded-For", address);
    }

    public NacosHttp as(String token) {
        return with("accessToken", token);
    }

    public Answer login(String username, String password) {
        return post("/v3/auth/user/login", "username", username, "password", password);
    }

    /** Without a thread that waits. */
    public CompletableFuture<Answer> loginLater(String username, String password) {
        HttpRequest request = request("POST", "/v3/auth/user/login", form("username", username, "password", password));
        return LATER.sendAsync(request, BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body(), response));
    }

    public Answer get(String path, String... parameters) {
        return send("GET", path + "?" + form(parameters), "");
    }

    public Answer post(String path, String... parameters) {
        return send("POST", path, form(parameters));
    }

    public Answer put(String path, String... parameters) {
        return send("PUT", path, form(parameters));
    }

    public Answer delete(String path, String... parameters) {
        return send("DELETE", path + "?" + form(parameters), "");
    }

    /** A read of a configuration, as the clients' protocol has it over HTTP. */
    public Answer config(String group, String dataId) {
        return get("/v3/client/cs/config", "groupName", group, "dataId", dataId);
    }

    public Answer publish(String group, String dataId, String content) {
        return post("/v3/admin/cs/config", "groupName", group, "dataId", dataId, "content", content);
    }

    boolean isUp(String path) {
        try {
            return CLIENT.send(request("GET", path, ""), BodyHandlers.ofString())
                            .statusCode()
                    < 500;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @param body a form; none if empty */
    Answer send(String method, String path, String body) {
        try {
            HttpResponse<String> response = CLIENT.send(request(method, path, body), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path + " got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
    }

    private HttpRequest request(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(LIMIT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    private static String form(String... parameters) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            pairs.put(parameters[i], parameters[i + 1]);
        }
        return pairs.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
