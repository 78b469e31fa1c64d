package dev.latchkey.examples.nodes;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The processor time so far: of threads by name, and of the stores, which are child processes. */
final class ProcessorTime {

    enum Part {
        REQUESTS("request threads"),
        SOCKETS("Tomcat's pollers"),
        REVOCATIONS("Latchkey's own threads"),
        DRIVER("Redis's driver"),
        GENERATOR("generator"),
        PROBES("logouts"),
        JVM("compiler, collector and the rest"),
        STORES("Redis");

        final String text;

        Part(String text) {
            this.text = text;
        }

        /** Whether a thread of this name belongs to the part. */
        boolean owns(String thread) {
            return switch (this) {
                case REQUESTS -> thread.contains("-exec-");
                case SOCKETS -> thread.startsWith("http-") && !REQUESTS.owns(thread);
                case REVOCATIONS -> thread.startsWith("latchkey-");
                case DRIVER -> thread.startsWith("lettuce-");
                case GENERATOR -> thread.equals(OpenLoad.THREAD_NAME);
                case PROBES -> thread.equals("main");
                case JVM, STORES -> false;
            };
        }
    }

    private final Map<Part, Long> nanos = new EnumMap<>(Part.class);

    private ProcessorTime() {}

    static ProcessorTime untilNow() {
        ProcessorTime all = new ProcessorTime();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long rest = process.getProcessCpuTime();
        for (long id : threads.getAllThreadIds()) {
            var thread = threads.getThreadInfo(id);
            long used = threads.getThreadCpuTime(id);
            if (thread != null && used > 0) {
                for (Part part : Part.values()) {
                    if (part.owns(thread.getThreadName())) {
                        all.nanos.merge(part, used, Long::sum);
                        rest -= used;
                    }
                }
            }
        }
        all.nanos.put(Part.JVM, rest);
        all.nanos.put(
                Part.STORES,
                ProcessHandle.current()
                        .children()
                        .mapToLong(each -> each.info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toNanos())
                        .sum());
        return all;
    }

    /** Of this part since then. */
    double microsSince(ProcessorTime before, Part part) {
        return (nanos.getOrDefault(part, 0L) - before.nanos.getOrDefault(part, 0L)) / 1e3;
    }
}
