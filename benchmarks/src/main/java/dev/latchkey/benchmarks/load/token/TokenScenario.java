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
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server whose every call carries a token: login, and a query whose token is checked twice or once. */
public final class TokenScenario implements Scenario {

    static final List<Integer> THREADS = List.of(10, 50, 100, 200);
    static final int RETURNING = 20;

    enum Service {
        JJWT("jjwt, checked twice", Starter.ABSENT, "subject.tokens=JJWT", "subject.verifications=2"),
        LATCHKEY("Latchkey, checked twice", Starter.PRESENT, "subject.tokens=LATCHKEY", "subject.verifications=2"),
        ONCE("Latchkey, checked once", Starter.PRESENT, "subject.tokens=LATCHKEY", "subject.verifications=1");

        final String title;
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
        return section().of();
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

    private TokenSection section() {
        return new TokenSection(id(), queries, logins);
    }

    private String rates(int threads) {
        List<String> rates = new ArrayList<>();
        for (Service service : Service.values()) {
            rates.add(service.title + " " + show(section().rate(service, threads)) + "/s");
        }
        return String.join(", ", rates);
    }
}
