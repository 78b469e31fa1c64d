package dev.latchkey.nacos.measure;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.exception.NacosException;
import dev.latchkey.nacos.live.Await;
import dev.latchkey.nacos.live.NacosClient;
import dev.latchkey.nacos.live.NacosHttp;
import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares the default plugin with this plugin under the same load. The class asserts nothing, and runs only by name (see README.md).
 *
 * <p>The servers run side by side and take turns for each figure, because a machine's speed changes within minutes.
 * The load shares the processors with the servers, so only the ratios of figures count.
 */
final class ServerMeasurement {

    /** The lengths of the turns. */
    private enum Mode {
        /** Only whether the measurement runs to its end. */
        SMOKE(1, 0, 0, 1, 1, 2, 300),
        QUICK(3, 15, 1, 6, 2, 60, 6_000),
        FULL(5, 30, 2, 12, 5, 60, 12_000);

        final int turns;
        final Duration settling;
        final Duration warmUp;
        final Duration firstLogins;
        final Duration time;
        final Duration flood;

        /** More than log in for the first time on two processors. */
        final int accounts;

        Mode(
                int turns,
                int settlingSeconds,
                int warmUpSeconds,
                int firstLoginSeconds,
                int seconds,
                int floodSeconds,
                int accounts) {
            this.turns = turns;
            this.settling = Duration.ofSeconds(settlingSeconds);
            this.warmUp = Duration.ofSeconds(warmUpSeconds);
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
        List<Side> sides = new ArrayList<>();
        try {
            for (Contender contender : Contender.values()) {
                if (!FIRST_ALONE || contender != Contender.LATCHKEY_HALF) {
                    sides.add(Side.of(contender, hashes));
                }
            }
            for (int turn = 0; turn < MODE.turns; turn++) {
                measureTurn(sides);
                Collections.reverse(sides);
            }
            // Last: a server computes the flood's hashes on after the flood's end. The next flood starts after this
            // server's end.
            while (!sides.isEmpty()) {
                try (Side side = sides.remove(sides.size() - 1)) {
                    measureFlood(side);
                }
            }
        } finally {
            sides.forEach(Side::close);
        }
        String text = table.markdown();
        Path file = Path.of(System.getProperty("nacos.work")).resolveSibling("measurement.md");
        Files.writeString(file, text);
        System.out.println("\n" + text);
    }

    private void measureTurn(List<Side> sides) {
        inTurn(
                "first login of an account",
                sides,
                (side, threads) -> Load.of(threads, MODE.firstLogins, side::isFirstLogin));
        if (FIRST_ALONE) {
            return;
        }
        // The number of hashes at once has no effect where no password is hashed.
        List<Side> both = sides.stream()
                .filter(side -> side.contender() != Contender.LATCHKEY_HALF)
                .toList();
        inTurn("login of a returning account", both, (side, threads) -> warm(threads, side::isLogin));
        inTurn("read over HTTP, by a token", both, (side, threads) -> warm(threads, side::isRead));
        inTurn("read over gRPC, by a token", both, (side, threads) -> warm(threads, side::isReadOverGrpc));
    }

    private void inTurn(String what, List<Side> sides, BiFunction<Side, Integer, Load> load) {
        for (int threads : THREADS) {
            for (Side side : sides) {
                table.note(what, side.contender(), load.apply(side, threads));
            }
        }
    }

    private void measureFlood(Side side) {
        Load before = warm(READERS, side::isRead);
        table.note("read over HTTP, before the flood", side.contender(), before);
        try (Flood flood = Flood.of(FLOOD_A_SECOND, side.accounts(), side::loginLater)) {
            Load during = Load.of(READERS, MODE.flood, side::isRead);
            table.note(
                    "read over HTTP, while 1,000 accounts a second log in for the first time",
                    side.contender(),
                    during);
            table.remark("The flood of %s: %s; %.0f %% of the reads are left"
                    .formatted(side.contender(), flood, 100 * during.perSecond() / before.perSecond()));
        }
    }

    private static Load warm(int threads, BooleanSupplier ask) {
        Load.of(threads, MODE.warmUp, ask);
        return Load.of(threads, MODE.time, ask);
    }

    /** A running server with its accounts. */
    private record Side(
            Contender contender,
            NacosServer server,
            Accounts accounts,
            NacosHttp session,
            NacosClient client,
            ConfigService config)
            implements AutoCloseable {

        /** Returns when the server knows the accounts and has compiled the code of a login. */
        static Side of(Contender contender, Path hashes) throws Exception {
            NacosServer server = SharedServer.withAdmin(contender.server().start());
            server.addUsers(hashes);
            NacosHttp http = server.http();
            Await.until("the administrator is known", () -> isLogin(http));
            // The last account logs in here, so this account is not among the measured accounts.
            String last = NacosServer.userName(MODE.accounts - 1);
            Await.until(
                    "the last account is known",
                    () -> http.login(last, PASSWORD).status() == 200);
            NacosHttp session = SharedServer.admin(server);
            session.publish("G", "measured", "text");
            NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD);
            Side side = new Side(contender, server, new Accounts(MODE.accounts - 1), session, client, client.config());
            Duration half = MODE.settling.dividedBy(2);
            Load.of(READERS, half, side::isLogin);
            Load.of(READERS, half, side::isFirstLogin);
            return side;
        }

        boolean isFirstLogin() {
            String name = accounts.next();
            boolean loggedIn = server.http().login(name, PASSWORD).status() == 200;
            accounts.answered(name, loggedIn);
            return loggedIn;
        }

        boolean isLogin() {
            return isLogin(server.http());
        }

        private static boolean isLogin(NacosHttp http) {
            return http.login("nacos", SharedServer.ADMIN_PASSWORD).status() == 200;
        }

        boolean isRead() {
            return session.config("G", "measured").status() == 200;
        }

        boolean isReadOverGrpc() {
            return "text".equals(NacosClient.read(config, "measured"));
        }

        CompletableFuture<NacosHttp.Answer> loginLater(String name) {
            return server.http().loginLater(name, PASSWORD);
        }

        @Override
        public void close() {
            try (server) {
                client.close();
            } catch (NacosException e) {
                throw new IllegalStateException("The client did not close", e);
            }
        }
    }
}
