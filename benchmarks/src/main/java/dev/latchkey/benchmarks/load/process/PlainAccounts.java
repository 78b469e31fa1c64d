package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the plain service with a few accounts. The cache knows a stored hash, so each has its own. */
public final class PlainAccounts {

    public static final String ALICE = "alice";
    public static final String BOB = "bob";
    public static final String CAROL = "carol";

    /** A login of this account takes a hashing permit for hours. */
    public static final String ENDLESS = "endless";

    private static final List<String> NAMES = List.of(ALICE, BOB, CAROL, ENDLESS);

    private static final String COST_10 = "$2a$10$";

    /** 16,384 times as much work. */
    private static final String COST_24 = "$2a$24$";

    /** Connections stay open for the client, and threads never end, because neither is measured. */
    private static final List<String> STEADY = List.of(
            "server.address=127.0.0.1",
            "server.port=0",
            "server.tomcat.max-keep-alive-requests=-1",
            "server.tomcat.threads.max=16",
            "server.tomcat.threads.min-spare=16",
            "spring.main.banner-mode=off",
            "logging.level.root=warn",
            // The log line with the port.
            "logging.level.org.springframework.boot.tomcat.TomcatWebServer=info");

    private PlainAccounts() {}

    public static ServiceProcess unhashed() {
        return start(Set.of(), stored(NAMES, PlainAccounts::password), "plain.hashing=none");
    }

    public static ServiceProcess hashed(Set<Addition> additions, String... settings) {
        List<String> hashes = HashPool.BCRYPT.lines();
        return start(
                additions,
                Stream.concat(
                        stored(List.of(ALICE, BOB, CAROL), name -> hashes.get(NAMES.indexOf(name))),
                        stored(
                                List.of(ENDLESS),
                                name -> COST_24
                                        + hashes.get(NAMES.indexOf(name)).substring(COST_10.length()))),
                settings);
    }

    private static ServiceProcess start(Set<Addition> additions, Stream<String> accounts, String... settings) {
        return ServiceProcess.start(
                Program.PLAIN,
                additions,
                Stream.concat(Stream.concat(STEADY.stream(), accounts), Arrays.stream(settings))
                        // Boot joins the values of a repeated argument; here the last one counts.
                        .collect(Collectors.toMap(
                                setting -> setting.substring(0, setting.indexOf('=')),
                                setting -> setting,
                                (earlier, later) -> later))
                        .values()
                        .stream()
                        .map(setting -> "--" + setting));
    }

    private static Stream<String> stored(List<String> names, UnaryOperator<String> passwords) {
        return names.stream().map(name -> "plain.accounts." + name + "=" + passwords.apply(name));
    }

    private static String password(String name) {
        return Accounts.password(NAMES.indexOf(name));
    }

    /** The credentials of this account. */
    public static String credentials(String name) {
        return Call.basic(name, password(name));
    }
}
