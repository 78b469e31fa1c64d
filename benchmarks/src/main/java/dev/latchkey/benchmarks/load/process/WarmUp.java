package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.scenario.Effort;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Loads services until their just-in-time compilers rest. An earlier reading would measure the compilers too. */
public final class WarmUp {

    /** Below this part of the time of a pass, the compilers rest. Under load, compilers return to some methods forever. */
    private static final double AT_REST = 0.1;

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int MOST_PAUSES = 50;
    private static final int MOST_PAUSES_UNTIL_IDLE = 300;

    private WarmUp() {}

    /**
     * Repeats a load on these services until the compilers rest, or until the longest warm-up. After each pass, only the
     * compilers use the processors.
     *
     * @param load one pass on all services, in turn: the compilers of all services compete for the processors
     */
    public static void run(Collection<ServiceProcess> services, Effort effort, Runnable load) {
        long passes = effort.longestWarmUp().dividedBy(effort.warmUp());
        for (long pass = 0; pass < passes; pass++) {
            Map<ServiceProcess, ThreadTimes> before = compilers(services);
            long begin = System.nanoTime();
            load.run();
            long loaded = System.nanoTime() - begin;
            waitForCompilers(services);
            if (compiledSince(before) < AT_REST * loaded) {
                return;
            }
        }
    }

    /**
     * Returns when this service does nothing. A service also works for requests that the generator has given up, and a later
     * reading would measure these requests too.
     *
     * @throws IllegalStateException if the service is still busy after a minute
     */
    public static void awaitIdle(ServiceProcess service) {
        for (int pause = 0; pause < MOST_PAUSES_UNTIL_IDLE; pause++) {
            ThreadTimes before = ThreadTimes.of(service.pid());
            LockSupport.parkNanos(PAUSE.toNanos());
            if (ThreadTimes.of(service.pid()).since(before, List.of()) < AT_REST * PAUSE.toNanos()) {
                return;
            }
        }
        throw new IllegalStateException("The service is still busy, long after its last request");
    }

    private static void waitForCompilers(Collection<ServiceProcess> services) {
        for (int pause = 0; pause < MOST_PAUSES; pause++) {
            Map<ServiceProcess, ThreadTimes> before = compilers(services);
            LockSupport.parkNanos(PAUSE.toNanos());
            if (compiledSince(before) < AT_REST * PAUSE.toNanos()) {
                return;
            }
        }
    }

    private static Map<ServiceProcess, ThreadTimes> compilers(Collection<ServiceProcess> services) {
        return services.stream()
                .collect(Collectors.toMap(service -> service, service -> ThreadTimes.ofCompilers(service.pid())));
    }

    private static long compiledSince(Map<ServiceProcess, ThreadTimes> before) {
        return before.entrySet().stream()
                .mapToLong(each -> ThreadTimes.ofCompilers(each.getKey().pid()).since(each.getValue(), List.of()))
                .sum();
    }
}
