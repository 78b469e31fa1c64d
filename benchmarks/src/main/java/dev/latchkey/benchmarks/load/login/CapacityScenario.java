package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.AccountDatabase;
import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Addresses;
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
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** A million accounts in a database, login and then the profile: with a weak hash, with BCrypt and Latchkey, and with BCrypt. */
public final class CapacityScenario implements Scenario {

    private static final long MILLION = 1_000_000;
    private static final int SECONDS_TO_FILL = 40;

    private enum Service {
        WEAK("weak PBKDF2"),
        LATCHKEY("BCrypt + Latchkey"),
        BCRYPT("BCrypt");

        private final String title;

        Service(String title) {
            this.title = title;
        }

        private ServiceProcess start(AccountDatabase database) {
            return switch (this) {
                case WEAK -> ServiceProcess.start(Set.of(), HashPool.WEAK_PBKDF2, database.settings());
                case LATCHKEY ->
                    ServiceProcess.start(
                            Set.of(Addition.STARTER), HashPool.BCRYPT, database.settings("subject.tokens=LATCHKEY"));
                case BCRYPT -> ServiceProcess.start(Set.of(), HashPool.BCRYPT, database.settings());
            };
        }
    }

    /** Each first login is by a new account. */
    private final AtomicLong nextNewcomer = new AtomicLong(MILLION / 2);

    private final Map<Service, Map<String, Tally>> returning = new LinkedHashMap<>();
    private final Map<Service, Map<String, Tally>> first = new LinkedHashMap<>();
    private final Map<Service, Tally> othersAlone = new LinkedHashMap<>();

    /** Per second, by threads without a service, beside the same other requests. */
    private double bareHashes;

    private static Duration window(Effort effort) {
        return effort.pick(Duration.ofSeconds(4), Duration.ofSeconds(20));
    }

    @Override
    public double seconds(Effort effort) {
        return effort.seconds(4, 3, 0, 3) + 7 * Effort.seconds(window(effort)) + SECONDS_TO_FILL;
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        int users = effort.pick(100, 300);
        List<String> accounts = Accounts.first(effort.pick(50, 300));
        try (AccountDatabase database = AccountDatabase.open()) {
            database.fillTo(effort == Effort.SMOKE ? MILLION / 100 : MILLION, progress);
            for (Service service : Service.values()) {
                try (ServiceProcess process = service.start(database)) {
                    measure(service, process, users, accounts, effort, progress);
                }
            }
        }
        return section(users, accounts.size());
    }

    private void measure(
            Service service,
            ServiceProcess process,
            int users,
            List<String> accounts,
            Effort effort,
            Progress progress) {
        Duration duration = window(effort);
        Duration patience = effort.pick(Duration.ofSeconds(10), Duration.ofSeconds(20));
        int port = process.port();
        if (service == Service.LATCHKEY) {
            new Visitor(port).logInAll(accounts);
            bareHashes = hashesBeside(() -> Load.run(port, Connections.OWN, duration, others()));
        }
        if (service != Service.BCRYPT) {
            warmUp(process, effort, patience, loginThenProfile(50, accounts));
        }
        othersAlone.put(
                service,
                Load.run(port, Connections.OWN, effort.measured(), others()).get("other"));
        Map<String, Tally> back =
                Load.run(port, Connections.OWN, duration, patience, loginThenProfile(users, accounts));
        returning.put(service, back);
        if (service != Service.BCRYPT) {
            // First logins take another path, as cold as the service was. If the path is nearly all hash, there is
            // nothing to warm up.
            warmUp(process, effort, patience, firstLogins(users));
        }
        first.put(service, Load.run(port, Connections.OWN, duration, patience, firstLogins(users), others()));
        progress.step(service.title + ", returning: " + show(back.get("profile").perSecond())
                + "/s; during first logins others keep " + show(kept(service)) + "%");
    }

    private static void warmUp(ServiceProcess process, Effort effort, Duration patience, Crowd crowd) {
        WarmUp.run(
                List.of(process),
                effort,
                () -> Load.run(process.port(), Connections.OWN, effort.warmUp(), patience, crowd, others()));
    }

