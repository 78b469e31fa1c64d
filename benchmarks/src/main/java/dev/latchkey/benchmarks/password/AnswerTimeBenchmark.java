package dev.latchkey.benchmarks.password;

import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.MemoryPermits;
import dev.latchkey.auth.password.PasswordEncoders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an attacker can tell from the time of a refusal: the medians of all cases must be the same.
 *
 * <p>Each operation asks every case once, and the medians are printed at the end: measured one after the other, the
 * cases would differ by what the machine's speed drifts in the meantime.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 10)
@Measurement(iterations = 60)
public class AnswerTimeBenchmark {

    private static final String PASSWORD = "correct horse battery";
    private static final int WARM_UPS = 10;

    @Param({"argon2id", "bcrypt", "pbkdf2-sha256"})
    public String algorithm;

    private final Map<String, BooleanSupplier> cases = new LinkedHashMap<>();
    private final Map<String, List<Long>> nanos = new LinkedHashMap<>();
    private int rounds;

    @Setup
    public void prepare() {
        PasswordEncoders encoders = PasswordEncoders.recommended()
                .withMemoryPermits(MemoryPermits.ofBytes(256L << 20))
                .withDefault(HashSpec.of(algorithm));
        String stored = encoders.encode(PASSWORD);
        String malformed = stored.substring(0, stored.length() - 9);
        String overLong = "x".repeat(1_000_000);
        cases.put("wrong password", () -> encoders.matches("wrong horse battery!", stored));
        cases.put("unknown user", () -> encoders.matchesNobody(PASSWORD));
        // As it is to be done: the password is checked although the answer is known.
        cases.put("locked account", () -> encoders.matches(PASSWORD, stored));
        cases.put("over-long password", () -> encoders.matches(overLong, stored));
        cases.put("malformed stored hash", () -> encoders.matches(PASSWORD, malformed));
    }

    @Benchmark
    public int everyCaseOnce() {
        rounds++;
        int matched = 0;
        for (Map.Entry<String, BooleanSupplier> each : cases.entrySet()) {
            long start = System.nanoTime();
            matched += each.getValue().getAsBoolean() ? 1 : 0;
            long took = System.nanoTime() - start;
            if (rounds > WARM_UPS) {
                nanos.computeIfAbsent(each.getKey(), unused -> new ArrayList<>())
                        .add(took);
            }
        }
        return matched;
    }

    @TearDown
    public void printMedians() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Map.Entry<String, List<Long>> each : nanos.entrySet()) {
            List<Long> sorted = each.getValue().stream().sorted().toList();
            double median = sorted.get(sorted.size() / 2) / 1e6;
            least = Math.min(least, median);
            most = Math.max(most, median);
            System.out.printf(
                    Locale.ROOT, "%n%s, %s: median %.3f ms of %d", algorithm, each.getKey(), median, sorted.size());
        }
        System.out.printf(Locale.ROOT, "%n%s: largest to smallest median %.4f%n", algorithm, most / least);
    }
}
