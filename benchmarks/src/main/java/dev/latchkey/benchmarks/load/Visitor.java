package dev.latchkey.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Single requests beside the load: to warm up, to get a token, to try as one person would. */
public final class Visitor {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private final int port;

    public Visitor(int port) {
        this.port = port;
    }

    /** The token that the service's own login gives. */
    public String token(String account) {
        String body = "username=" + account + "&password=" + Accounts.password(account);
        HttpRequest login = request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body))
                .build();
        String answer = send(login).body();
        int begin = answer.indexOf("\"access_token\":\"") + "\"access_token\":\"".length();
        return answer.substring(begin, answer.indexOf('"', begin));
    }

    /** The status of one Basic request from this address. */
    public CompletableFuture<Integer> basic(String account, String password, String address) {
        HttpRequest request = request("/basic/hello")
                .header("Authorization", Call.basic(account, password))
                .header("X-Forwarded-For", address)
                .GET()
                .build();
        return client.sendAsync(request, BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
    }

    /** Logs in as one person does who is told to come back in a second; returns how often that took, 0 if never. */
    public int insist(String account, String address, int attempts) {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            if (basic(account, Accounts.password(account), address).join() == 200) {
                return attempt;
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
        return 0;
    }

    /** Lets each of these accounts log in once with Basic, from addresses of their own. */
    public void logInAll(List<String> accounts) {
        IntStream.range(0, 4).parallel().forEach(lane -> {
            for (int i = lane; i < accounts.size(); i += 4) {
                if (insist(accounts.get(i), Addresses.of(i), 60) == 0) {
                    throw new IllegalStateException("An account could not log in");
                }
            }
        });
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(request.uri() + " answered " + answer.statusCode());
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
