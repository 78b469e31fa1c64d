package dev.latchkey.benchmarks.load.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketClientTest {

    private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
    private final List<String> sources = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hello", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        connections.add(exchange.getRemoteAddress().getPort());
        sources.add(exchange.getRequestHeaders().getFirst("X-Forwarded-For"));
        boolean known = "Basic YTpi".equals(exchange.getRequestHeaders().getFirst("Authorization"));
        exchange.sendResponseHeaders(known ? 200 : 401, 0);
        exchange.getResponseBody().write("chunked".getBytes(StandardCharsets.US_ASCII));
        exchange.close();
    }

    private int ask(SocketClient client, Way way, String credentials) throws IOException {
        client.send(way.request(credentials, "10.0.0.1"));
        return client.receive();
    }

    @Test
    void connectionThatIsKeptAlive_isUsedAgain() throws IOException {
        try (SocketClient client = new SocketClient(server.getAddress().getPort(), Way.KEEP_ALIVE)) {
            assertThat(ask(client, Way.KEEP_ALIVE, "Basic YTpi")).isEqualTo(200);
            assertThat(ask(client, Way.KEEP_ALIVE, "Basic b3RoZXI=")).isEqualTo(401);
        }
        assertThat(connections).hasSize(1);
        assertThat(sources).containsExactly("10.0.0.1", "10.0.0.1");
    }

    @Test
    void closingClient_connectsForEachRequest() throws IOException {
        try (SocketClient client = new SocketClient(server.getAddress().getPort(), Way.CLOSING)) {
            assertThat(ask(client, Way.CLOSING, "Basic YTpi")).isEqualTo(200);
            assertThat(ask(client, Way.CLOSING, "Basic YTpi")).isEqualTo(200);
        }
        assertThat(connections).hasSize(2);
    }
}
