package dev.latchkey.benchmarks.ratios;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs JMH for a section of the report, or for the check: in forks as always, its own output in a file. */
public final class Jmh {

    private final int warmUps;
    private final int measurements;
    private final TimeValue each;

    private Jmh(int warmUps, int measurements, TimeValue each) {
        this.warmUps = warmUps;
        this.measurements = measurements;
        this.each = each;
    }

    /** For a look, in a minute or two. */
    public static Jmh quick() {
        return new Jmh(2, 3, TimeValue.milliseconds(200));
    }

    /** For publication. */
    public static Jmh full() {
        return new Jmh(3, 5, TimeValue.milliseconds(400));
    }

    /** Enough to see a ratio that is wrong by a sixth. */
    public static Jmh forChecking() {
        return new Jmh(4, 6, TimeValue.milliseconds(400));
    }

    /** All combinations of these parameters; the benchmark is named as {@code Class.method}. */
    public Collection<RunResult> run(String benchmark, Map<String, List<String>> parameters) {
        Path log = Path.of(System.getProperty("benchmarks.home"), "target", "jmh.log");
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + "$")
                .forks(1)
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

    public static double score(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    /** Of the quickest iteration. */
    static double best(RunResult result) {
        return result.getPrimaryResult().getStatistics().getMin();
    }

    /** Allocated by each operation. */
    public static double bytes(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }

    public static String parameter(RunResult result, String name) {
        return result.getParams().getParam(name);
    }
}
