package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.scenario.Effort;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Loads services until their just-in-time compilers rest. An earlier reading measures the compilers. */
public final class WarmUp {

    /** The compilers' part of the time of a pass. Other threads' work makes a compiler return to some methods forever. */
    private static final double AT_REST = 0.1;

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int MOST_PAUSES = 50;

    private final Collection<ServiceProcess> services;

    private WarmUp(Collection<ServiceProcess> services) {
        this.services = services;
    }

    /**
     * Repeats a load on these services. After each pass the compilers get the processors for themselves.
     *
     * @param load one pass on all services, in turn: the compilers of all services compete for the processors
     */
    public static void run(Collection<ServiceProcess> services, Effort effort, Runnable load) {
        WarmUp warmUp = new WarmUp(services);
        long passes = effort.longestWarmUp().dividedBy(effort.warmUp());
        for (long pass = 0; pass < passes; pass++) {
            List<ThreadTimes> before = warmUp.compilers();
            long begin = System.nanoTime();
            load.run();
            long loaded = System.nanoTime() - begin;
            warmUp.waitForCompilers();
            if (warmUp.compiledSince(before) < AT_REST * loaded) {
                return;
            }
        }
    }

    private void waitForCompilers() {
        for (int pause = 0; pause < MOST_PAUSES; pause++) {
            List<ThreadTimes> before = compilers();
            LockSupport.parkNanos(PAUSE.toNanos());
            if (compiledSince(before) < AT_REST * PAUSE.toNanos()) {
                return;
            }
        }
    }

    private List<ThreadTimes> compilers() {
        return services.stream()
                .map(service -> ThreadTimes.ofCompilers(service.pid()))
                .toList();
    }

    private long compiledSince(List<ThreadTimes> before) {
        List<ThreadTimes> now = compilers();
        long nanos = 0;
        for (int i = 0; i < now.size(); i++) {
            nanos += now.get(i).since(before.get(i), List.of());
        }
        return nanos;
    }
}
