package dev.latchkey.auth.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server with tokens from {@code /auth/token} for {@code /api}. A token names its key and its end; each restart makes another
 * key. Counts the requests.
 */
public final class LoginServer implements AutoCloseable {

    public static final String PASSWORD = "correct horse battery staple";

    /** A request as it came. */
    public record Asked(String method, String path, String contentType, String authorization, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final InstantSource clock;
    private final AtomicInteger key = new AtomicInteger();
    private final AtomicInteger issued = new AtomicInteger();
    private final AtomicInteger logins = new AtomicInteger();
    private final AtomicInteger refreshes = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile Duration lifetime = Duration.ofMinutes(5);
    private volatile HttpHandler onLogin = this::issue;
    private volatile HttpHandler onRefresh = exchange -> send(exchange, 404, "");
    private volatile HttpHandler onCall = this::answerCall;

    public LoginServer(InstantSource clock) {
        this.clock = clock;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        on("/auth/token", this::issueOrRefresh);
        on("/api", (exchange, body) -> {
            calls.incrementAndGet();
            onCall.handle(exchange);
        });
        server.start();
    }

    private void issueOrRefresh(HttpExchange exchange, String body) throws IOException {
        boolean isRefresh = body.contains("grant_type=refresh_token");
        (isRefresh ? refreshes : logins).incrementAndGet();
        (isRefresh ? onRefresh : onLogin).handle(exchange);
    }

    /** Handles a request after the body was read. */
    private interface Handler {
        void handle(HttpExchange exchange, String body) throws IOException;
    }

    private void on(String path, Handler handler) {
        server.createContext(path, exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                    body));
            handler.handle(exchange, body);
        });
    }

    public URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    public LoginEndpoint endpoint() {
        return LoginEndpoint.ofLatchkey(at("/auth/token"), "robot", Secret.of(PASSWORD));
    }

    /** What is answered at the login instead of a token. */
    public void onLogin(HttpHandler handler) {
        onLogin = handler;
    }

    public void onRefresh(HttpHandler handler) {
        onRefresh = handler;
    }

    public void onCall(HttpHandler handler) {
        onCall = handler;
    }

    public void issueFor(Duration time) {
        lifetime = time;
    }

    /** From now on with another key: no token of before is good. */
    public void restart() {
        key.incrementAndGet();
    }

    public int logins() {
        return logins.get();
    }

    public int refreshes() {
        return refreshes.get();
    }

    public int calls() {
        return calls.get();
    }

    /** Calls with the answer 401 for the token. */
    public int refused() {
        return refused.get();
    }

    public List<Asked> asked() {
        return asked;
    }

    public void issue(HttpExchange exchange) throws IOException {
        issue(exchange, "");
    }

    /** A token, and these members besides. */
    public void issue(HttpExchange exchange, String members) throws IOException {
        send(
                exchange,
                200,
                "{\"access_token\":\"" + newToken() + "\",\"token_type\":\"Bearer\",\"expires_in\":"
                        + lifetime.toSeconds() + members + "}");
    }

    public String newToken() {
        return key.get() + "." + clock.instant().plus(lifetime).toEpochMilli() + "." + issued.incrementAndGet();
    }

    public void answerCall(HttpExchange exchange) throws IOException {
        if (isGood(exchange)) {
            send(exchange, 200, "hello");
        } else {
            refused.incrementAndGet();
            send(exchange, 401, "who?");
        }
    }

    /** Whether the request has a token of the present key before its end. */
    public boolean isGood(HttpExchange exchange) {
        String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (!authorization.startsWith("Bearer ")) {
            return false;
        }
        String[] parts = authorization.substring("Bearer ".length()).split("\\.", -1);
        return parts.length == 3
                && Integer.parseInt(parts[0]) == key.get()
                && clock.instant().isBefore(Instant.ofEpochMilli(Long.parseLong(parts[1])));
    }

    public static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** The head of an answer and one byte of the body. The rest follows after the latch. */
    public static void beginAndHang(HttpExchange exchange, int status, CountDownLatch over) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        exchange.getResponseBody().write('w');
        exchange.getResponseBody().flush();
        try {
            over.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An answer with this status and header field, without a body. */
    public static HttpHandler answering(int status, String field, String value) {
        return exchange -> {
            exchange.getResponseHeaders().set(field, value);
            send(exchange, status, "");
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
