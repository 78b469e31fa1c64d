package dev.latchkey.nacos.live;

import dev.latchkey.nacos.DefaultToken;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real Nacos server in a process of its own, with a data folder and ports of its own. The server ends with {@link #close},
 * and with the starting process.
 */
public final class NacosServer implements AutoCloseable {

    static final String SECRET = DefaultToken.SECRET;

    /** For how many milliseconds the server waits for its database. */
    static final String DATABASE_TIMEOUT = "db.pool.config.connectionTimeout";

    /** Half a minute where nothing else runs. */
    private static final Duration START = Duration.ofMinutes(10);

    private static final Duration END = Duration.ofMinutes(2);
    private static final Duration BETWEEN_ASKING = Duration.ofMillis(300);
    private static final Path WORK = Path.of(System.getProperty("nacos.work"));
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int STARTS = 3;
    private static final List<String> BUSY = List.of("Login timeout exceeded", "Address already in use");

    /** The deciding plugin, and the present plugins. */
    public enum Kind {
        LATCHKEY("latchkey", true, true),
        LATCHKEY_WITHOUT_JAR("latchkey", false, true),
        LATCHKEY_ALONE("latchkey", true, false),
        DEFAULT("nacos", false, true),
        DEFAULT_BESIDE_JAR("nacos", true, true);

        private final String type;
        private final boolean jar;
        private final boolean defaultPlugin;

        Kind(String type, boolean jar, boolean defaultPlugin) {
            this.type = type;
            this.jar = jar;
            this.defaultPlugin = defaultPlugin;
        }

        boolean hasJar() {
            return jar;
        }

        boolean hasDefaultPlugin() {
            return defaultPlugin;
        }
    }

    private final Kind kind;
    private ServerHome home;
    private final Map<String, String> properties = new TreeMap<>();
    private ServerPorts ports = ServerPorts.free();
    private Process process;
    private final List<Path> jars = new ArrayList<>();
    private boolean allCompilers;
    private boolean hasRun;

    private NacosServer(Kind kind, ServerHome home) {
        this.kind = kind;
        this.home = home;
        set("nacos.inetutils.ip-address", "127.0.0.1");
        set("server.address", "127.0.0.1");
        // Three seconds by default, which are not enough for a new database on a busy machine.
        set(DATABASE_TIMEOUT, "60000");
        set("nacos.core.auth.enabled", "true");
        set("nacos.core.auth.admin.enabled", "true");
        set("nacos.core.auth.console.enabled", "true");
        set("nacos.core.auth.system.type", kind.type);
        set("nacos.core.auth.server.identity.key", "test-identity");
        set("nacos.core.auth.server.identity.value", "a-server-of-these-tests");
        set("nacos.core.auth.plugin.nacos.token.secret.key", SECRET);
    }

    /** A server of this kind with an empty data folder, not started yet. */
    public static NacosServer fresh(Kind kind) {
        Path home = WORK.resolve(
                "%s-%d-%d".formatted(kind.type, ProcessHandle.current().pid(), COUNT.incrementAndGet()));
        return new NacosServer(kind, new ServerHome(home));
    }

    public NacosServer set(String property, String value) {
        properties.put(property, value);
        return this;
    }

    /** Sets a property of the plugin's own. */
    public NacosServer setOwn(String property, String value) {
        return set("nacos.core.auth.plugin.latchkey." + property, value);
    }

    /** With the jar of this class beside the plugin's own jar, in the operator's way. */
    NacosServer beside(Class<?> inJar) {
        try {
            jars.add(Path.of(
                    inJar.getProtectionDomain().getCodeSource().getLocation().toURI()));
            return this;
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The jar of " + inJar + " has no path", e);
        }
    }

    /** Starts slower and runs faster: for measurements. */
    public NacosServer withAllCompilers() {
        allCompilers = true;
        return this;
    }

    /**
     * Starts the server, and waits for an answer on both ports. A busy machine gets a second try: a slow database, or a taken
     * port.
     */
    public NacosServer start() {
        for (int more = STARTS - 1; !isStarted(); more--) {
            if (more == 0 || !wasTooBusy()) {
                throw new IllegalStateException("The server ended while it started:\n" + home.lastOfOutput());
            }
            beginAnew();
        }
        hasRun = true;
        return this;
    }

    private boolean wasTooBusy() {
        String output = home.output();
        return BUSY.stream().anyMatch(output::contains);
    }

    /** A restarted server keeps its data and its ports, because clients know the ports. */
    private void beginAnew() {
        if (!hasRun) {
            ports = ServerPorts.free();
            home = home.another();
        }
    }

    /** False if it has ended. */
    private boolean isStarted() {
        launch();
        Instant end = Instant.now().plus(START);
        while (!answers()) {
            if (!process.isAlive()) {
                return false;
            }
            if (Instant.now().isAfter(end)) {
                close();
                throw new IllegalStateException("The server did not start in " + START + ":\n" + home.lastOfOutput());
            }
            waitFor(BETWEEN_ASKING);
        }
        return true;
    }

    /** Starts the server, and waits until the server ends by itself. Returns the output. A second try as in {@link #start}. */
    String startInVain() {
        for (int more = STARTS; more > 0; more--) {
            launch();
            if (!waitFor(START)) {
                close();
                throw new IllegalStateException("The server should have ended:\n" + home.lastOfOutput());
            }
            if (!wasTooBusy()) {
                break;
            }
            beginAnew();
        }
        return home.output();
    }

    /** Writes the properties as they are now, for a running server to notice. */
    void writeProperties() {
        home.write(properties);
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        waitFor(END);
    }

    /** Takes the embedded database away from the running server. */
    void stopDatabase() {
        command("stop-database");
    }

    /** Adds users with this hash to the database of the running server, step by step; {@link #userName} has the names. */
    public void addUsers(Path hashes) {
        command("add-users " + hashes);
    }

    public static String userName(int index) {
        return "account" + index;
    }

    private void command(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        } catch (IOException e) {
            throw new IllegalStateException("The server does not listen", e);
        }
    }

    public NacosHttp http() {
        return new NacosHttp("http://127.0.0.1:" + ports.main() + "/nacos");
    }

    NacosHttp console() {
        return new NacosHttp("http://127.0.0.1:" + ports.console());
    }

    public int port() {
        return ports.main();
    }

    /** As clients are told. */
    String address() {
        return "127.0.0.1:" + ports.main();
    }

    ServerHome home() {
        return home;
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroy();
            if (!waitFor(END)) {
                kill();
            }
        }
    }

    private void launch() {
        set("nacos.server.main.port", Integer.toString(ports.main()));
        set("nacos.console.port", Integer.toString(ports.console()));
        writeProperties();
        try {
            process = new ProcessBuilder(ServerCommand.of(kind, jars, home.path(), allCompilers ? 4 : 1))
                    .redirectErrorStream(true)
                    .redirectOutput(home.outputFile().toFile())
                    .directory(home.path().toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("The server cannot be started", e);
        }
        // Also without {@link #close}: the end of the process must not wait for the lifeline.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    private boolean answers() {
        return http().isUp("/v3/admin/core/state") && console().isUp("/v3/console/server/state");
    }

    private boolean waitFor(Duration time) {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the server was waited for", e);
        }
    }
}
