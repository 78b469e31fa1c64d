package dev.latchkey.benchmarks.load.token;

import dev.latchkey.benchmarks.load.scenario.Effort;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs JMH for a section of the report: in forks as always, its own output in a file. */
final class Jmh {

    private static final double SECONDS_TO_FORK = 1.5;

    private final int warmUps;
    private final int measurements;
    private final TimeValue each;

    private Jmh(int warmUps, int measurements, TimeValue each) {
        this.warmUps = warmUps;
        this.measurements = measurements;
        this.each = each;
    }

    /** For a look, in a minute or two. */
    static Jmh quick() {
        return new Jmh(2, 3, TimeValue.milliseconds(200));
    }

    /** For publication. */
    static Jmh full() {
        return new Jmh(3, 5, TimeValue.milliseconds(400));
    }

    static Jmh of(Effort effort) {
        return effort.pick(quick(), full());
    }

    /** The seconds of so many runs of a benchmark, each in a fork. */
    double seconds(int runs) {
        return runs * (SECONDS_TO_FORK + (warmUps + measurements) * each.convertTo(TimeUnit.MILLISECONDS) / 1e3);
    }

    /** All combinations of these parameters, on one thread; the benchmark is named as {@code Class.method}. */
    Collection<RunResult> run(String benchmark, Map<String, List<String>> parameters) {
        return run(benchmark, parameters, 1, "-Xmx2g");
    }

    /** The same on so many threads, with a heap of this size. */
    Collection<RunResult> run(String benchmark, Map<String, List<String>> parameters, int threads, String heap) {
        Path log = Path.of(System.getProperty("benchmarks.home"), "target", "jmh.log");
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + "$")
                .forks(1)
                .threads(threads)
                .jvmArgsAppend(heap)
                .warmupIterations(warmUps)
                .warmupTime(each)
                .measurementIterations(measurements)
                .measurementTime(each)
                .addProfiler(GCProfiler.class)
                .output(log.toString());
        parameters.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH did not finish; see " + log, e);
        }
    }

    static double score(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    /** Allocated by each operation. */
    static double bytes(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }
}
