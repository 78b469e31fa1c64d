package dev.latchkey.benchmarks.load.token;

import dev.latchkey.benchmarks.load.scenario.Effort;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs JMH for a section of the report. Each benchmark runs in a fork, and JMH writes its output to a file. */
record Jmh(int warmUps, int measurements, TimeValue each) {

    /**
     * An operation's time of a core, and its allocated bytes.
     *
     * @param library empty for a benchmark without libraries
     */
    record Took(String library, double nanos, double bytes) {

        private static Took of(RunResult result, int threads) {
            String library = result.getParams().getParam("library");
            return new Took(
                    library == null ? "" : library.toLowerCase(Locale.ROOT),
                    nanos(
                            result.getPrimaryResult().getScore(),
                            threads,
                            Runtime.getRuntime().availableProcessors()),
                    result.getSecondaryResults().get("gc.alloc.rate.norm").getScore());
        }

        /**
         * The cores in use, divided by the rate of all threads. The time between a thread's begin and end of an operation would also
         * count the thread's waiting for a core.
         */
        static double nanos(double perNano, int threads, int cores) {
            return Math.min(threads, cores) / perNano;
        }
    }

    private static final double SECONDS_TO_FORK = 1.5;

    /** A quick run is for a look, in a minute or two. */
    static Jmh of(Effort effort) {
        return effort.pick(new Jmh(2, 3, TimeValue.milliseconds(200)), new Jmh(3, 5, TimeValue.milliseconds(400)));
    }

    /** The seconds for this number of runs of a benchmark, each in a fork. */
    double seconds(int runs) {
        return runs * (SECONDS_TO_FORK + (warmUps + measurements) * each.convertTo(TimeUnit.MILLISECONDS) / 1e3);
    }

    /**
     * Runs a benchmark.
     *
     * @param benchmark {@code Class.method}
     * @param heap an option of the JVM, such as {@code -Xmx2g}
     * @return the fastest library first
     */
    List<Took> run(String benchmark, Map<String, String> parameters, int threads, String heap) {
        Path log = Path.of(System.getProperty("benchmarks.home"), "target", "jmh.log");
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + "$")
                .forks(1)
                .threads(threads)
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.NANOSECONDS)
                .jvmArgsAppend(heap)
                .warmupIterations(warmUps)
                .warmupTime(each)
                .measurementIterations(measurements)
                .measurementTime(each)
                .addProfiler(GCProfiler.class)
                .output(log.toString());
        parameters.forEach(options::param);
        try {
            return new Runner(options.build())
                    .run().stream()
                            .map(result -> Took.of(result, threads))
                            .sorted(Comparator.comparingDouble(Took::nanos))
                            .toList();
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH did not finish; see " + log, e);
        }
    }
}
