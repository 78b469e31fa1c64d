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
 * The processor time of each thread of a process, user and system, including the virtual machine's own threads for compilation
 * and collection. From the Linux scheduler, in nanoseconds; for whole processes the scheduler has only hundredths of a second.
 *
 * @param nanos by the thread's number
 */
public record ThreadTimes(Map<String, Long> nanos) {

    public ThreadTimes {
        nanos = Map.copyOf(nanos);
    }

    /**
     * The times of this process now.
     *
     * @throws UncheckedIOException if there is no such process, or the system is not Linux
     */
    public static ThreadTimes of(long pid) {
        return in(Path.of("/proc", String.valueOf(pid), "task"));
    }

    /** The times of the just-in-time compiler's threads alone. */
    static ThreadTimes ofCompilers(long pid) {
        Map<String, Long> compilers = new HashMap<>(of(pid).nanos);
        compilers.keySet().removeIf(thread -> !name(pid, thread).matches("C[12] CompilerThre.*"));
        return new ThreadTimes(compilers);
    }

    /** The name of the thread with this number, cut off after 15 characters; empty if the thread has ended. */
    public static String name(long pid, String thread) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "task", thread, "comm"))
                    .trim();
        } catch (IOException e) {
            return "";
        }
    }

    /** The times of all threads with a folder here, each with a file {@code schedstat} with the time first. */
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
                    // The thread ended during the reading.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Processor time is read from /proc, which only Linux has", e);
        }
        return new ThreadTimes(nanos);
    }

    /** The time of all threads since an earlier reading, except these threads. New threads count, ended threads do not. */
    public long since(ThreadTimes earlier, List<String> leftOut) {
        return nanos.keySet().stream()
                .filter(Predicate.not(leftOut::contains))
                .mapToLong(thread -> since(earlier, thread))
                .sum();
    }

    /** The thread with the most time since an earlier reading. */
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