    /**
     * The hashes per second of as many bare threads as default permits while this load runs: the upper bound of the rate of first
     * logins beside the same load. The load alone would take the cores, and the idle machine is no bound.
     */
    private static double hashesBeside(Runnable load) {
        String hash = HashPool.BCRYPT.lines().get(0);
        BCryptPasswordEncoder encoder = new BCryptPasswordEncoder(10);
        AtomicBoolean over = new AtomicBoolean();
        LongAdder hashes = new LongAdder();
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                    while (!over.get()) {
                        encoder.matches(Accounts.password(0), hash);
                        hashes.increment();
                    }
                }))
                .limit(Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                .toList();
        long begin = System.nanoTime();
        threads.forEach(Thread::start);
        try {
            load.run();
        } finally {
            over.set(true);
        }
        return hashes.sum() / ((System.nanoTime() - begin) / 1e9);
    }

    private double kept(Service service) {
        return 100
                * first.get(service).get("other").perSecond()
                / othersAlone.get(service).perSecond();
    }

    private static Crowd loginThenProfile(int users, List<String> accounts) {
        return Crowd.closed(
                        "users",
                        users,
                        Call.formLogin("login", "/login").with("X-Forwarded-For", user -> Addresses.of(user.number())),
                        Call.get("profile", "/profile").withToken())
                .inTurn(accounts);
    }

    private Crowd firstLogins(int users) {
        return Crowd.closed(
                        "users",
                        users,
                        Call.formLogin("login", "/login").with("X-Forwarded-For", user -> Addresses.of(user.number())))
                .beginningWith(user -> user.become(Accounts.name(nextNewcomer.getAndIncrement())))
                .pausing(Duration.ofSeconds(1));
    }

    private static Crowd others() {
        return Crowd.closed("others", 1, Call.get("other", "/public/ping"));
    }

    private Section section(int users, int accounts) {
        List<List<String>> rows = new ArrayList<>();
        for (Service service : Service.values()) {
            returning.get(service).forEach((call, tally) -> rows.add(row(service, "returning users: " + call, tally)));
            first.get(service).forEach((call, tally) -> rows.add(row(service, "first logins: " + call, tally)));
        }
        return new Section(
                "capacity",
                "Capacity",
                "A million accounts: login, then the profile",
                "The accounts are in PostgreSQL. " + users + " virtual users; returning users are " + accounts
                        + " accounts that have logged in before, first logins are of an account that has not.",
                List.of(
                        Goal.atLeast(
                                "capacity-returning",
                                "Returning users of a million accounts, login and profile",
                                returning.get(Service.LATCHKEY).get("profile").perSecond(),
                                400,
                                "/s"),
                        Goal.atMost(
                                "capacity-mean",
                                "Their mean response time",
                                returning.get(Service.LATCHKEY).get("login").meanMillis(),
                                1_000,
                                "ms"),
                        Goal.atLeast(
                                "capacity-first",
                                "First logins beside what bare threads hash, as many as there are permits, with the same other requests",
                                100 * first.get(Service.LATCHKEY).get("login").perSecond() / bareHashes,
                                92,
                                "%"),
                        Goal.atLeast(
                                "capacity-others",
                                "Meanwhile others keep of their throughput",
                                kept(Service.LATCHKEY),
                                60,
                                "%")),
                List.of(new Chart(
                        "Returning users: logins and profiles per second (more is better)",
                        "per second",
                        Scale.LOGARITHMIC,
                        Arrays.stream(Service.values())
                                .map(service -> service.title)
                                .toList(),
                        List.of(Series.of(
                                "returning",
                                List.of(Service.values()),
                                service -> returning.get(service).get("profile").perSecond())))),
                List.of(new Table(
                        "Rates and response times",
                        List.of("", "per second", "mean, ms", "p99, ms", "503", "4xx"),
                        rows)),
                List.of(
                        "The stored values are of a pool of " + Accounts.POOL
                                + " real hashes, since a million take a day to make;"
                                + " each has its account's number behind it, so that all are different, and every first login"
                                + " computes a full one.",
                        "The weak hash is PBKDF2-HMAC-SHA1 with 1,000 rounds. Latchkey's hashes are those of BCrypt alone: cost 10,"
                                + " untouched. First logins wait a second after an answer, as Retry-After asks."));
    }

    private static List<String> row(Service service, String what, Tally tally) {
        return Table.row(
                service.title + ", " + what,
                tally.perSecond(),
                tally.meanMillis(),
                tally.millisAt(99),
                tally.overloaded(),
                tally.refused());
    }
}
