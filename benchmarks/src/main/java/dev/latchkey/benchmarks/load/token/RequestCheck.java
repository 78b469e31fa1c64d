package dev.latchkey.benchmarks.load.token;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Checks the behaviour of each service before the measurement: a service that admits every caller costs little. */
public final class RequestCheck {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * Sends the service the good token, each bad token, and no token.
     *
     * @throws IllegalStateException if an answer differs from the variant's answer
     */
    public void require(RequestVariant variant, int port) {
        requireHello(variant, "with a good token", ask(port, RequestTokens.good()));
        for (Map.Entry<String, String> bad : RequestTokens.bad().entrySet()) {
            requireRefused(variant, "with a token " + bad.getKey(), ask(port, bad.getValue()));
        }
        requireRefused(variant, "without a token", ask(port, ""));
    }

    private static void requireRefused(RequestVariant variant, String kind, HttpResponse<String> answer) {
        if (!variant.checksTokens()) {
            requireHello(variant, kind, answer);
        } else if (answer.statusCode() != UNAUTHORIZED || answer.body().contains("Hello")) {
            throw wrong(variant, kind, answer);
        }
    }

    private static void requireHello(RequestVariant variant, String kind, HttpResponse<String> answer) {
        if (answer.statusCode() != OK || !answer.body().equals("Hello")) {
            throw wrong(variant, kind, answer);
        }
    }

    private static IllegalStateException wrong(RequestVariant variant, String kind, HttpResponse<String> answer) {
        return new IllegalStateException("A request " + kind + " was answered " + answer.statusCode() + " '"
                + answer.body() + "' by the variant '" + variant.title() + "'");
    }

    private HttpResponse<String> ask(int port, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello"))
                .timeout(LIMIT);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.sendAsync(request.build(), BodyHandlers.ofString()).join();
    }
}
