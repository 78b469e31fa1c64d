package dev.latchkey.nacos.measure;

import com.alibaba.nacos.api.config.ConfigService;
import dev.latchkey.nacos.live.Await;
import dev.latchkey.nacos.live.NacosClient;
import dev.latchkey.nacos.live.NacosHttp;
import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.NacosServer.Kind;
import dev.latchkey.nacos.live.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
        SMOKE(1, 0, 1, 2, 300),
        QUICK(1, 1, 3, 5, 6_000),
        FULL(3, 3, 8, 15, 18_000);

        final int rounds;
        final Duration warmUp;
        final Duration time;
        final Duration flood;

        /** More than log in for the first time in a round, but where figures say nothing. */
        final int accounts;

        Mode(int rounds, int warmUpSeconds, int seconds, int floodSeconds, int accounts) {
            this.rounds = rounds;
            this.warmUp = Duration.ofSeconds(warmUpSeconds);
            this.time = Duration.ofSeconds(seconds);
            this.flood = Duration.ofSeconds(floodSeconds);
            this.accounts = accounts;
        }
    }

    private static final Mode MODE =
            Mode.valueOf(System.getProperty("measure", "full").toUpperCase(Locale.ROOT));
    private static final List<Integer> THREADS = List.of(10, 50, 100, 200);
    private static final int READERS = 10;
    private static final int FLOOD_A_SECOND = 1_000;

    private static final String PASSWORD = "of-an-account";

    private final Table table = new Table();

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void measure() throws Exception {
        for (int round = 0; round < MODE.rounds; round++) {
            for (Kind kind : List.of(Kind.DEFAULT, Kind.LATCHKEY)) {
                try (NacosServer server = NacosServer.fresh(kind).withAllCompilers()) {
                    if (kind == Kind.LATCHKEY) {
                        server.setOwn("trusted.proxies", "none");
                    }
                    measure(kind, SharedServer.withAdmin(server.start()));
                }
            }
        }
        Path file = Path.of(System.getProperty("nacos.work")).resolveSibling("measurement.md");
        Files.writeString(file, table.markdown());
        System.out.println("\n" + table.markdown());
    }

    private void measure(Kind kind, NacosServer server) throws Exception {
        NacosHttp http = server.http();
        server.addUsers(Hashes.of(PASSWORD, MODE.accounts));
        Await.until("the administrator is known", () -> isLogin(http, "nacos", SharedServer.ADMIN_PASSWORD));
        Await.until(
                "the last account is known", () -> isLogin(http, NacosServer.userName(MODE.accounts - 1), PASSWORD));
        AtomicInteger next = new AtomicInteger();
        for (int threads : THREADS) {
            table.note(
                    "first login of an account",
                    kind,
                    Load.of(
                            threads,
                            MODE.time,
                            () -> isLogin(
                                    http, NacosServer.userName(next.getAndIncrement() % MODE.accounts), PASSWORD)));
        }
        for (int threads : THREADS) {
            table.note(
                    "login of a returning account",
                    kind,
                    warm(threads, () -> isLogin(http, "nacos", SharedServer.ADMIN_PASSWORD)));
        }
        NacosHttp session = SharedServer.admin(server);
        session.publish("G", "measured", "text");
        for (int threads : THREADS) {
            table.note("configuration over HTTP, by a token", kind, warm(threads, () -> isRead(session)));
        }
        try (NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD)) {
            ConfigService config = client.config();
            for (int threads : THREADS) {
                table.note(
                        "configuration over gRPC, by a token",
                        kind,
                        warm(threads, () -> "text".equals(NacosClient.read(config, "measured"))));
            }
        }
        measureFlood(kind, http, session, next);
    }

    /** Last, since what a server has not answered yet goes on when the flood ends. */
    private void measureFlood(Kind kind, NacosHttp http, NacosHttp session, AtomicInteger next) {
        table.note("configuration over HTTP, before the flood", kind, warm(READERS, () -> isRead(session)));
        try (Flood flood = Flood.of(
                FLOOD_A_SECOND,
                () -> http.loginLater(NacosServer.userName(next.getAndIncrement() % MODE.accounts), PASSWORD)
                        .thenApply(NacosHttp.Answer::status))) {
            table.note(
                    "configuration over HTTP, while 1,000 accounts a second log in for the first time",
                    kind,
                    Load.of(READERS, MODE.flood, () -> isRead(session)));
            table.remark(kind + ", the flood: " + flood);
        }
    }

    private static Load warm(int threads, BooleanSupplier ask) {
        Load.of(threads, MODE.warmUp, ask);
        return Load.of(threads, MODE.time, ask);
    }

    private static boolean isLogin(NacosHttp http, String username, String password) {
        return http.login(username, password).status() == 200;
    }

    private static boolean isRead(NacosHttp session) {
        return session.config("G", "measured").status() == 200;
    }
}
