package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Argon2Format;
import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.ScryptFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Measures this machine and suggests costs for a target time. Calibration only prints and changes nothing. Automatic
 * costs would fall while the machine is busy, and would differ between nodes.
 *
 * <p>No suggestion is below the floors of {@link HashSpec}. If OWASP's minimum takes longer than the target, the
 * suggestion says so. Immutable. Run the calibration on an idle machine.
 */
public final class Calibration {

    private static final int WARM_UPS = 3;
    private static final int SAMPLES = 5;
    private static final int ROUND_ITERATIONS_TO = 10_000;
    private static final int PREFERRED_MEMORY_KIB = 64 * 1024;
    private static final Duration SHORTEST_TARGET = Duration.ofMillis(1);
    private static final Duration LONGEST_TARGET = Duration.ofSeconds(5);

    private final Duration target;
    private final ToLongFunction<HashSpec> stopwatch;
    private final long heapBytes;

    /**
     * The suggestion for one algorithm.
     *
     * @param spec the algorithm and its costs
     * @param time the measured time of one hash with these costs
     * @param attackerWork the work of a guess, relative to OWASP's minimum costs; 1 for equal work
     * @param exceedsTarget whether even the minimum costs take longer than the target
     */
    public record Suggestion(HashSpec spec, Duration time, double attackerWork, boolean exceedsTarget) {}

    private Calibration(Duration target, ToLongFunction<HashSpec> stopwatch, long heapBytes) {
        this.target = target;
        this.stopwatch = stopwatch;
        this.heapBytes = heapBytes;
    }

    /**
     * Finds costs with this time per hash on one idle core.
     *
     * @param target 1 ms to 5 s
     * @return a calibration without measurements
     * @throws IllegalArgumentException if the target is outside the range
     */
    public static Calibration forTarget(Duration target) {
        return forTarget(target, Calibration::medianNanos, Runtime.getRuntime().maxMemory());
    }

    static Calibration forTarget(Duration target, ToLongFunction<HashSpec> stopwatch, long heapBytes) {
        if (target.compareTo(SHORTEST_TARGET) < 0 || target.compareTo(LONGEST_TARGET) > 0) {
            throw new IllegalArgumentException("The target for one hash is between 1 ms and 5 s, got " + target);
        }
        return new Calibration(target, stopwatch, heapBytes);
    }

    /**
     * Finds costs for a number of hashes per second on idle cores.
     *
     * @param perSecond logins, more than 0
     * @param cores at least 1
     * @return a calibration without measurements
     * @throws IllegalArgumentException if the time per hash is less than 1 ms or more than 5 s
     */
    public static Calibration forLogins(double perSecond, int cores) {
        if (!(perSecond > 0) || cores < 1) {
            throw new IllegalArgumentException("Logins per second and cores must be positive");
        }
        return forTarget(Duration.ofNanos((long) (cores / perSecond * 1e9)));
    }

    /**
     * Measures on the calling thread for some seconds. An algorithm is left out if one hash takes more than half of the
     * heap.
     *
     * @return one suggestion for each algorithm for new hashes
     * @throws MissingLibraryException without Bouncy Castle
     */
    public List<Suggestion> run() {
        List<Suggestion> suggestions = new ArrayList<>();
        for (HashSpec least : HashSpec.all()) {
            if (!hasRoomFor(least)) {
                continue;
            }
            long leastNanos = stopwatch.applyAsLong(least);
            HashSpec spec = scaled(least, (double) target.toNanos() / leastNanos);
            long nanos = spec == least ? leastNanos : stopwatch.applyAsLong(spec);
            suggestions.add(new Suggestion(
                    spec, Duration.ofNanos(nanos), work(spec) / work(least), leastNanos > target.toNanos()));
        }
        return List.copyOf(suggestions);
    }

    /** The limit is half of the heap, because the rest of the JVM needs memory too. */
    private boolean hasRoomFor(HashSpec spec) {
        return memoryBytes(spec) <= heapBytes / 2;
    }

    private static long memoryBytes(HashSpec spec) {
        return spec.scheme(MemoryPermits.quarterOfHeap()).memoryBytes();
    }

