package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.PlainAccounts;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.Rounds;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.Ruler.Asked;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.WarmUp;
import dev.latchkey.benchmarks.load.process.Way;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Measured;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The cost of a refused login, beside a request with the answer 200. */
public final class RefusalScenario implements Scenario {

    /** So many answers are held at a time. */
    private static final int CONNECTIONS = 64;

    /** More than any account's limit, and enough to be refused for the rest of the run. */
    private static final int GUESSES = 200;

    /** Attempts of the first login. */
    private static final int FIRST_LOGINS = 10;

    /** The delay of a refusal. The default is a second; the cost of a held refusal does not depend on the delay. */
    private enum Telling {
        HELD("held", "20ms"),
        AT_ONCE("told at once", "0s");

        private final String title;
        private final String delay;

        Telling(String title, String delay) {
            this.title = title;
            this.delay = delay;
        }
    }

    /**
     * The requests: answered, or refused by a limit; answered, or refused while another account's hash has the permit. Tomcat
     * closes a connection after 503, with or without Latchkey. The compared 200 therefore has a new connection too.
     */
    private enum Kind {
        ANSWERED("200", 200, Way.KEEP_ALIVE),
        LIMITED("429", 429, Way.KEEP_ALIVE),
        ANSWERED_BESIDE_A_HASH("200, closing, beside a hash", 200, Way.CLOSING),
        OVERLOADED("503", 503, Way.CLOSING);

        private final String title;
        private final int status;
        private final Way way;

        Kind(String title, int status, Way way) {
            this.title = title;
            this.status = status;
            this.way = way;
        }

        /** Both were measured in the same state of the machine. */
        private Kind yardstick() {
            return way == Way.CLOSING ? ANSWERED_BESIDE_A_HASH : ANSWERED;
        }
    }

    private final Measured<Telling, Kind, Cost> costs = new Measured<>();
    private long guesses;
    private long unknownClients;

    private static int rounds(Effort effort) {
        return effort.pick(2, 4, 12);
    }

    private static List<Telling> tellings(Effort effort) {
        return effort.pick(List.of(Telling.HELD), List.of(Telling.values()));
    }

    @Override
    public double seconds(Effort effort) {
        int tellings = tellings(effort).size();
        return effort.seconds(2 * tellings, 0, tellings * Kind.values().length * rounds(effort), 2 * tellings);
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        int rounds = rounds(effort);
        for (Telling telling : tellings(effort)) {
            // Guesses at one account wait for each other for moments, and must not get 503 for this reason.
            ServiceProcess patient = start(telling, "5s");
            try (Ruler ruler = new Ruler(patient)) {
                logIn(ruler);
                exhaust(ruler);
                measure(patient, ruler, telling, List.of(Kind.ANSWERED, Kind.LIMITED), effort, rounds);
            }
            // While the only permit is taken, no login waits for a permit.
            ServiceProcess impatient = start(telling, "10ms");
            try (Ruler ruler = new Ruler(impatient)) {
                logIn(ruler);
                CompletableFuture<Integer> endless = ruler.send(Way.KEEP_ALIVE.request(
                        ruler.port(), PlainAccounts.credentials(PlainAccounts.ENDLESS), Addresses.of(2)));
                ruler.leaveOutBusyRequest();
                measure(
                        impatient,
                        ruler,
                        telling,
                        List.of(Kind.ANSWERED_BESIDE_A_HASH, Kind.OVERLOADED),
                        effort,
                        rounds);
                endless.cancel(true);
            }
            progress.step(telling.title + ": 429 × " + show(times(telling, Kind.LIMITED)) + ", 503 × "
                    + show(times(telling, Kind.OVERLOADED)) + " of a 200");
        }
        return section(rounds, effort);
    }

    /** Once alone, for its hash. A slow moment of the machine may refuse a login that waits for milliseconds only. */
    private static void logIn(Ruler ruler) {
        for (int attempt = 0; ruler.send(hit(ruler, Way.KEEP_ALIVE)).join() != Kind.ANSWERED.status; attempt++) {
            if (attempt == FIRST_LOGINS) {
                throw new IllegalStateException("The first login was refused");
            }
        }
    }

    private static ServiceProcess start(Telling telling, String maxWait) {
        return PlainAccounts.hashed(
                Set.of(Addition.STARTER),
                "latchkey.guard.refusals.delay=" + telling.delay,
                "latchkey.guard.permits=1",
                "latchkey.guard.max-wait=" + maxWait,
                "server.tomcat.threads.max=" + 4 * CONNECTIONS,
                // Failures are not forgotten within the run: each admitted login costs a hash.
                "latchkey.guard.limits.account-and-source[0].tokens=5",
                "latchkey.guard.limits.account-and-source[0].per=48h");
    }

