package dev.latchkey.benchmarks.load;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Single requests beside the load: to warm up, and to get a token. */
public final class Visitor {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 60;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final int port;

    public Visitor(int port) {
        this.port = port;
    }

    /** The token from the service's own login. */
    public String token(String account) {
        return Call.tokenIn(send(request("/login")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(
                                "username=" + account + "&password=" + Accounts.password(account))))
                .body());
    }

    /** Logs each of these accounts in once with Basic, from a separate address each. */
    public void logInAll(List<String> accounts) {
        IntStream.range(0, 4).parallel().forEach(worker -> {
            for (int i = worker; i < accounts.size(); i += 4) {
                logIn(accounts.get(i), Addresses.of(i));
            }
        });
    }

    /** Retries after a second on request of the service. */
    private void logIn(String account, String address) {
        HttpRequest.Builder request = request("/basic/hello")
                .header("Authorization", Call.basic(account, Accounts.password(account)))
                .header("X-Forwarded-For", address);
        for (int attempt = 0; send(request).statusCode() != 200; attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException("An account could not log in");
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString()).join();
    }
}
