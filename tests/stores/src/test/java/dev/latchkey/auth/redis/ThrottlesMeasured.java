package dev.latchkey.auth.redis;

import dev.latchkey.auth.redis.MeasuredAnswers.Answer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares shared throttles with Bucket4j's proxies over Lettuce, on one Redis and in one run. Run by hand: the first
 * argument is the number of seconds for each row, the second the file of the results.
 */
public final class ThrottlesMeasured {

    private static final List<Integer> NODES = List.of(2, 3, 5);
    private static final int OUTAGE_NODES = 3;
    private static final long OUTAGE_RATE = 200;
    private static final Duration AHEAD = Duration.ofMinutes(3);
    private static final double PERCENT = 100;
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double NANOS = 1e9;

    private enum Fault {
        PAUSED {
            @Override
            void begin(RedisProcess redis) throws IOException, InterruptedException {
                redis.pause();
            }

            @Override
            void end(RedisProcess redis) throws IOException, InterruptedException {
                redis.resume();
            }
        },
        /** Starts again without its data. */
        KILLED {
            @Override
            void begin(RedisProcess redis) {
                redis.kill();
            }

            @Override
            void end(RedisProcess redis) throws IOException {
                redis.start();
            }
        };

        abstract void begin(RedisProcess redis) throws IOException, InterruptedException;

        abstract void end(RedisProcess redis) throws IOException, InterruptedException;
    }

    private final Path folder;
    private final Duration window;

    /**
     * @param folder for the servers
     * @param window of each figure, at least a second
     */
    ThrottlesMeasured(Path folder, Duration window) {
        this.folder = folder;
        this.window = window;
    }

    public static void main(String[] arguments) throws Exception {
        Duration window = Duration.ofSeconds(Integer.parseInt(arguments[0]));
        ThrottlesMeasured measured = new ThrottlesMeasured(Files.createTempDirectory("latchkey-throttles"), window);
        List<String> lines = new ArrayList<>(measured.head());
        // The first figures of a process contain its compiler.
        measured.rates(List.of(MeasuredRule.rejecting(2_000), MeasuredRule.bodies(20_000_000)), List.of(2));
        List<MeasuredRule> rules = Stream.of(20, 200, 2_000)
                .flatMap(rate -> Stream.of(MeasuredRule.rejecting(rate), MeasuredRule.waiting(rate)))
                .toList();
        lines.addAll(measured.rates(
                Stream.concat(rules.stream(), Stream.of(MeasuredRule.bodies(20_000_000)))
                        .toList(),
                NODES));
        lines.addAll(measured.outages());
        lines.addAll(measured.clocks());
        Files.write(Path.of(arguments[1]), lines);
        lines.forEach(System.out::println);
        Runtime.getRuntime().halt(0);
    }

    private List<String> head() throws IOException {
        try (RedisProcess redis = RedisProcess.started(folder)) {
            Matcher version = Pattern.compile("redis_version:(\\S+)").matcher(redis.info("server"));
            return List.of(
                    "Shared throttles beside Bucket4j's proxies over Lettuce: throttle/README.md has the command.",
                    "JDK %s, Redis %s, nodes and Redis on one machine with %d processors and a load of %.1f at the begin, %d s for each row."
                            .formatted(
                                    Runtime.version().feature(),
                                    version.find() ? version.group(1) : "unknown",
                                    Runtime.getRuntime().availableProcessors(),
                                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                                    window.toSeconds()),
                    "Rejected requests come at twice the rate. Of waiting requests and pieces of bodies (8 KiB), 20 wait at each node.",
                    "The processor time of the nodes contains the load generator, which is the same for all systems.",
                    "");
        }
    }

