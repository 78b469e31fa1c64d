package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Tally;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures the cost of requests in a service's process. The speed of the answers does not matter, nor does other load on the
 * machine, except through shared caches; so the result is steadier than any rate. A reading takes a time and not a number of
 * requests, so that a slow machine takes no longer.
 */
public final class Ruler implements AutoCloseable {

    /** The clients of the generator: more requests than a single client can send in the same time. */
    public static final int CLIENTS = 16;

    private static final String CLIENT = Addresses.of(1);
    private static final double NANOS_PER_MICRO = 1e3;

    /** Before the first reading: the cost of a connection belongs to a request only with a new connection for each request. */
    private static final int BEFORE = 2;

    /** When many guesses at one account wait for each other, a slow moment of the machine turns a 429 into a 503. */
    private static final double MOST_UNEXPECTED = 0.01;

    /** Of Tomcat; a carrier, if request threads are virtual. */
    private static final Pattern REQUEST_THREAD = Pattern.compile("http-nio|ForkJoinPool");

    private final ServiceProcess service;
    private final ServerView view;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> leftOut = new ArrayList<>();

    public Ruler(ServiceProcess service) {
        this.service = service;
        this.view = ServerView.of(service);
    }

    /** The number of parallel requests, and the status of their answers. */
    public record Asked(int connections, Supplier<HttpRequest> request, int status) {}

    public int port() {
        return service.port();
    }

    /** One client repeats the request to the small services' endpoint, each time after the answer. */
    public Asked alone(Way way, String credentials) {
        HttpRequest request = way.request(port(), credentials, CLIENT);
        return new Asked(1, () -> request, 200);
    }

    /** The generator's clients repeat the same request as fast as they get answers. */
    public Tally load(Connections connections, String credentials, Duration duration) {
        Call call =
                Call.get("hello", "/hello").with("Authorization", credentials).with("X-Forwarded-For", CLIENT);
        return Load.run(port(), connections, duration, Crowd.closed("clients", CLIENTS, call))
                .get("hello");
    }

    /**
     * The mean over all requests of this time.
     *
     * @throws IllegalStateException if more than a few were answered with another status
     */
    public Cost measure(Asked asked, Duration time) {
        for (int i = 0; i < BEFORE; i++) {
            unexpected(asked);
        }
        long bytesBefore = view.allocatedBytes();
        ThreadTimes before = ThreadTimes.of(service.pid());
        long begin = System.nanoTime();
        long times = 0;
        long unexpected = 0;
        do {
            unexpected += unexpected(asked);
            times++;
        } while (System.nanoTime() - begin < time.toNanos());
        long nanos = ThreadTimes.of(service.pid()).since(before, leftOut);
        long bytes = view.allocatedBytes() - bytesBefore;
        double requests = (double) times * asked.connections();
        if (unexpected > MOST_UNEXPECTED * requests) {
            throw new IllegalStateException(unexpected + " of " + requests + " were not answered " + asked.status());
        }
        return new Cost(nanos / NANOS_PER_MICRO / requests, bytes / requests);
    }

    /** Asks as {@link #measure} does, without a measurement: a cold service may refuse some requests for another reason. */
    public void warmUp(Asked asked, Duration time) {
        long begin = System.nanoTime();
        do {
            answers(asked);
        } while (System.nanoTime() - begin < time.toNanos());
    }

    private long unexpected(Asked asked) {
        return answers(asked).stream()
                .filter(status -> status != asked.status())
                .count();
    }

    /** All connections ask once, then all wait until all are answered. */
    private List<Integer> answers(Asked asked) {
        List<CompletableFuture<Integer>> answers = Stream.generate(asked.request())
                .limit(asked.connections())
                .map(this::send)
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** A further request outside the measurement; returns its status. */
    public CompletableFuture<Integer> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.discarding()).thenApply(answer -> answer.statusCode());
    }

    /** Excludes the busy request thread from now on. No other request may run during this call. */
    public void leaveOutBusyRequest() throws InterruptedException {
        ThreadTimes before = ThreadTimes.of(service.pid());
        Thread.sleep(500);
        leftOut.add(ThreadTimes.of(service.pid())
                .busiestSince(
                        before,
                        thread -> REQUEST_THREAD
                                .matcher(ThreadTimes.name(service.pid(), thread))
                                .lookingAt()));
    }

    @Override
    public void close() {
        view.close();
        service.close();
    }
}
