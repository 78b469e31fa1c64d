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
 * Measures the cost of requests in a service's process. The speed of the answers does not matter. Other load on the machine
 * matters only through shared caches. So the result is steadier than any rate. A reading takes a time and not a number of
 * requests, so that a slow machine takes no longer.
 */
public final class Ruler implements AutoCloseable {

    /** The clients of the generator: more requests than a single client can send in the same time. */
    public static final int CLIENTS = 16;

    private static final String CLIENT = Addresses.of(1);
    private static final double NANOS_PER_MICRO = 1e3;

    /** Rounds of requests before each reading, to open connections. Only a request with its own connection includes this cost. */
    private static final int BEFORE = 2;

    /**
     * The allowed share of other statuses. If many guesses at an account wait, a slow moment of the machine turns a 429 into a
     * 503.
     */
    private static final double MOST_UNEXPECTED = 0.01;

    /** The names of Tomcat's request threads, and of carrier threads for virtual request threads. */
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

    /** A single client repeats the request to the endpoint of the small services, each time after the answer. */
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
     * The mean cost of a request, over all requests of this time.
     *
     * @throws IllegalStateException if more than 1 % of the answers have another status
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

    /** Sends the requests of {@link #measure} without a measurement. A cold service may answer with other statuses. */
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

    /** Sends one request on each connection, and waits for all answers. */
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
