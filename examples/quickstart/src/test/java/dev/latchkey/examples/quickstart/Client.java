package dev.latchkey.examples.quickstart;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the service by HTTP alone. */
final class Client {

    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofMinutes(1)).build();
    private final String base;

    Client(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    HttpResponse<String> login(String username, String password) throws IOException, InterruptedException {
        return postJson("/auth/token", "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(username, password));
    }

    String tokenOf(String username, String password) throws IOException, InterruptedException {
        HttpResponse<String> response = login(username, password);
        Matcher token = ACCESS_TOKEN.matcher(response.body());
        if (response.statusCode() != 200 || !token.find()) {
            throw new AssertionError("No token: " + response.statusCode() + " " + response.body());
        }
        return token.group(1);
    }

    /** All counts of the service, as a user sees them. */
    String counts(String token) throws IOException, InterruptedException {
        return send(request("/actuator/counts").header("Authorization", "Bearer " + token))
                .body();
    }

    static double count(String counts, String name) {
        Matcher number = Pattern.compile("\"" + name + "\":([0-9.E-]+)").matcher(counts);
        if (!number.find()) {
            throw new AssertionError("No " + name + " in " + counts);
        }
        return Double.parseDouble(number.group(1));
    }

    HttpResponse<String> postJson(String path, String body) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    HttpResponse<String> getWith(String header, String value) throws IOException, InterruptedException {
        return send(request("/api/me").header(header, value));
    }

    HttpResponse<String> meWithToken(String token) throws IOException, InterruptedException {
        return getWith("Authorization", "Bearer " + token);
    }

    HttpResponse<String> meWithBasic(String username, String password) throws IOException, InterruptedException {
        return getWith("Authorization", basic(username, password));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofMinutes(2)).build(), BodyHandlers.ofString());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    static String basic(String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }
}