    private void measure(
            ServiceProcess service, Ruler ruler, Telling telling, List<Kind> kinds, Effort effort, int rounds) {
        WarmUp.run(List.of(service), effort, () -> {
            for (Kind kind : kinds) {
                ruler.warmUp(asked(ruler, kind), effort.warmUp().dividedBy(kinds.size()));
            }
        });
        for (int round = 0; round < rounds; round++) {
            for (Kind kind : Rounds.turn(kinds, round)) {
                costs.of(telling, kind).add(ruler.measure(asked(ruler, kind), effort.costed()));
            }
        }
    }

    /** Guesses until a limit refuses a guess. Every further guess is refused as well. */
    private void exhaust(Ruler ruler) {
        for (int i = 0; i < GUESSES; i++) {
            if (ruler.send(guess(ruler)).join() == Kind.LIMITED.status) {
                return;
            }
        }
        throw new IllegalStateException("After " + GUESSES + " guesses none was refused");
    }

    private Asked asked(Ruler ruler, Kind kind) {
        HttpRequest hit = hit(ruler, kind.way);
        Supplier<HttpRequest> request = switch (kind) {
            case ANSWERED, ANSWERED_BESIDE_A_HASH -> () -> hit;
            case LIMITED -> () -> guess(ruler);
            case OVERLOADED -> () -> firstLogin(ruler);
        };
        return new Asked(CONNECTIONS, request, kind.status);
    }

    private static HttpRequest hit(Ruler ruler, Way way) {
        return way.request(ruler.port(), PlainAccounts.credentials(PlainAccounts.ALICE), Addresses.of(1));
    }

    /** A new password each time, for one account and from one address. */
    private HttpRequest guess(Ruler ruler) {
        return Way.KEEP_ALIVE.request(
                ruler.port(), Call.basic(PlainAccounts.CAROL, "guess-" + guesses++), Addresses.of(3));
    }

    /** The right password of an account without an earlier login, from a new address each time. */
    private HttpRequest firstLogin(Ruler ruler) {
        return Way.CLOSING.request(
                ruler.port(), PlainAccounts.credentials(PlainAccounts.BOB), Addresses.of(1_000 + unknownClients++));
    }

    private double times(Telling telling, Kind kind) {
        return costs.of(telling, kind).times(costs.of(telling, kind.yardstick()), Cost::micros);
    }

    private Section section(int rounds, Effort effort) {
        List<Telling> tellings = tellings(effort);
        List<Goal> goals = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (Telling telling : tellings) {
            for (Kind kind : List.of(Kind.LIMITED, Kind.OVERLOADED)) {
                goals.add(Goal.atMost(
                        "refusals-" + kind.title + "-"
                                + telling.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        "Processor time of a login refused with " + kind.title + ", " + telling.title
                                + ", beside a 200",
                        times(telling, kind),
                        2,
                        "×"));
            }
            for (Kind kind : Kind.values()) {
                rows.add(Table.row(
                        kind.title + ", refusals " + telling.title,
                        costs.of(telling, kind).median(Cost::micros),
                        costs.of(telling, kind).least(Cost::micros),
                        times(telling, kind),
                        costs.of(telling, kind).median(Cost::bytes)));
            }
        }
        return new Section(
                "refusals",
                "Refusals",
                "What a refused login costs",
                "The plain service with the starter. " + CONNECTIONS + " connections send, in each of " + rounds
                        + " rounds, for "
                        + show(effort.costed().toMillis())
                        + " ms each, requests that are answered, and requests that are refused: wrong passwords of one account beyond its limit"
                        + " (429), and first logins while the one permit to hash is taken (503).",
                goals,
                List.of(new Chart(
                        "Processor time per request, µs (less is better)",
                        "µs",
                        Scale.LINEAR,
                        Arrays.stream(Kind.values()).map(kind -> kind.title).toList(),
                        tellings.stream()
                                .map(telling -> Series.of(
                                        telling.title,
                                        List.of(Kind.values()),
                                        kind -> costs.of(telling, kind).median(Cost::micros)))
                                .toList())),
                List.of(new Table("One request", List.of("", "µs, median", "least", "beside a 200, ×", "bytes"), rows)),
                List.of(
                        "A refusal is held for a second by default, without a thread. Here it is held for 20 ms, which costs the same"
                                + " and keeps the run short.",
                        "A hash that has the permit runs on a thread of its own meanwhile, whose time is left out; the 200 beside"
                                + " which the 503 stands was measured next to the same hash. An answer is 200 because the cache knows"
                                + " its password."));
    }
}
