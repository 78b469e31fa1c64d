package dev.latchkey.examples.nodes;

import dev.latchkey.examples.nodes.NodesMeasured.Row;
import dev.latchkey.examples.nodes.OpenLoad.Outcome;
import dev.latchkey.examples.nodes.ProcessorTime.Part;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time from a logout to the first rejection on the other nodes, while all nodes answer requests with a valid token. */
final class LogoutsMeasured {

    /**
     * With the warming logouts below the bound of an account. Beyond the bound, Latchkey revokes all tokens, the valid one too.
     */
    private static final int LOGOUTS_OF_A_SECOND = 40;

    private static final long LOGOUTS_APART_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ASKED_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private LogoutsMeasured() {}

    /** From the answer to the logout on one node to the first rejection on each other node. */
    static List<Row> logouts(int seconds) throws Exception {
        try (LoadedNodes nodes = LoadedNodes.start(seconds)) {
            logOut(nodes, 5 * seconds);
            OpenLoad running = nodes.load();
            ProcessorTime before = ProcessorTime.untilNow();
            long begun = System.nanoTime();
            long[] nanos = logOut(nodes, LOGOUTS_OF_A_SECOND * seconds);
            double elapsed = (System.nanoTime() - begun) / 1e9;
            ProcessorTime after = ProcessorTime.untilNow();
            Outcome load = running.stop();
            Arrays.sort(nanos);
            String under = String.format(Locale.ROOT, "under %,.0f requests/s", load.perSecond());
            return List.of(
                    Row.of(
                            "a logout seen by the other two nodes, " + under,
                            "p99 200 ms",
                            "median %d ms, p99 %d ms; good tokens refused: %d, and answered 503: %d",
                            TimeUnit.NANOSECONDS.toMillis(nanos[nanos.length / 2]),
                            TimeUnit.NANOSECONDS.toMillis(nanos[nanos.length * 99 / 100]),
                            load.refused(),
                            load.outages()),
                    Row.of(
                            "an answer to one of these requests, from when it was due",
                            "",
                            "p99 %.0f ms",
                            load.p99Millis()),
                    new Row("its processor time", parts(before, after, elapsed * load.perSecond()), ""));
        }
    }

    /** Each logout at its due time, or after the previous was seen everywhere. Returns the time until all nodes knew. */
    private static long[] logOut(LoadedNodes nodes, int times) throws IOException {
        long[] nanos = new long[times];
        long next = System.nanoTime();
        for (int i = 0; i < times; i++) {
            nanos[i] = logOutOf(nodes, i % LoadedNodes.NODES);
            next += LOGOUTS_APART_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        return nanos;
    }

    private static long logOutOf(LoadedNodes nodes, int first) throws IOException {
        String token = nodes.login(first);
        nodes.logout(first, token);
        long told = System.nanoTime();
        for (int node = 0; node < LoadedNodes.NODES; node++) {
            while (nodes.show(node, token) != 401) {
                LockSupport.parkNanos(ASKED_AGAIN_NANOS);
            }
        }
        return System.nanoTime() - told;
    }

    private static String parts(ProcessorTime before, ProcessorTime after, double requests) {
        StringJoiner text = new StringJoiner(", ");
        for (Part part : Part.values()) {
            text.add(String.format(Locale.ROOT, "%s %.0f µs", part.text, after.microsSince(before, part) / requests));
        }
        return text.toString();
    }
}
