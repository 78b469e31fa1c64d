package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.login.RefusalCosts.Kind;
import dev.latchkey.benchmarks.load.login.RefusalCosts.Telling;
import dev.latchkey.benchmarks.load.process.PlainAccounts;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.Ruler.Asked;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.SocketClient;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** What a refused login costs the service, beside a request that it answers with 200. */
public final class RefusalScenario implements Scenario {

    /** So many answers are held at a time. */
    private static final int CONNECTIONS = 64;

    /** More than any account may fail, and more than it takes to be refused for the rest of the run. */
    private static final int GUESSES = 200;

    private final RefusalCosts costs = new RefusalCosts();
    private long guesses;
    private long strangers;

    @Override
    public String id() {
        return "refusals";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        int rounds = effort.pick(2, 5, 9);
        int requests = effort.pick(128, 4_096, 8_192);
        for (Telling telling : Telling.values()) {
            try (Ruler ruler = Ruler.on(start(telling))) {
                logIn(ruler);
                ruler.measure(asked(Kind.ANSWERED), effort.pick(256, 20_000, 40_000));
                exhaust(ruler);
                measure(ruler, telling, List.of(Kind.ANSWERED, Kind.LIMITED), effort, rounds, requests);
                try (SocketClient endless = ruler.client(Way.KEEP_ALIVE)) {
                    endless.send(
                            Way.KEEP_ALIVE.request(PlainAccounts.credentials(PlainAccounts.ENDLESS), Addresses.of(2)));
                    ruler.leaveOutBusyRequest();
                    measure(
                            ruler,
                            telling,
                            List.of(Kind.ANSWERED_BESIDE_A_HASH, Kind.OVERLOADED),
                            effort,
                            rounds,
                            requests);
                }
            }
            progress.step(telling.title + ": 429 × " + show(costs.times(telling, Kind.LIMITED)) + ", 503 × "
                    + show(costs.times(telling, Kind.OVERLOADED)) + " of a 200");
        }
        return RefusalSection.of(id(), costs, rounds, requests, CONNECTIONS);
    }

    private static ServiceProcess start(Telling telling) {
        return PlainAccounts.hashed(
                Starter.PRESENT,
                "latchkey.guard.refusals.delay=" + telling.delay,
                "latchkey.guard.permits=1",
                // While the one permit is taken nobody waits for it.
                "latchkey.guard.max-wait=10ms",
                // Guesses at one account wait for each other for moments, and none of them shall be told 503 for
                // that.
                "latchkey.guard.max-waiting=" + CONNECTIONS,
                // What fails is not forgotten within the run: each login that is let through costs a hash.
                "latchkey.guard.limits.account-and-source[0].tokens=5",
                "latchkey.guard.limits.account-and-source[0].per=48h");
    }

    private void measure(Ruler ruler, Telling telling, List<Kind> kinds, Effort effort, int rounds, int requests) {
        for (Kind kind : kinds) {
            ruler.measure(asked(kind), effort.pick(128, 20_000, 40_000));
        }
        for (int round = 0; round < rounds; round++) {
            for (Kind kind : kinds) {
                costs.of(telling, kind).add(ruler.measure(asked(kind), requests));
            }
        }
    }

    /** Once alone, for its hash. */
    private static void logIn(Ruler ruler) throws IOException {
        try (SocketClient client = ruler.client(Way.KEEP_ALIVE)) {
            client.send(hit(Way.KEEP_ALIVE));
            int status = client.receive();
            if (status != Kind.ANSWERED.status) {
                throw new IllegalStateException("The first login was answered " + status);
            }
        }
    }

    /** Guesses until one is refused by a limit, as every further one is. */
    private void exhaust(Ruler ruler) throws IOException {
        try (SocketClient client = ruler.client(Way.KEEP_ALIVE)) {
            for (int i = 0; i < GUESSES; i++) {
                client.send(guess());
                if (client.receive() == Kind.LIMITED.status) {
                    return;
                }
            }
        }
        throw new IllegalStateException("After " + GUESSES + " guesses none was refused");
    }

    private Asked asked(Kind kind) {
        byte[] hit = hit(kind.way);
        Supplier<byte[]> request = switch (kind) {
            case ANSWERED, ANSWERED_BESIDE_A_HASH -> () -> hit;
            case LIMITED -> this::guess;
            case OVERLOADED -> this::firstLogin;
        };
        return new Asked(kind.way, CONNECTIONS, request, kind.status);
    }

    private static byte[] hit(Way way) {
        return way.request(PlainAccounts.credentials(PlainAccounts.ALICE), Addresses.of(1));
    }

    /** Another password each time, for one account and from one address. */
    private byte[] guess() {
        return Way.KEEP_ALIVE.request(Call.basic(PlainAccounts.CAROL, "guess-" + guesses++), Addresses.of(3));
    }

    /** The right password of an account that has not logged in, from another address each time. */
    private byte[] firstLogin() {
        return Way.CLOSING.request(PlainAccounts.credentials(PlainAccounts.BOB), Addresses.of(1_000 + strangers++));
    }
}
