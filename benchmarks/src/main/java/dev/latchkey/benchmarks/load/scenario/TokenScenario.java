package dev.latchkey.benchmarks.load.scenario;

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
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server whose every call carries a token: login, and a query whose token is checked twice or once. */
final class TokenScenario implements Scenario {

    private static final List<Integer> THREADS = List.of(10, 50, 100, 200);
    private static final int RETURNING = 20;

    private enum Service {
        JJWT("jjwt, checked twice", Starter.ABSENT, "subject.tokens=JJWT", "subject.verifications=2"),
        LATCHKEY("Latchkey, checked twice", Starter.PRESENT, "subject.tokens=LATCHKEY", "subject.verifications=2"),
        ONCE("Latchkey, checked once", Starter.PRESENT, "subject.tokens=LATCHKEY", "subject.verifications=1");

        private final String title;
        private final Starter starter;
        private final String tokens;
        private final String verifications;

        Service(String title, Starter starter, String tokens, String verifications) {
            this.title = title;
            this.starter = starter;
            this.tokens = tokens;
            this.verifications = verifications;
        }

        ServiceProcess start() {
            return ServiceProcess.start(starter, tokens, verifications, "subject.hashes=" + HashPool.STRONG.file());
        }
    }

    private final Map<Service, Map<Integer, List<Tally>>> queries = new EnumMap<>(Service.class);
    private final Map<Service, Map<Integer, Tally>> logins = new EnumMap<>(Service.class);

    @Override
    public String id() {
        return "tokens";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Map<Service, ServiceProcess> services = ServiceProcess.startEach(Service.values(), Service::start);
        Map<Service, String> tokens = new EnumMap<>(Service.class);
        try {
            for (Service service : Service.values()) {
                tokens.put(service, new Visitor(services.get(service).port()).token(Accounts.name(0)));
            }
            for (Service service : Service.values()) {
                progress.step("warm-up: " + service.title);
                Load.run(
                        services.get(service).port(), Connections.OWN, effort.warmUp(), query(50, tokens.get(service)));
            }
            int rounds = effort.pick(1, 5);
            for (int round = 0; round < rounds; round++) {
                for (int threads : THREADS) {
                    for (Service service : Service.values()) {
                        Tally tally = Load.run(
                                        services.get(service).port(),
                                        Connections.OWN,
                                        effort.measured(),
                                        query(threads, tokens.get(service)))
                                .get("query");
                        queries.computeIfAbsent(service, any -> new LinkedHashMap<>())
                                .computeIfAbsent(threads, any -> new ArrayList<>())
                                .add(tally);
                    }
                    progress.step("query at " + threads + " threads: " + rates(threads));
                }
            }
            for (Service service : List.of(Service.JJWT, Service.LATCHKEY)) {
                if (service == Service.LATCHKEY) {
                    new Visitor(services.get(service).port()).logInAll(returning());
                }
                for (int threads : THREADS) {
                    Tally tally = Load.run(
                                    services.get(service).port(),
                                    Connections.OWN,
                                    effort.measured(),
                                    Duration.ofSeconds(5),
                                    login(threads))
                            .get("login");
                    logins.computeIfAbsent(service, any -> new LinkedHashMap<>())
                            .put(threads, tally);
                    progress.step("login at " + threads + " threads, " + service.title + ": " + show(tally.perSecond())
                            + "/s");
                }
            }
        } finally {
            services.values().forEach(ServiceProcess::close);
        }
        return section();
    }

    private static Crowd query(int threads, String token) {
        return Crowd.closed("query", threads, Call.get("query", "/query").with("Authorization", "Bearer " + token));
    }

    private static List<String> returning() {
        List<String> accounts = new ArrayList<>();
        for (int i = 0; i < RETURNING; i++) {
            accounts.add(Accounts.name(i));
        }
        return accounts;
    }

    private static Crowd login(int threads) {
        int[] next = {0};
        return Crowd.closed("login", threads, Call.formLogin("login", "/login"))
                .beginningWith(user -> user.become(Accounts.name(next[0]++ % RETURNING)));
    }

    private double rate(Service service, int threads) {
        return Figures.median(
                queries.get(service).get(threads).stream().map(Tally::perSecond).toList());
    }

