package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.AccountDatabase;
import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.BareHashing;
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
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A million accounts in a database, login and then the profile: with BCrypt, with a weak hash, and with Latchkey. */
public final class CapacityScenario implements Scenario {

    private static final long MILLION = 1_000_000;

    private enum Service {
        WEAK("weak PBKDF2", Starter.ABSENT, "subject.hashing=WEAK_PBKDF2"),
        LATCHKEY("BCrypt + Latchkey", Starter.PRESENT, "subject.hashing=BCRYPT"),
        BCRYPT("BCrypt", Starter.ABSENT, "subject.hashing=BCRYPT");

        private final String title;
        private final Starter starter;
        private final String hashing;

        Service(String title, Starter starter, String hashing) {
            this.title = title;
            this.starter = starter;
            this.hashing = hashing;
        }

        ServiceProcess start(AccountDatabase database) {
            String tokens = this == LATCHKEY ? "LATCHKEY" : "JJWT";
            return ServiceProcess.start(
                    starter,
                    Stream.concat(
                                    Arrays.stream(database.properties()),
                                    Stream.of(
                                            hashing,
                                            "subject.tokens=" + tokens,
                                            "subject.hashes=" + HashPool.STRONG.file(),
                                            "spring.datasource.hikari.maximum-pool-size=20"))
                            .toArray(String[]::new));
        }

        private static List<String> titles() {
            return Arrays.stream(values()).map(service -> service.title).toList();
        }
    }

    /** Each account that logs in for the first time is another one. */
    private final AtomicLong nextNewcomer = new AtomicLong(MILLION / 2);

    private final List<Point> byAccounts = new ArrayList<>();
    private final Map<String, Map<String, Tally>> measured = new LinkedHashMap<>();
    private Tally othersAlone;

    @Override
    public String id() {
        return "capacity";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        int users = effort.pick(100, 300);
        int returning = effort.pick(50, 1_000);
        double hashes = BareHashing.ofAnIdleMachine();
        try (AccountDatabase database = AccountDatabase.open(progress)) {
            progress.step("accounts are in " + database.title());
            try (ServiceProcess latchkey = Service.LATCHKEY.start(database)) {
                byNumberOfAccounts(database, latchkey, returning, effort, progress);
                measure(Service.LATCHKEY, latchkey, users, returning, effort, progress);
            }
            for (Service service : List.of(Service.WEAK, Service.BCRYPT)) {
                try (ServiceProcess process = service.start(database)) {
                    measure(service, process, users, returning, effort, progress);
                }
            }
            return new CapacitySection(id(), measured, othersAlone, byAccounts, Service.titles())
                    .of(database.title(), users, returning, hashes);
        }
    }

    private void byNumberOfAccounts(
            AccountDatabase database, ServiceProcess service, int returning, Effort effort, Progress progress)
            throws Exception {
        for (long accounts = 1_000; accounts <= MILLION; accounts *= 10) {
            database.fillTo(accounts, progress);
            if (accounts == 1_000) {
                new Visitor(service.port()).logInAll(spread(returning, accounts));
                Load.run(
                        service.port(),
                        Connections.OWN,
                        effort.warmUp().multipliedBy(2),
                        loginThenProfile(50, returning, accounts));
            }
            // Those who return are the same, whoever else is in the table.
            Tally tally = Load.run(
                            service.port(), Connections.OWN, effort.measured(), loginThenProfile(50, returning, 1_000))
                    .get("profile");
            byAccounts.add(new Point(accounts, tally.perSecond()));
            progress.step(Figures.show(accounts) + " accounts: " + show(tally.perSecond()) + " returning users/s");
        }
    }

    private void measure(
            Service service, ServiceProcess process, int users, int returning, Effort effort, Progress progress) {
        Duration duration = effort.pick(Duration.ofSeconds(4), Duration.ofSeconds(20));
        Duration patience = effort.pick(Duration.ofSeconds(10), Duration.ofSeconds(20));
        int port = process.port();
        Load.run(port, Connections.OWN, effort.warmUp(), others());
        Tally alone =
                Load.run(port, Connections.OWN, effort.measured(), others()).get("other");
        if (service == Service.LATCHKEY) {
            othersAlone = alone;
        }
        Map<String, Tally> back =
                Load.run(port, Connections.OWN, duration, patience, loginThenProfile(users, returning, 1_000));
        measured.put(service.title + ", returning users", back);
        progress.step(service.title + ", returning: " + show(back.get("profile").perSecond()) + "/s");
        if (service != Service.BCRYPT) {
            // Their path is another one, and as cold as the service was; where all of it is a hash there is nothing to
            // warm up.
            Duration warmUp = service == Service.LATCHKEY ? effort.settling() : effort.warmUp();
            Load.run(port, Connections.OWN, warmUp, patience, firstLogins(users), others());
        }
        Map<String, Tally> first = Load.run(port, Connections.OWN, duration, patience, firstLogins(users), others());
        measured.put(service.title + ", first logins", first);
        progress.step(
                service.title + ", first logins: " + show(first.get("login").perSecond()) + "/s, "
                        + first.get("login").overloaded() + " told to come back, "
                        + first.get("login").refused() + " refused, others "
                        + show(first.get("other").perSecond()) + "/s of " + show(alone.perSecond()));
    }

    private static Crowd loginThenProfile(int users, int returning, long among) {
        List<String> accounts = spread(returning, among);
        int[] next = {0};
        return Crowd.closed(
                        "users",
                        users,
                        Call.formLogin("login", "/login").with("X-Forwarded-For", user -> Addresses.of(user.number())),
                        Call.get("profile", "/profile").withToken())
                .beginningWith(user -> user.become(accounts.get(next[0]++ % accounts.size())));
    }

    private static List<String> spread(int count, long among) {
        return Stream.iterate(0L, i -> i + among / count)
                .limit(count)
                .map(Accounts::name)
                .toList();
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
}
