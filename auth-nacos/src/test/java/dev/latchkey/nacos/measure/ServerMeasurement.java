package dev.latchkey.nacos.measure;

import com.alibaba.nacos.api.config.ConfigService;
import dev.latchkey.nacos.live.Await;
import dev.latchkey.nacos.live.NacosClient;
import dev.latchkey.nacos.live.NacosHttp;
import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The default plugin and this one by turns, in one sitting, under the same load. No test: it asserts nothing, and runs only where
 * it is named, as README.md does.
 *
 * <p>The load shares the processors with the server, so what counts is the ratio of two figures of one round.
 */
final class ServerMeasurement {

    /** How long each figure is measured. */
    private enum Mode {
        /** Only whether it runs to its end. */
        SMOKE(1, 0, 0, 1, 1, 2, 300),
        QUICK(1, 15, 1, 9, 3, 60, 6_000),
        FULL(3, 30, 3, 20, 8, 60, 8_000);

        final int rounds;
        final Duration settling;
        final Duration warmUp;
        final Duration firstLogins;
        final Duration time;
        final Duration flood;

        /** More than log in for the first time in a round on two processors. */
        final int accounts;

        Mode(
                int rounds,
                int settlingSeconds,
                int warmUpSeconds,
                int firstLoginSeconds,
                int seconds,
                int floodSeconds,
                int accounts) {
            this.rounds = rounds;
            this.settling = Duration.ofSeconds(settlingSeconds);
            this.warmUp = Duration.ofSeconds(warmUpSeconds);
            // Two hundred clients of two processors wait seven seconds for one turn of each.
            this.firstLogins = Duration.ofSeconds(firstLoginSeconds);
            this.time = Duration.ofSeconds(seconds);
            this.flood = Duration.ofSeconds(floodSeconds);
            this.accounts = Integer.getInteger("measure.accounts", accounts);
        }
    }

    private static final Mode MODE =
            Mode.valueOf(System.getProperty("measure", "full").toUpperCase(Locale.ROOT));

    /** First logins and the flood alone, for work on these. */
    private static final boolean FIRST_ALONE = "first".equals(System.getProperty("measure.only", ""));

    private static final List<Integer> THREADS = List.of(10, 50, 100, 200);
    private static final int READERS = 10;
    private static final int FLOOD_A_SECOND = 1_000;

    private static final String PASSWORD = "of-an-account";

    private final Table table = new Table();

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void measure() throws Exception {
        Path hashes = Hashes.of(PASSWORD, MODE.accounts);
        for (int round = 0; round < MODE.rounds; round++) {
            for (Contender contender : Contender.values()) {
                if (FIRST_ALONE && contender == Contender.LATCHKEY_HALF) {
                    continue;
                }
                try (NacosServer server = contender.server().start()) {
                    measure(contender, SharedServer.withAdmin(server), hashes);
                }
            }
        }
        String text = table.markdown();
        Path file = Path.of(System.getProperty("nacos.work")).resolveSibling("measurement.md");
        Files.writeString(file, text);
        System.out.println("\n" + text);
    }

    private void measure(Contender contender, NacosServer server, Path hashes) throws Exception {
        NacosHttp http = server.http();
        server.addUsers(hashes);
        Await.until("the administrator is known", () -> isLogin(http, "nacos"));
        // It is the last one that is added, and logs in here: not one of those that are measured.
        String last = NacosServer.userName(MODE.accounts - 1);
        Await.until(
                "the last account is known", () -> http.login(last, PASSWORD).status() == 200);
        SharedServer.admin(server).publish("G", "measured", "text");
        Accounts accounts = new Accounts(MODE.accounts - 1);
        settle(http, accounts);
        for (int threads : THREADS) {
            Load load = Load.of(threads, MODE.firstLogins, () -> isFirstLogin(http, accounts));
            table.note("first login of an account", contender, load);
        }
        if (contender == Contender.LATCHKEY_HALF || FIRST_ALONE) {
            // What it differs in: where nothing is hashed there is nothing to choose.
            measureFlood(contender, http, SharedServer.admin(server), accounts);
            return;
        }
        for (int threads : THREADS) {
            table.note("login of a returning account", contender, warm(threads, () -> isLogin(http, "nacos")));
        }
        NacosHttp session = SharedServer.admin(server);
        for (int threads : THREADS) {
            table.note("read over HTTP, by a token", contender, warm(threads, () -> isRead(session)));
        }
        try (NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD)) {
            ConfigService config = client.config();
            for (int threads : THREADS) {
                table.note(
                        "read over gRPC, by a token",
                        contender,
                        warm(threads, () -> "text".equals(NacosClient.read(config, "measured"))));
            }
        }
        measureFlood(contender, http, session, accounts);
    }

    /**
     * Lets the server compile what a login runs, before one is counted. The default plugin knows a new account only after it has read its users again:
     * by then it has been asked for a quarter of a minute, and another one would be measured in its first seconds.
     */
    private static void settle(NacosHttp http, Accounts accounts) {
        Duration half = MODE.settling.dividedBy(2);
        Load.of(READERS, half, () -> isLogin(http, "nacos"));
        Load.of(READERS, half, () -> isFirstLogin(http, accounts));
    }

    /** Last, since what a server has not answered yet goes on when the flood ends. */
    private void measureFlood(Contender contender, NacosHttp http, NacosHttp session, Accounts accounts) {
        Load before = warm(READERS, () -> isRead(session));
        table.note("read over HTTP, before the flood", contender, before);
        try (Flood flood = Flood.of(FLOOD_A_SECOND, accounts, name -> http.loginLater(name, PASSWORD))) {
            Load during = Load.of(READERS, MODE.flood, () -> isRead(session));
            table.note("read over HTTP, while 1,000 accounts a second log in for the first time", contender, during);
            table.remark("The flood of %s: %s; %.0f %% of the reads are left"
                    .formatted(contender, flood, 100 * during.perSecond() / before.perSecond()));
        }
    }

    private static Load warm(int threads, BooleanSupplier ask) {
        Load.of(threads, MODE.warmUp, ask);
        return Load.of(threads, MODE.time, ask);
    }

    private static boolean isFirstLogin(NacosHttp http, Accounts accounts) {
        String name = accounts.next();
        boolean loggedIn = http.login(name, PASSWORD).status() == 200;
        accounts.answered(name, loggedIn);
        return loggedIn;
    }

    private static boolean isLogin(NacosHttp http, String username) {
        return http.login(username, SharedServer.ADMIN_PASSWORD).status() == 200;
    }

    private static boolean isRead(NacosHttp session) {
        return session.config("G", "measured").status() == 200;
    }
}
