package dev.latchkey.benchmarks.load.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The processor time that each thread of a process has had, user and system: the virtual machine's own threads too, which compile and
 * collect. As the scheduler of Linux counts it, in nanoseconds; whole processes it counts in hundredths of a second only.
 *
 * @param nanos by the thread's number
 */
public record ThreadTimes(Map<String, Long> nanos) {

    public ThreadTimes {
        nanos = Map.copyOf(nanos);
    }

    /** @throws UncheckedIOException if there is no such process, or the system is not Linux */
    public static ThreadTimes of(long pid) {
        return in(Path.of("/proc", String.valueOf(pid), "task"));
    }

    /** What the thread of this number is called, cut off after 15 characters; empty if it has ended. */
    public static String name(long pid, String thread) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "task", thread, "comm"))
                    .trim();
        } catch (IOException e) {
            return "";
        }
    }

    /** Of the threads that have a folder here, each with a file {@code schedstat} that begins with the time. */
    public static ThreadTimes in(Path tasks) {
        Map<String, Long> nanos = new HashMap<>();
        try (Stream<Path> folders = Files.list(tasks)) {
            for (Path thread : folders.toList()) {
                try {
                    String statistics = Files.readString(thread.resolve("schedstat"));
                    nanos.put(
                            thread.getFileName().toString(),
                            Long.parseLong(statistics.substring(0, statistics.indexOf(' '))));
                } catch (NoSuchFileException e) {
                    // It ended while we looked.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Processor time is read from /proc, which only Linux has", e);
        }
        return new ThreadTimes(nanos);
    }

    /** What all threads had since an earlier look, but for these. One that began meanwhile counts, one that ended does not. */
    public long since(ThreadTimes earlier, List<String> leftOut) {
        return nanos.keySet().stream()
                .filter(Predicate.not(leftOut::contains))
                .mapToLong(thread -> since(earlier, thread))
                .sum();
    }

    /** Of these threads the one that had most since an earlier look. */
    public String busiestSince(ThreadTimes earlier, Predicate<String> threads) {
        return nanos.keySet().stream()
                .filter(threads)
                .max(Comparator.comparingLong(thread -> since(earlier, thread)))
                .orElseThrow();
    }

    private long since(ThreadTimes earlier, String thread) {
        return nanos.get(thread) - earlier.nanos.getOrDefault(thread, 0L);
    }
}