    private String rates(int threads) {
        List<String> rates = new ArrayList<>();
        for (Service service : Service.values()) {
            rates.add(service.title + " " + show(rate(service, threads)) + "/s");
        }
        return String.join(", ", rates);
    }

    private Section section() {
        double gain = Figures.median(THREADS.stream()
                .map(threads -> rate(Service.LATCHKEY, threads) / rate(Service.JJWT, threads))
                .toList());
        double once = Figures.median(THREADS.stream()
                .map(threads -> rate(Service.ONCE, threads) / rate(Service.JJWT, threads))
                .toList());
        double login = Figures.median(THREADS.stream()
                .map(threads -> logins.get(Service.LATCHKEY).get(threads).perSecond()
                        / logins.get(Service.JJWT).get(threads).perSecond())
                .toList());
        long errors = queries.values().stream()
                .flatMap(levels -> levels.values().stream())
                .flatMap(List::stream)
                .mapToLong(Tally::errors)
                .sum();
        return new Section(
                id(),
                "Tokens",
                "A Nacos-like server: login, and a query that carries a token",
                "The query checks its token twice, as the server that this re-tells does: once to know the caller, once to"
                        + " authorise. The logins are of " + RETURNING
                        + " accounts that come back, with BCrypt 10 behind them.",
                List.of(
                        Goal.atLeast(
                                "tokens-query", "Queries with Latchkey beside jjwt, median of the rows", gain, 1, "×"),
                        Goal.atLeast("tokens-once", "The same, with the token checked once", once, 1, "×"),
                        Goal.atLeast("tokens-login", "Logins with Latchkey beside jjwt and BCrypt", login, 10, "×"),
                        Goal.atMost("tokens-errors", "Queries that failed", (double) errors, 0, "")),
                List.of(
                        Chart.lines(
                                "Queries per second (more is better)",
                                "threads",
                                Scale.LINEAR,
                                "queries/s",
                                Scale.LINEAR,
                                series(service -> threads -> rate(service, threads))),
                        Chart.lines(
                                "99th percentile of a query (less is better)",
                                "threads",
                                Scale.LINEAR,
                                "ms",
                                Scale.LINEAR,
                                series(service ->
                                        threads -> last(service, threads).millisAt(99)))),
                List.of(table("Queries", queryRows()), table("Logins", loginRows())),
                List.of(
                        "HTTP, the servlet container and the generator cost many times what a token does, so the gain of a"
                                + " faster token is small here; the tokens alone are measured below."));
    }

    private Tally last(Service service, int threads) {
        List<Tally> rounds = queries.get(service).get(threads);
        return rounds.get(rounds.size() - 1);
    }

    private static List<Series> series(
            java.util.function.Function<Service, java.util.function.IntToDoubleFunction> figure) {
        List<Series> series = new ArrayList<>();
        for (Service service : Service.values()) {
            series.add(new Series(
                    service.title,
                    THREADS.stream()
                            .map(threads ->
                                    new Point(threads, figure.apply(service).applyAsDouble(threads)))
                            .toList()));
        }
        return series;
    }

    private static Table table(String title, List<List<String>> rows) {
        return new Table(title, List.of("", "per second", "mean, ms", "p90", "p95", "p99", "errors"), rows);
    }

    private List<List<String>> queryRows() {
        List<List<String>> rows = new ArrayList<>();
        for (int threads : THREADS) {
            for (Service service : Service.values()) {
                rows.add(row(threads, service, rate(service, threads), last(service, threads)));
            }
        }
        return rows;
    }

    private List<List<String>> loginRows() {
        List<List<String>> rows = new ArrayList<>();
        for (int threads : THREADS) {
            logins.forEach((service, tallies) ->
                    rows.add(row(threads, service, tallies.get(threads).perSecond(), tallies.get(threads))));
        }
        return rows;
    }

    private static List<String> row(int threads, Service service, double rate, Tally tally) {
        return List.of(
                threads + " threads, " + service.title,
                show(rate),
                show(tally.meanMillis()),
                show(tally.millisAt(90)),
                show(tally.millisAt(95)),
                show(tally.millisAt(99)),
                show(tally.errors()));
    }
}
