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
import dev.latchkey.benchmarks.load.process.Rounds;
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
        return effort.pick(1, 3);
    }

    /** The last login by BCrypt ends after its window: ten seconds after, with 200 threads. */
    @Override
    public double seconds(Effort effort) {
        int services = Service.values().length;
        return effort.seconds(services + LOGINS.size(), THREADS.size() * (services * rounds(effort) + 2), 0, 1) + 20;
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
                    for (Service service : Rounds.turn(List.of(Service.values()), round + THREADS.indexOf(threads))) {
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
                            + show(besideJjwt(queries, Service.LATCHKEY, threads)));
                }
            }
            measureLogins(services, effort, progress);
        } finally {
            services.values().forEach(ServiceProcess::close);
        }
        return section();
    }

    private void measureLogins(Map<Service, ServiceProcess> services, Effort effort, Progress progress) {
        new Visitor(services.get(Service.LATCHKEY).port()).logInAll(Accounts.first(RETURNING));
        for (Service service : LOGINS) {
            ServiceProcess process = services.get(service);
            WarmUp.run(List.of(process), effort, () -> logIn(process, THREADS.get(0), effort.warmUp()));
        }
        for (int threads : THREADS) {
            for (Service service : Rounds.turn(LOGINS, THREADS.indexOf(threads))) {
                WarmUp.awaitIdle(services.get(service));
                Tally tally = logIn(services.get(service), threads, effort.measured())
                        .answered("login at " + threads + " threads, " + service.title);
                logins.of(service, threads).add(tally);
                progress.step(
                        "login at " + threads + " threads, " + service.title + ": " + show(tally.perSecond()) + "/s");
            }
        }
    }

    private static Tally logIn(ServiceProcess process, int threads, Duration duration) {
        return Load.run(process.port(), Connections.OWN, duration, Load.HASH_PATIENCE, login(threads))
                .get("login");
    }

    private static Crowd query(int threads, String token) {
        return Crowd.closed("query", threads, Call.get("query", "/query").with("Authorization", "Bearer " + token));
    }

    private static Crowd login(int threads) {
        return Crowd.closed("login", threads, Call.formLogin("login", "/login")).inTurn(Accounts.first(RETURNING));
    }

    /** The rate beside jjwt's: the median of the rounds' own ratios. */
    private static double besideJjwt(Measured<Service, Integer, Tally> rates, Service service, int threads) {
        return rates.of(service, threads).times(rates.of(Service.JJWT, threads), Tally::perSecond);
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
                                median(threads -> besideJjwt(queries, Service.LATCHKEY, threads)),
                                1,
                                "×"),
                        Goal.atLeast(
                                "tokens-once",
                                "The same, with the token checked once",
                                median(threads -> besideJjwt(queries, Service.ONCE, threads)),
                                1,
                                "×"),
                        Goal.atLeast(
                                "tokens-login",
                                "Logins with Latchkey beside jjwt and BCrypt",
                                median(threads -> besideJjwt(logins, Service.LATCHKEY, threads)),
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
