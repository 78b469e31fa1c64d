package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.Visitor;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.WarmUp;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Measured;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** A server with a token in every call: login, and a query that checks its token twice or once. */
public final class TokenScenario implements Scenario {

    private static final List<Integer> THREADS = List.of(10, 50, 100, 200);
    private static final int RETURNING = 20;

    private enum Service {
        JJWT("jjwt, checked twice", Set.of(), "subject.tokens=JJWT", "subject.verifications=2"),
        LATCHKEY(
                "Latchkey, checked twice",
                Set.of(Addition.STARTER),
                "subject.tokens=LATCHKEY",
                "subject.verifications=2"),
        ONCE("Latchkey, checked once", Set.of(Addition.STARTER), "subject.tokens=LATCHKEY", "subject.verifications=1");

        private final String title;
        private final Set<Addition> additions;
        private final String[] settings;

        Service(String title, Set<Addition> additions, String... settings) {
            this.title = title;
            this.additions = additions;
            this.settings = settings;
        }

        private ServiceProcess start() {
            return ServiceProcess.start(additions, HashPool.BCRYPT, settings);
        }
    }

    /** Logins check no token, so the third service would be the second again. */
    private static final List<Service> LOGINS = List.of(Service.JJWT, Service.LATCHKEY);

    private final Measured<Service, Integer, Tally> queries = new Measured<>();
    private final Measured<Service, Integer, Tally> logins = new Measured<>();
    private long failed;

    private static int rounds(Effort effort) {
        return effort.pick(1, 5);
    }

    /** A login by BCrypt may take seconds longer than its window. */
    @Override
    public double seconds(Effort effort) {
        int services = Service.values().length;
        return effort.seconds(services, THREADS.size() * (services * rounds(effort) + 2), 0, 1) + 2 * THREADS.size();
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Map<Service, ServiceProcess> services = ServiceProcess.startEach(Service.values(), Service::start);
        Map<Service, String> tokens = new EnumMap<>(Service.class);
        try {
            services.forEach(
                    (service, process) -> tokens.put(service, new Visitor(process.port()).token(Accounts.name(0))));
            WarmUp.run(
                    services.values(),
                    effort,
                    () -> services.forEach((service, process) -> Load.run(
                            process.port(), Connections.OWN, effort.warmUp(), query(50, tokens.get(service)))));
            for (int round = 0; round < rounds(effort); round++) {
                for (int threads : THREADS) {
                    for (Service service : Service.values()) {
                        Tally tally = Load.run(
                                        services.get(service).port(),
                                        Connections.OWN,
                                        effort.measured(),
                                        query(threads, tokens.get(service)))
                                .get("query");
                        queries.of(service, threads).add(tally);
                        failed += tally.errors();
                    }
                    progress.step("query at " + threads + " threads, beside jjwt × "
                            + show(rate(Service.LATCHKEY, threads) / rate(Service.JJWT, threads)));
                }
            }
            for (Service service : LOGINS) {
                measureLogins(service, services.get(service), effort, progress);
            }
        } finally {
            services.values().forEach(ServiceProcess::close);
        }
        return section();
    }

    private void measureLogins(Service service, ServiceProcess process, Effort effort, Progress progress) {
        int port = process.port();
        if (service == Service.LATCHKEY) {
            new Visitor(port).logInAll(Accounts.first(RETURNING));
            WarmUp.run(List.of(process), effort, () -> Load.run(port, Connections.OWN, effort.warmUp(), login(50)));
        }
        for (int threads : THREADS) {
            Tally tally = Load.run(port, Connections.OWN, effort.measured(), Duration.ofSeconds(5), login(threads))
                    .get("login");
            logins.of(service, threads).add(tally);
            progress.step("login at " + threads + " threads, " + service.title + ": " + show(tally.perSecond()) + "/s, "
                    + tally.refused() + " refused, " + tally.overloaded() + " overloaded, " + tally.unanswered()
                    + " unanswered");
        }
    }

    private static Crowd query(int threads, String token) {
        return Crowd.closed("query", threads, Call.get("query", "/query").with("Authorization", "Bearer " + token));
    }

    private static Crowd login(int threads) {
        return Crowd.closed("login", threads, Call.formLogin("login", "/login")).inTurn(Accounts.first(RETURNING));
    }

    /** Queries per second, the median of the rounds. */
    private double rate(Service service, int threads) {
        return queries.of(service, threads).median(Tally::perSecond);
    }

    /** The median over all numbers of threads. */
    private static double median(ToDoubleFunction<Integer> ratio) {
        return Figures.median(THREADS.stream().mapToDouble(ratio).boxed().toList());
    }

    private Section section() {
        return new Section(
                "tokens",
                "Tokens",
                "A Nacos-like server: login, and a query that carries a token",
                "The query checks its token twice, as the server that this re-tells does: once to know the caller, once to"
                        + " authorise. The logins are of " + RETURNING
                        + " accounts that come back, with BCrypt 10 behind them.",
                List.of(
                        Goal.atLeast(
                                "tokens-query",
                                "Queries with Latchkey beside jjwt, median of the rows",
                                median(threads -> rate(Service.LATCHKEY, threads) / rate(Service.JJWT, threads)),
                                1,
                                "×"),
                        Goal.atLeast(
                                "tokens-once",
                                "The same, with the token checked once",
                                median(threads -> rate(Service.ONCE, threads) / rate(Service.JJWT, threads)),
                                1,
                                "×"),
                        Goal.atLeast(
                                "tokens-login",
                                "Logins with Latchkey beside jjwt and BCrypt",
                                median(threads -> logins.of(Service.LATCHKEY, threads)
                                        .times(logins.of(Service.JJWT, threads), Tally::perSecond)),
                                10,
                                "×"),
                        Goal.atMost("tokens-errors", "Queries that failed", (double) failed, 0, "")),
                List.of(
                        chart("Queries per second (more is better)", "queries/s", Tally::perSecond),
                        chart("99th percentile of a query (less is better)", "ms", tally -> tally.millisAt(99))),
                List.of(loginTable()),
                List.of(
                        "HTTP, the servlet container and the generator cost many times what a token does, so the gain of a"
                                + " faster token is small here; the tokens alone are measured below."));
    }

    private Chart chart(String title, String unit, ToDoubleFunction<Tally> figure) {
        return new Chart(
                title,
                unit,
                Scale.LINEAR,
                THREADS.stream().map(threads -> threads + " threads").toList(),
                Arrays.stream(Service.values())
                        .map(service -> Series.of(
                                service.title,
                                THREADS,
                                threads -> queries.of(service, threads).median(figure)))
                        .toList());
    }

    private Table loginTable() {
        List<List<String>> rows = new ArrayList<>();
        for (Service service : LOGINS) {
            for (int threads : THREADS) {
                Tally tally = logins.of(service, threads).last();
                rows.add(Table.row(
                        threads + " threads, " + service.title,
                        tally.perSecond(),
                        tally.meanMillis(),
                        tally.millisAt(99),
                        tally.errors()));
            }
        }
        return new Table("Logins", List.of("", "per second", "mean, ms", "p99", "errors"), rows);
    }
}
