package dev.latchkey.benchmarks;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.login.ArrivalScenario;
import dev.latchkey.benchmarks.load.login.BasicScenario;
import dev.latchkey.benchmarks.load.login.CapacityScenario;
import dev.latchkey.benchmarks.load.login.HitScenario;
import dev.latchkey.benchmarks.load.login.RefusalScenario;
import dev.latchkey.benchmarks.load.process.Machine;
import dev.latchkey.benchmarks.load.scenario.DownloadScenario;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.KindScenario;
import dev.latchkey.benchmarks.load.scenario.NacosScenario;
import dev.latchkey.benchmarks.load.scenario.NodesScenario;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.load.scenario.StartScenario;
import dev.latchkey.benchmarks.load.token.GrowthScenario;
import dev.latchkey.benchmarks.load.token.PeerScenario;
import dev.latchkey.benchmarks.load.token.RequestScenario;
import dev.latchkey.benchmarks.load.token.TokenScenario;
import dev.latchkey.benchmarks.report.Headline;
import dev.latchkey.benchmarks.report.Page;
import dev.latchkey.benchmarks.report.Pictures;
import dev.latchkey.benchmarks.report.Report;
import dev.latchkey.benchmarks.report.ReportFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures the scenarios and writes the page. {@code benchmarks/run} starts this class.
 *
 * <p>The first argument is {@code quick}, {@code full}, {@code smoke} or {@code page}. The scenarios may follow by name; without
 * names, the effort chooses them. {@code smoke} takes the shortest time, and its separate page is not kept. {@code page} takes no
 * names, and writes the page again from the kept figures.
 */
public final class Main {

    /** A quick run measures these scenarios only if the command names them: they would take a third of its time. */
    private static final Set<String> NOT_IN_QUICK = Set.of("arrivals", "capacity", "growth");

    private Main() {}

