package dev.latchkey.examples.nodes;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/** Requests to nodes: one, or without end on some threads. */
final class Load {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long ONE_SECOND = Duration.ofSeconds(1).toNanos();

    private Load() {}

    /** With a body it is a POST of a form. */
    static HttpResponse<String> send(String address, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
            request.POST(BodyPublishers.ofString(body));
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IllegalStateException if the answer is another one */
    static String expect(int status, HttpResponse<String> response) {
        if (response.statusCode() != status) {
            throw new IllegalStateException(
                    "Expected " + status + ", got " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** The text of this member of an answer. */
    static String member(String name, String json) {
        int begin = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(begin, json.indexOf('"', begin));
    }

    /** The rate of some threads with calls one after another; each call gets its number. */
    static double perSecond(int threads, int seconds, IntConsumer request) throws Exception {
        long end = System.nanoTime() + seconds * ONE_SECOND;
        LongAdder sent = new LongAdder();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(pool.submit(() -> {
                while (System.nanoTime() < end) {
                    request.accept(number);
                    sent.increment();
                }
            }));
        }
        try {
            for (Future<?> each : running) {
                each.get(10, TimeUnit.MINUTES);
            }
        } finally {
            pool.shutdownNow();
        }
        return sent.sum() / (double) seconds;
    }
}