    /** The costs with about this multiple of the work, within the floors and ceilings. */
    private HashSpec scaled(HashSpec least, double factor) {
        if (factor <= 1) {
            return least;
        }
        return switch (least.parameters().algorithm()) {
            case "argon2id" -> argon2id(factor);
            case "scrypt" -> HashSpec.scrypt(17, 8, atMost(factor, ScryptFormat.MAX_WORK / (8 << 17)));
            case "bcrypt" ->
                HashSpec.bcrypt(Math.min(
                        BcryptFormat.MIN_COST + (int) (Math.log(factor) / Math.log(2)), BcryptFormat.MAX_COST));
            case "pbkdf2-sha256" -> HashSpec.pbkdf2Sha256(iterations(least, factor));
            default -> HashSpec.pbkdf2Sha512(iterations(least, factor));
        };
    }

    /**
     * Raises memory first, then passes: memory is the scarcest resource of an attacker's hardware (RFC 9106 section 4).
     */
    private HashSpec argon2id(double factor) {
        double work = 2 * 19 * 1024 * factor;
        int memory = atMost(work / 2, (int) Math.min(PREFERRED_MEMORY_KIB, heapBytes / 2 / 1024));
        return HashSpec.argon2id(memory, atMost(work / memory, Argon2Format.MAX_WORK_KIB / memory), 1);
    }

    private static int iterations(HashSpec least, double factor) {
        double wanted = least.parameters().cost("i") * factor;
        return atMost(wanted, Pbkdf2Format.MAX_ITERATIONS) / ROUND_ITERATIONS_TO * ROUND_ITERATIONS_TO;
    }

    private static int atMost(double wanted, int ceiling) {
        return (int) Math.min(wanted, ceiling);
    }

    private static double work(HashSpec spec) {
        Parameters costs = spec.parameters();
        return switch (costs.algorithm()) {
            case "argon2id" -> (double) costs.cost("m") * costs.cost("t");
            case "scrypt" -> Math.scalb((double) costs.cost("r") * costs.cost("p"), costs.cost("ln"));
            case "bcrypt" -> Math.scalb(1.0, costs.cost("cost"));
            default -> costs.cost("i");
        };
    }

    private static long medianNanos(HashSpec spec) {
        PasswordEncoders encoders = PasswordEncoders.writing(HashSpec.of("bcrypt"))
                .withMemoryPermits(MemoryPermits.ofBytes(Long.MAX_VALUE))
                .withDefault(spec);
        long[] samples = new long[SAMPLES];
        for (int i = -WARM_UPS; i < SAMPLES; i++) {
            long start = System.nanoTime();
            encoders.matchesNobody("calibration");
            samples[Math.max(i, 0)] = System.nanoTime() - start;
        }
        Arrays.sort(samples);
        return samples[SAMPLES / 2];
    }

    /**
     * Measures like {@link #run}, and formats the suggestions as a table for a terminal.
     *
     * @return lines of text, in English
     * @throws MissingLibraryException without Bouncy Castle
     */
    public String report() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "Target: %d ms for one hash, on a machine that does nothing else. Nothing is applied.%n",
                target.toMillis()));
        table.append(String.format("%-34s %9s %12s %14s%n", "spec", "ms/hash", "hashes/s/core", "attacker work"));
        for (Suggestion suggestion : run()) {
            double millis = suggestion.time.toNanos() / 1e6;
            table.append(String.format(
                    Locale.ROOT,
                    "%-34s %9.1f %13.1f %13.1fx%s%n",
                    suggestion.spec,
                    millis,
                    1000 / millis,
                    suggestion.attackerWork,
                    suggestion.exceedsTarget ? "  the least that is safe exceeds the target" : ""));
        }
        for (HashSpec least : HashSpec.all()) {
            if (!hasRoomFor(least)) {
                table.append(String.format(
                        Locale.ROOT,
                        "%-34s is left out: one hash takes %d MiB, which is more than half of this heap (-Xmx)%n",
                        least,
                        memoryBytes(least) >> 20));
            }
        }
        return table.append("Attacker work is that of one guess, relative to the least that OWASP accepts.")
                .append(System.lineSeparator())
                .toString();
    }
}