    /** The scenarios by their names on the command line. The names are also the anchors of the sections. */
    private static Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("basic", new BasicScenario());
        scenarios.put("hits", new HitScenario());
        scenarios.put("refusals", new RefusalScenario());
        scenarios.put("request", new RequestScenario());
        scenarios.put("tokens", new TokenScenario());
        scenarios.put("arrivals", new ArrivalScenario());
        scenarios.put("throttle", new DownloadScenario());
        scenarios.put("capacity", new CapacityScenario());
        scenarios.put("starts", new StartScenario());
        scenarios.put("nodes", new NodesScenario());
        scenarios.put("nacos", new NacosScenario());
        scenarios.put("peers", new PeerScenario());
        scenarios.put("growth", new GrowthScenario());
        scenarios.put("kinds", new KindScenario());
        return scenarios;
    }

    public static void main(String[] args) {
        System.setProperty("log4j2.configurationFile", "classpath:quiet-log4j2.properties");
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        String folderName = args.length > 0 && args[0].equals("smoke") ? "target/smoke" : "report";
        Path folder = Path.of(System.getProperty("benchmarks.home"), folderName);
        int status = 0;
        try {
            Files.createDirectories(folder);
            if (args.length == 1 && args[0].equals("page")) {
                Report report = withOthers(ReportFile.read(folder.resolve("results.json")));
                write(folder, report);
                System.out.println(Headline.of(report));
            } else if (args.length > 0
                    && List.of("smoke", "quick", "full").contains(args[0])
                    && ids().containsAll(Arrays.asList(args).subList(1, args.length))) {
                measure(
                        Effort.valueOf(args[0].toUpperCase(Locale.ROOT)),
                        Arrays.asList(args).subList(1, args.length),
                        folder);
            } else {
                System.err.println(
                        "usage: benchmarks/run smoke|quick|full [scenario…] or benchmarks/run page; the scenarios are "
                                + ids());
                status = 2;
            }
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        // The generator's threads would keep the process alive.
        System.exit(status);
    }

    private static void measure(Effort effort, List<String> wanted, Path folder) throws Exception {
        Map<String, Scenario> chosen = chosen(effort, wanted);
        Report report = Report.on(Machine.describe());
        Path main = folder.resolve("results.json");
        Report earlier = Files.exists(main) ? ReportFile.read(main) : report;
        boolean isPart = chosen.size() < scenarios().size();
        boolean beside = isBeside(earlier, isPart);
        Path kept = beside ? folder.resolve("kinds").resolve(Machine.kind() + ".json") : main;
        Files.createDirectories(folder.resolve("kinds"));
        if (!beside && !earlier.machine().getOrDefault("kind", Machine.kind()).equals(Machine.kind())) {
            // A whole run on another kind of machine replaces the figures of the page. The earlier figures are kept
            // with the other kinds.
            ReportFile.write(
                    earlier, folder.resolve("kinds").resolve(earlier.machine().get("kind") + ".json"));
        }
        if (isPart && Files.exists(kept)) {
            report = ReportFile.read(kept).continuedOn(report.machine());
        }
        Progress progress = new Progress();
        System.out.printf(Locale.ROOT, "About %.0f minutes on an idle machine%n", minutes(effort, chosen));
        String command = "benchmarks/run " + effort.name().toLowerCase(Locale.ROOT);
        List<String> failed = new ArrayList<>();
        int number = 0;
        for (Map.Entry<String, Scenario> each : chosen.entrySet()) {
            progress.scenario(++number, chosen.size(), each.getKey());
            // The page exists from the first scenario on. An interrupted run loses only its unmeasured scenarios.
            try {
                report = report.with(each.getValue().run(effort, progress), command, today())
                        .inOrder(ids());
            } catch (Exception e) {
                // The other scenarios do not depend on this one.
                e.printStackTrace();
                failed.add(each.getKey());
                continue;
            }
            if (beside) {
                ReportFile.write(report, kept);
            } else {
                write(folder, report);
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException("Not measured: " + failed);
        }
        progress.step(
                beside
                        ? "kept in " + kept + "; then: benchmarks/run page"
                        : "the page is " + folder.resolve("index.html"));
    }

    private static double minutes(Effort effort, Map<String, Scenario> chosen) {
        return chosen.values().stream()
                        .mapToDouble(each -> each.seconds(effort))
                        .sum()
                / 60;
    }

    /** The minutes of a run with this effort and without names of scenarios. */
    static double minutes(Effort effort) {
        return minutes(effort, chosen(effort, List.of()));
    }

    private static Map<String, Scenario> chosen(Effort effort, List<String> wanted) {
        Map<String, Scenario> chosen = scenarios();
        if (!wanted.isEmpty()) {
            chosen.keySet().retainAll(wanted);
        } else if (effort == Effort.QUICK) {
            chosen.keySet().removeAll(NOT_IN_QUICK);
        }
        return chosen;
    }

    /**
     * Whether the figures of a run are kept beside the page's own figures. The page's own figures are of one kind of
     * machine, on JDK 17 and with platform threads.
     */
    private static boolean isBeside(Report earlier, boolean isPart) {
        String kind = Machine.kind();
        String earlierKind = earlier.machine().getOrDefault("kind", kind);
        return !kind.endsWith("-jdk17") || (isPart && !earlierKind.equals(kind));
    }

    /**
     * Adds the figures from files. Other commands measure several nodes and a Nacos server, and other machines measure
     * their own kinds.
     */
    private static Report withOthers(Report report) throws Exception {
        for (String id : List.of("nodes", "nacos", "kinds")) {
            report = report.with(scenarios().get(id).run(Effort.QUICK, new Progress()));
        }
        return report.inOrder(ids());
    }

    private static List<String> ids() {
        return List.copyOf(scenarios().keySet());
    }

    private static void write(Path folder, Report report) throws IOException {
        ReportFile.write(report, folder.resolve("results.json"));
        Files.writeString(folder.resolve("index.html"), Page.of(report));
        for (Map.Entry<String, String> picture : Pictures.of(report).entrySet()) {
            Files.writeString(folder.resolve(picture.getKey()), picture.getValue());
        }
    }

    private static String today() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }
}
