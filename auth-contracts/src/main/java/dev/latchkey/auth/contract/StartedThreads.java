package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Collectors;
import org.junit.jupiter.api.function.Executable;

/** The platform threads started by some calls, recognised by their inherited thread group. */
final class StartedThreads {

    /**
     * The HTTP client of JDK 17 checks every three seconds whether its client object is still reachable, which needs a garbage
     * collection first.
     */
    private static final Duration TO_END = Duration.ofSeconds(15);

    /** The JDK's own, which serve everybody and stay. */
    private static final Set<String> OF_THE_JDK =
            Set.of("jdk.internal.misc.CarrierThread", "jdk.internal.misc.InnocuousThread");

    private final ThreadGroup group = new ThreadGroup("contract kit: calls of one plugin");

    private StartedThreads() {}

    /** Those of these calls, which are over. */
    static StartedThreads of(Executable calls) throws Exception {
        StartedThreads started = new StartedThreads();
        TimeLimit.call(started.group, TimeLimit.USUAL, "newPlugin, authenticate and close", () -> {
            try {
                calls.execute();
                return true;
            } catch (Throwable e) {
                throw TimeLimit.rethrown(e);
            }
        });
        return started;
    }

    void assertEnd() throws InterruptedException {
        long end = System.nanoTime() + TO_END.toNanos();
        for (List<Thread> alive = alive(); !alive.isEmpty(); alive = alive()) {
            if (System.nanoTime() > end) {
                fail(described(alive)
                        + "\nIf all plugins share a pool, the first plugin must start all threads of the pool");
            }
            alive.get(0).join(Duration.ofMillis(200).toMillis());
            System.gc();
        }
    }

    private List<Thread> alive() {
        Thread[] threads = new Thread[2 * group.activeCount() + 16];
        group.enumerate(threads, true);
        return Arrays.stream(threads)
                .filter(Objects::nonNull)
                .filter(Thread::isAlive)
                .filter(thread -> !OF_THE_JDK.contains(thread.getClass().getName()))
                .filter(thread -> !(thread instanceof ForkJoinWorkerThread worker
                        && worker.getPool().equals(ForkJoinPool.commonPool())))
                .toList();
    }

    private static String described(List<Thread> alive) {
        return alive.stream()
                .map(thread -> "the thread '" + thread.getName() + "' outlives close(); it is at "
                        + Arrays.stream(thread.getStackTrace())
                                .limit(8)
                                .map(StackTraceElement::toString)
                                .collect(Collectors.joining(" <- ")))
                .collect(Collectors.joining("\n"));
    }
}
