package dev.latchkey.examples.nodes;

import dev.latchkey.examples.nodes.NodesMeasured.Row;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * The processor time of request threads. A sample counts for the innermost frame outside the JDK: callers of the JDK pay for
 * the JDK's work. The system's work for them, mostly at sockets, has no samples; the system time shows this part.
 */
final class RequestProfile {

    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final Duration PERIOD = Duration.ofMillis(10);

    /** The first matching beginning of a class name pays. The JDK is not in the list. */
    private static final Map<String, String> OWNERS = owners();

    private RequestProfile() {}

    private static Map<String, String> owners() {
        Map<String, String> owners = new LinkedHashMap<>();
        owners.put("dev.latchkey.auth.", "Latchkey");
        owners.put("dev.latchkey.examples.", "the service");
        owners.put("org.springframework.security.", "Spring Security");
        owners.put("org.springframework.", "the rest of Spring");
        owners.put("tools.jackson.", "Jackson");
        owners.put("org.apache.", "Tomcat");
        owners.put("jakarta.", "Tomcat");
        return owners;
    }

    /** During these requests to warm nodes. */
    static List<Row> profile(int seconds) throws Exception {
        try (LoadedNodes nodes = LoadedNodes.start(seconds)) {
            OpenLoad load = nodes.load();
            long[] before = userAndSystem();
            Map<String, Integer> samples = sampled(Duration.ofSeconds(2L * seconds));
            long[] after = userAndSystem();
            String perSecond = String.format("%,.0f", load.stop().perSecond());
            long user = after[0] - before[0];
            long all = user + after[1] - before[1];
            List<Row> rows = new ArrayList<>();
            rows.add(Row.of(
                    "request threads under " + perSecond + " requests/s: the system, at sockets above all",
                    "",
                    "%.0f %%",
                    100.0 * (all - user) / all));
            int total = samples.values().stream().mapToInt(Integer::intValue).sum();
            samples.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .forEach(each -> rows.add(Row.of(
                            "request threads: " + each.getKey(),
                            "",
                            "%.0f %%",
                            100.0 * user / all * each.getValue() / total)));
            return rows;
        }
    }

    private static Map<String, Integer> sampled(Duration time) throws IOException {
        Path file = Files.createTempFile("requests", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(SAMPLE).withPeriod(PERIOD);
            recording.start();
            LockSupport.parkNanos(time.toNanos());
            recording.stop();
            recording.dump(file);
            Map<String, Integer> samples = new LinkedHashMap<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                RecordedThread thread = event.getThread("sampledThread");
                if (event.getEventType().getName().equals(SAMPLE)
                        && ProcessorTime.Part.REQUESTS.owns(Objects.requireNonNullElse(thread.getJavaName(), ""))) {
                    samples.merge(ownerOf(event.getStackTrace().getFrames()), 1, Integer::sum);
                }
            }
            return samples;
        } finally {
            Files.delete(file);
        }
    }

    private static String ownerOf(List<RecordedFrame> innermostFirst) {
        for (RecordedFrame frame : innermostFirst) {
            String type = frame.getMethod().getType().getName();
            for (Map.Entry<String, String> owner : OWNERS.entrySet()) {
                if (type.startsWith(owner.getKey())) {
                    return owner.getValue();
                }
            }
        }
        return "the JDK alone";
    }

    /** Of all threads that answer requests. */
    private static long[] userAndSystem() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] nanos = new long[2];
        for (long id : threads.getAllThreadIds()) {
            var thread = threads.getThreadInfo(id);
            if (thread != null && ProcessorTime.Part.REQUESTS.owns(thread.getThreadName())) {
                long user = Math.max(0, threads.getThreadUserTime(id));
                nanos[0] += user;
                nanos[1] += Math.max(0, threads.getThreadCpuTime(id) - user);
            }
        }
        return nanos;
    }
}
