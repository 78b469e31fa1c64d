package dev.latchkey.examples.nodes;

import dev.latchkey.examples.nodes.NodesMeasured.Row;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The precision of one throttle on three nodes: callers of each node ask for more than the rate, and wait. Counts answers on
 * arrival, in each window of a second that begins with an answer.
 */
final class ThrottlesMeasured {

    private static final int RATE = 1_000;
    private static final int NODES = 3;
    private static final int CALLERS_OF_A_NODE = 8;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The uncounted time of compilation and first bursts. */
    private static final long WARMED_FOR = 3 * SECOND;

    /**
     * The number of times that a node heard nothing from Redis for 50 ms: then the node gives the whole rate alone, for at
     * least a second.
     */
    private static final LongAdder ALONE = new LongAdder();

    private ThrottlesMeasured() {}

    /** Three times that long. */
    static List<Row> throttles(int seconds) throws Exception {
        try (SeveralNodes nodes = SeveralNodes.start(
                Listening.class,
                List.of(0, 0, 0),
                "--logging.level.root=ERROR",
                // A machine that has other work makes a figure worse, and no outage.
                "--latchkey.redis.timeout=10s",
                "--server.tomcat.max-keep-alive-requests=-1",
                "--latchkey.throttle.api.paths=/api/**",
                "--latchkey.throttle.api.global.tokens=" + RATE,
                "--latchkey.throttle.api.max-wait=30s",
                "--latchkey.throttle.api.shared=true")) {
            long begun = System.nanoTime();
            long end = begun + WARMED_FOR + 3L * seconds * SECOND;
            LongAdder outages = new LongAdder();
            ALONE.reset();
            long[] answers = Arrays.stream(answers(nodes, end, outages))
                    .filter(at -> at - begun >= WARMED_FOR)
                    .toArray();
            long[] inASecond = windows(answers);
            return List.of(Row.of(
                    "answers of three nodes with one throttle of 1,000/s, in any second",
                    "95 to 110 %",
                    "%.1f to %.1f %%, %.1f %% altogether; answered 503: %d, times that a node was by itself: %d",
                    percent((double) inASecond[0]),
                    percent((double) inASecond[inASecond.length - 1]),
                    percent((answers.length - 1) / ((answers[answers.length - 1] - answers[0]) / (double) SECOND)),
                    outages.sum(),
                    ALONE.sum()));
        }
    }

    private static double percent(double perSecond) {
        return 100 * perSecond / RATE;
    }

    /** The number of answers in each complete second that begins with an answer; the smallest first. */
    private static long[] windows(long[] answers) {
        long[] counts = new long[answers.length];
        int windows = 0;
        int next = 0;
        for (int first = 0; first < answers.length; first++) {
            while (next < answers.length && answers[next] - answers[first] < SECOND) {
                next++;
            }
            if (next == answers.length) {
                break;
            }
            counts[windows++] = (long) next - first;
        }
        long[] sorted = Arrays.copyOf(counts, windows);
        Arrays.sort(sorted);
        return sorted;
    }

    /** When each came, the earliest first. */
    private static long[] answers(SeveralNodes nodes, long end, LongAdder outages) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(NODES * CALLERS_OF_A_NODE);
        try {
            byte[] request = KeptConnection.get("/api/me", token(nodes));
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < NODES * CALLERS_OF_A_NODE; i++) {
                int port = nodes.port(i % NODES);
                all.add(callers.submit(() -> answers(port, request, end, outages)));
            }
            LongStream times = LongStream.empty();
            for (Future<long[]> each : all) {
                times = LongStream.concat(times, Arrays.stream(each.get(10, TimeUnit.MINUTES)));
            }
            return times.sorted().toArray();
        } finally {
            callers.shutdownNow();
        }
    }

    private static long[] answers(int port, byte[] request, long end, LongAdder outages) throws IOException {
        LongStream.Builder times = LongStream.builder();
        try (KeptConnection connection = KeptConnection.to(port)) {
            long now = System.nanoTime();
            while (now < end) {
                int status = connection.ask(request);
                now = System.nanoTime();
                if (status == 200) {
                    times.add(now);
                } else {
                    outages.increment();
                }
            }
        }
        return times.build().toArray();
    }

    private static String token(SeveralNodes nodes) throws IOException {
        try (KeptConnection connection = KeptConnection.to(nodes.port(0))) {
            return connection.ask(
                    KeptConnection.post(
                            "/auth/token", "username=alice&password=wonderland-tea-party", "203.0.113.1", ""),
                    "access_token");
        }
    }

    /**
     * The service with a listener for this event. Without the annotation of a configuration, so other nodes do not find this
     * class.
     */
    @Import(NodeApplication.class)
    static class Listening {

        @Bean
        ThrottleListener counting() {
            return event -> {
                if (event instanceof ThrottleEvent.StoreLost) {
                    ALONE.increment();
                }
            };
        }
    }
}