    /** A row for each rule, number of nodes and system. */
    List<String> rates(List<MeasuredRule> rules, List<Integer> counts) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "| over the rate | rate | nodes | system | most and fewest in a second | no decision | alone | calls per request |"
                        + " µs per request: nodes, Redis | p99 of an answer |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"));
        for (MeasuredRule rule : rules) {
            for (int count : counts) {
                for (MeasuredSystem system : MeasuredSystem.values()) {
                    lines.add(row(rule, count, system));
                }
            }
        }
        lines.add("");
        return lines;
    }

    private String row(MeasuredRule rule, int count, MeasuredSystem system) throws IOException {
        try (RedisProcess redis = RedisProcess.started(folder);
                MeasuredLoad load = MeasuredLoad.of(system, redis.port(), rule, count)) {
            load.start();
            await(window.dividedBy(2));
            MeasuredUse before = MeasuredUse.of(redis, system);
            long from = System.nanoTime();
            await(window);
            long to = System.nanoTime();
            MeasuredUse use = MeasuredUse.of(redis, system).since(before);
            MeasuredAnswers answers = load.answers();
            double requests = Math.max(
                    1,
                    Stream.of(Answer.values())
                            .mapToLong(kind -> answers.count(kind, from, to))
                            .sum());
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %s | %s, %s | %d | %d | %.3f | %.0f, %.1f | %s |",
                    rule.name(),
                    rule.rate().tokens(),
                    count,
                    system,
                    percent((double) answers.mostInASecond(from, to), rule),
                    percent((double) answers.fewestInASecond(from, to), rule),
                    answers.count(Answer.NONE, from, to),
                    load.timesAlone(),
                    use.calls() / requests,
                    use.nodeNanos() / MICRO / requests,
                    use.redisNanos() / MICRO / requests,
                    rule.waits() ? "" : millis(answers.slowestOfAHundred(from, to)));
        }
    }

    private static String percent(double perSecond, MeasuredRule rule) {
        return String.format(Locale.ROOT, "%.1f %%", PERCENT * perSecond / rule.requestsPerSecond());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / MILLI);
    }

    /** Redis stops and comes back, while requests come at twice the rate. */
    List<String> outages() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>(List.of(
                "Redis stops and comes back, %d nodes, %d requests a second:".formatted(OUTAGE_NODES, OUTAGE_RATE),
                "",
                "| Redis is | system | passed before, meanwhile, afterwards | most in a second afterwards | no decision | slowest answer |",
                "| --- | --- | --- | --- | --- | --- |"));
        for (Fault fault : Fault.values()) {
            for (MeasuredSystem system : MeasuredSystem.values()) {
                lines.add(outage(fault, system));
            }
        }
        lines.add("");
        return lines;
    }

    private String outage(Fault fault, MeasuredSystem system) throws IOException, InterruptedException {
        MeasuredRule rule = MeasuredRule.rejecting(OUTAGE_RATE);
        try (RedisProcess redis = RedisProcess.started(folder);
                MeasuredLoad load = MeasuredLoad.of(system, redis.port(), rule, OUTAGE_NODES)) {
            load.start();
            await(window.dividedBy(2));
            long from = System.nanoTime();
            await(window);
            long begin = System.nanoTime();
            fault.begin(redis);
            await(window);
            fault.end(redis);
            long end = System.nanoTime();
            await(window);
            long to = System.nanoTime();
            MeasuredAnswers answers = load.answers();
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | %s, %s, %s | %s | %d | %s |",
                    fault.name().toLowerCase(Locale.ROOT),
                    system,
                    percent(perSecond(answers, from, begin), rule),
                    percent(perSecond(answers, begin, end), rule),
                    percent(perSecond(answers, end, to), rule),
                    percent((double) answers.mostInASecond(end, to), rule),
                    answers.count(Answer.NONE, from, to),
                    millis(answers.slowest(from, to)));
        }
    }

    private static double perSecond(MeasuredAnswers answers, long from, long to) {
        return answers.count(Answer.PASSED, from, to) / ((to - from) / NANOS);
    }

    /** One node asks first, and then another node with a clock three minutes behind. */
    List<String> clocks() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "The clock of a node that asked before is %d minutes ahead, %d requests a second:"
                        .formatted(AHEAD.toMinutes(), OUTAGE_RATE),
                "",
                "| system | passed at the other node |",
                "| --- | --- |"));
        MeasuredRule rule = MeasuredRule.rejecting(OUTAGE_RATE);
        for (MeasuredSystem system : List.of(MeasuredSystem.PORTIONS, MeasuredSystem.PLAIN)) {
            try (RedisProcess redis = RedisProcess.started(folder)) {
                int port = redis.port();
                MeasuredNode ahead =
                        system == MeasuredSystem.PLAIN ? ProxyNode.plain(port, rule, AHEAD) : system.node(port, rule);
                try (MeasuredLoad first = new MeasuredLoad(rule, List.of(ahead))) {
                    first.start();
                    await(window.dividedBy(2));
                }
                try (MeasuredLoad other = MeasuredLoad.of(system, port, rule, 1)) {
                    other.start();
                    await(window.dividedBy(2));
                    long from = System.nanoTime();
                    await(window);
                    long to = System.nanoTime();
                    lines.add("| %s | %s |".formatted(system, percent(perSecond(other.answers(), from, to), rule)));
                }
            }
        }
        return lines;
    }

    private static void await(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
    }
}
