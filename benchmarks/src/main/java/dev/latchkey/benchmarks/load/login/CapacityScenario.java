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
import dev.latchkey.benchmarks.report.Readings;
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

    /**
     * The users of BCrypt alone, and of each warm-up. BCrypt hashes some twenty a second, so more users only wait
     * longer.
     */
    private static final int BCRYPT_USERS = 20;

    /** Rounds of first logins. */
    private static final int ROUNDS = 2;

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
                case LATCHKEY -> ServiceProcess.start(Set.of(Addition.STARTER), HashPool.BCRYPT, database.settings());
                case BCRYPT -> ServiceProcess.start(Set.of(), HashPool.BCRYPT, database.settings());
            };
        }
    }

    /**
     * Hashes by threads without a service, and other requests at the same time.
     *
     * @param perSecond hashes
     * @param others other requests a second
     */
    record BareHashes(double perSecond, double others) {

        private static final BareHashes NOT_MEASURED = new BareHashes(Double.NaN, Double.NaN);
    }

    /**
     * First logins and other requests at the same time, after bare hashes beside the same other requests. Other requests alone
     * are no measure: on an otherwise idle machine, their rate was lower than beside first logins.
     */
    record Round(BareHashes bare, Tally login, Tally other) {

        /** The rate of the other requests, in percent of their rate beside bare hashes. */
        double kept() {
            return 100 * other.perSecond() / bare.others();
        }

        /** The rate of the first logins, in percent of the bare hashes. */
        double hashed() {
            return 100 * login.perSecond() / bare.perSecond();
        }
    }

    /** Each first login is by a new account. */
    private final AtomicLong nextNewcomer = new AtomicLong();

    private final Map<Service, Map<String, Tally>> returning = new LinkedHashMap<>();
    private final Map<Service, Readings<Round>> first = new LinkedHashMap<>();

    /** The number of accounts in the database. */
    static long accounts(Effort effort) {
        return effort == Effort.SMOKE ? MILLION / 100 : MILLION;
    }

    /** The number of the first account without an earlier login: the accounts before have the returning users. */
    static long firstNewcomer(Effort effort) {
        return accounts(effort) / 2;
    }

    private static Duration window(Effort effort) {
        return effort.pick(Duration.ofSeconds(4), Duration.ofSeconds(20));
    }

    @Override
    public double seconds(Effort effort) {
        return effort.seconds(5, 0, 0, 3) + 7 * Effort.seconds(window(effort)) + SECONDS_TO_FILL;
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        int users = effort.pick(100, 300);
        List<String> accounts = Accounts.first(effort.pick(50, 300));
        nextNewcomer.set(firstNewcomer(effort));
        try (AccountDatabase database = AccountDatabase.open()) {
            database.fillTo(accounts(effort), progress);
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
            int most,
            List<String> accounts,
            Effort effort,
            Progress progress) {
        int users = service == Service.BCRYPT ? BCRYPT_USERS : most;
        int port = process.port();
        if (service == Service.LATCHKEY) {
            new Visitor(port).logInAll(accounts);
        }
        warmUp(process, effort, loginThenProfile(BCRYPT_USERS, accounts));
        Map<String, Tally> back =
                Load.run(port, Connections.OWN, window(effort), Load.HASH_PATIENCE, loginThenProfile(users, accounts));
        back.forEach((call, tally) -> tally.answered(service.title + ", returning users: " + call));
        returning.put(service, back);
        if (service != Service.BCRYPT) {
            // First logins take another path, as cold as the service was. If the path is nearly all hash, there is
            // nothing to warm up.
            warmUp(process, effort, firstLogins(users));
        }
        if (service == Service.LATCHKEY) {
            // The bare hash is the yardstick of the first logins, and cold in this process too.
            bareHashes(port, effort.warmUp());
        }
        Readings<Round> rounds = first.computeIfAbsent(service, any -> new Readings<>());
        for (int round = 0; round < ROUNDS; round++) {
            rounds.add(round(service, port, users, effort));
        }
        progress.step(service.title + ", returning: " + show(back.get("profile").perSecond())
                + "/s; during first logins others: "
                + show(rounds.median(round -> round.other().perSecond())) + "/s");
    }

    private Round round(Service service, int port, int users, Effort effort) {
        Duration duration = window(effort).dividedBy(ROUNDS);
        BareHashes bare = service == Service.LATCHKEY ? bareHashes(port, duration) : BareHashes.NOT_MEASURED;
        Map<String, Tally> beside =
                Load.run(port, Connections.OWN, duration, Load.HASH_PATIENCE, firstLogins(users), others());
        String login = service.title + ", first logins: login";
        return new Round(
                bare,
                // Latchkey answers 503 while all permits to hash are taken.
                service == Service.LATCHKEY
                        ? beside.get("login").answeredOrOverloaded(login)
                        : beside.get("login").answered(login),
                beside.get("other").answered(service.title + ", first logins: other"));
    }

    private static void warmUp(ServiceProcess process, Effort effort, Crowd crowd) {
        WarmUp.run(
                List.of(process),
                effort,
                () -> Load.run(process.port(), Connections.OWN, effort.warmUp(), Load.HASH_PATIENCE, crowd, others()));
        WarmUp.awaitIdle(process);
    }

    /**
     * The hashes of as many bare threads as default permits, beside the other requests: the upper bound of the rate of first
     * logins beside the same requests. These requests take a part of the cores, so the idle machine is no bound.
     */
    private static BareHashes bareHashes(int port, Duration duration) {
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
        Tally others;
        try {
            others = Load.run(port, Connections.OWN, duration, others()).get("other");
        } finally {
            over.set(true);
        }
        return new BareHashes(
                hashes.sum() / ((System.nanoTime() - begin) / 1e9),
                others.answered("others beside bare hashes").perSecond());
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
            Readings<Round> rounds = first.get(service);
            rows.add(row(service, "first logins: login", rounds.last().login()));
            rows.add(row(service, "first logins: other", rounds.last().other()));
        }
        return new Section(
                "capacity",
                "Capacity",
                "A million accounts: login, then the profile",
                "The accounts are in PostgreSQL. " + users + " virtual users; returning users are " + accounts
                        + " accounts that have logged in before, first logins are of an account that has not. BCrypt alone has "
                        + BCRYPT_USERS + " users: more would only wait longer.",
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
                                first.get(Service.LATCHKEY).median(Round::hashed),
                                92,
                                "%"),
                        Goal.atLeast(
                                "capacity-others",
                                "Meanwhile others keep of their throughput beside the bare hashes",
                                first.get(Service.LATCHKEY).median(Round::kept),
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
                                + " untouched. First logins wait a second after an answer, as Retry-After asks.",
                        "All three services make their tokens with jjwt. The bare hashes and the other requests beside them are read before each of "
                                + ROUNDS + " rounds of first logins; the rows of first logins are of the last round."));
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
