package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Starts the plain service with a few accounts. The cache recognizes a stored hash, so each account has a different
 * hash.
 */
public final class PlainAccounts {

    public static final String ALICE = "alice";
    public static final String BOB = "bob";
    public static final String CAROL = "carol";

    /** A login of this account takes a hashing permit for hours. */
    public static final String ENDLESS = "endless";

    private static final List<String> NAMES = List.of(ALICE, BOB, CAROL, ENDLESS);

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
        return start(Set.of(), PlainAccounts::password, "plain.hashing=none");
    }

    public static ServiceProcess hashed(Set<Addition> additions, String... settings) {
        return start(additions, PlainAccounts::hash, settings);
    }

    /** Cost 24 is 16,384 times as much work as cost 10. */
    private static String hash(String name) {
        String hash = HashPool.BCRYPT.lines().get(NAMES.indexOf(name));
        return name.equals(ENDLESS) ? hash.replace("$2a$10$", "$2a$24$") : hash;
    }

    private static ServiceProcess start(Set<Addition> additions, UnaryOperator<String> stored, String... settings) {
        Stream<String> accounts = NAMES.stream().map(name -> "plain.accounts." + name + "=" + stored.apply(name));
        // Boot joins the values of a repeated argument; here the last value counts.
        Map<String, String> arguments = new LinkedHashMap<>();
        Stream.of(STEADY.stream(), accounts, Arrays.stream(settings))
                .flatMap(part -> part)
                .forEach(setting -> arguments.put(setting.substring(0, setting.indexOf('=')), "--" + setting));
        return ServiceProcess.start(Program.PLAIN, additions, arguments.values().stream());
    }

    private static String password(String name) {
        return Accounts.password(NAMES.indexOf(name));
    }

    /** The credentials of this account. */
    public static String credentials(String name) {
        return Call.basic(name, password(name));
    }
}
