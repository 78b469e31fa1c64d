package dev.latchkey.benchmarks.load.token;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

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
        require(variant, port, "with a good token", RequestTokens.good(), true);
        RequestTokens.bad()
                .forEach((defect, token) ->
                        require(variant, port, "with a token " + defect, token, !variant.checksTokens()));
        require(variant, port, "without a token", "", !variant.checksTokens());
    }

    private void require(RequestVariant variant, int port, String kind, String token, boolean isAdmitted) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello"))
                .timeout(LIMIT);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer =
                client.sendAsync(request.build(), BodyHandlers.ofString()).join();
        boolean isAsExpected = isAdmitted
                ? answer.statusCode() == OK && answer.body().equals("Hello")
                : answer.statusCode() == UNAUTHORIZED && !answer.body().contains("Hello");
        if (!isAsExpected) {
            throw new IllegalStateException("A request " + kind + " was answered " + answer.statusCode() + " '"
                    + answer.body() + "' by the variant '" + variant.title() + "'");
        }
    }
}
