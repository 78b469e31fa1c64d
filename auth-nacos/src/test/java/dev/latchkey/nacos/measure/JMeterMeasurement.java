package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.Await;
import dev.latchkey.nacos.live.NacosHttp;
import dev.latchkey.nacos.live.NacosServer;
import dev.latchkey.nacos.live.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The tables of logins and reads by JMeter, with the default plugin and Latchkey by turns. Not a test: there is no assertion,
 * and only the command in README.md runs this class.
 */
final class JMeterMeasurement {

    private enum Mode {
        /** Shows only that the measurement works, and keeps no figures. */
        SMOKE(1, 1, 1),
        QUICK(1, 3, 15),
        FULL(3, 5, 30);

        final int rounds;
        final int warmUpSeconds;
        final int seconds;

        Mode(int rounds, int warmUpSeconds, int seconds) {
            this.rounds = rounds;
            this.warmUpSeconds = warmUpSeconds;
            this.seconds = seconds;
        }
    }

    private static final Mode MODE =
            Mode.valueOf(System.getProperty("measure", "full").toUpperCase(Locale.ROOT));

    private static final Path WORK = Path.of(System.getProperty("nacos.work"));
    private static final Path RESULTS = Path.of(System.getProperty("nacos.results"));
    private static final List<Integer> THREADS = List.of(10, 50, 100, 200);

    /** The plan looks for this text in each answer. */
    private static final String TEXT = "measured-text";

    private final Table table = new Table();
    private final JMeter jmeter = new JMeter(WORK.resolveSibling("jmeter"));

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void measure() throws Exception {
        for (int round = 0; round < MODE.rounds; round++) {
            for (Contender contender : List.of(Contender.DEFAULT, Contender.LATCHKEY)) {
                try (NacosServer server = contender.server().start()) {
                    measure(contender, SharedServer.withAdmin(server));
                }
            }
        }
        String text = table.markdown();
        System.out.println("\n" + text);
        Path file = MODE == Mode.SMOKE
                ? WORK.resolveSibling("jmeter.md")
                : RESULTS.resolve("nacos-jmeter-jdk" + Runtime.version().feature() + ".txt");
        Files.writeString(file, head() + text);
    }

    private void measure(Contender contender, NacosServer server) throws Exception {
        NacosHttp http = server.http();
        Await.until(
                "the administrator is known",
                () -> http.login("nacos", SharedServer.ADMIN_PASSWORD).status() == 200);
        NacosHttp.Answer login = http.login("nacos", SharedServer.ADMIN_PASSWORD);
        http.as(login.token()).publish("G", "measured", TEXT);
        Map<String, String> properties = Map.of(
                "port", Integer.toString(server.port()),
                "warmup", Integer.toString(MODE.warmUpSeconds),
                "seconds", Integer.toString(MODE.seconds),
                "username", "nacos",
                "password", SharedServer.ADMIN_PASSWORD,
                "token", login.token());
        // The first run lets the server compile its code, and does not count.
        jmeter.run(THREADS.get(0), properties);
        for (int threads : THREADS) {
            Map<String, Load> loads = jmeter.run(threads, properties);
            table.note("login, by JMeter", contender, loads.get("login"));
            table.note("read over HTTP by a token, by JMeter", contender, loads.get("read"));
        }
    }

    private static String head() {
        return """
                The default plugin of Nacos 3.1.0 and Latchkey by turns, by JMeter, which shares %d processors with the server; JDK %d.
                ./mvnw -Pnacos,jmeter -pl auth-nacos -am verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=JMeterMeasurement -Dmeasure=%s
                %s. The plan is auth-nacos/jmeter/nacos.jmx. An error is any answer without a token, or without the configuration.

                """.formatted(
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version().feature(),
                        MODE.name().toLowerCase(Locale.ROOT),
                        LocalDate.now(ZoneOffset.UTC));
    }
}
