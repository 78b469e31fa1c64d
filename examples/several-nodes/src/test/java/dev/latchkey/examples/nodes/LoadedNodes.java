package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Three warm nodes of the example's service, for endless requests with a valid token. */
final class LoadedNodes implements AutoCloseable {

    static final int NODES = 3;

    /** 5,000, of which smoke has a tenth. */
    private static final int REQUESTS_A_SECOND_FOR_EACH = 500;

    private static final String ADDRESS = "203.0.113.1";
    private static final byte[] LOGIN =
            KeptConnection.post("/auth/token", "username=alice&password=wonderland-tea-party", ADDRESS, "");

    private final SeveralNodes nodes;
    private final List<Integer> ports;
    private final List<KeptConnection> connections = new ArrayList<>();
    private final byte[] good;
    private final int perSecond;

    private LoadedNodes(SeveralNodes nodes, int perSecond) throws IOException {
        this.nodes = nodes;
        this.perSecond = perSecond;
        this.ports = IntStream.range(0, NODES).mapToObj(nodes::port).toList();
        for (int port : ports) {
            connections.add(KeptConnection.to(port));
        }
        this.good = KeptConnection.get("/api/me", login(0));
    }

    /** Returns warm nodes, after several times these seconds. */
    static LoadedNodes start(int seconds) throws Exception {
        SeveralNodes nodes = SeveralNodes.start(
                NodeApplication.class,
                List.of(0, 0, 0),
                "--logging.level.root=ERROR",
                // A machine that has other work makes a figure worse, and no outage.
                "--latchkey.redis.timeout=10s",
                // Boot's Tomcat closes a connection after 100 requests or a minute; those of a balancer are kept.
                "--server.tomcat.max-keep-alive-requests=-1",
                "--server.tomcat.keep-alive-timeout=10m");
        LoadedNodes loaded = new LoadedNodes(nodes, REQUESTS_A_SECOND_FOR_EACH * seconds);
        loaded.warm(seconds);
        return loaded;
    }

    /** Fewer at first, when nothing is compiled and each costs ten times as much. */
    private void warm(int seconds) throws Exception {
        for (int part = 9; part > 0; part /= 3) {
            OpenLoad load = OpenLoad.start(ports, good, perSecond / part);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600L * seconds));
            load.stop();
        }
    }

    /** Requests from now on, until that is stopped. */
    OpenLoad load() throws IOException {
        return OpenLoad.start(ports, good, perSecond);
    }

    /** The access token of a login on this node. */
    String login(int node) throws IOException {
        return connections.get(node).ask(LOGIN, "access_token");
    }

    void logout(int node, String token) throws IOException {
        int status = connections.get(node).ask(KeptConnection.post("/auth/logout", "all=no", ADDRESS, token));
        if (status != 204) {
            throw new IllegalStateException("A logout was answered " + status);
        }
    }

    /** The status of this node for a request with this token. */
    int show(int node, String token) throws IOException {
        return connections.get(node).ask(KeptConnection.get("/api/me", token));
    }

    @Override
    public void close() {
        nodes.close();
    }
}
