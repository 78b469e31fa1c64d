package dev.latchkey.auth.contract;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A backend on this machine: works, fails on request, and works again at the same address. */
final class FaultyBackend implements Closeable {

    private static final int BACKLOG = 128;
    /**
     * The backend's port is below the ephemeral ports of the systems. Otherwise an outgoing connection could take the port while
     * the backend is down.
     */
    private static final int LEAST_PORT = 20_000;

    private static final int MOST_PORT = 32_000;
    private static final Duration TO_BIND = Duration.ofSeconds(5);
    /** More than a listener with backlog 1 accepts, so that further connections wait. */
    private static final int WAITING_CONNECTIONS = 8;

    private final HttpHandler works;
    private final ExecutorService threads = Executors.newCachedThreadPool(FaultyBackend::daemon);
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<String> redirected = new CopyOnWriteArrayList<>();
    private final HttpServer elsewhere;
    private final int port;

    private @Nullable HttpServer http;
    /** Includes the sockets of the accepting thread. This thread may add a socket late. */
    private final Queue<Closeable> sockets = new ConcurrentLinkedQueue<>();

    private volatile @Nullable Fault fault;
    private volatile CountDownLatch tooLate = new CountDownLatch(1);

    static {
        // Otherwise each answer waits 40 ms for the caller's delayed acknowledgement. This time tests nothing.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    FaultyBackend(HttpHandler works) throws IOException {
        this.works = works;
        elsewhere = server(0, request -> {
            redirected.add(request.getRequestMethod());
            works.handle(request);
        });
        http = serverSomewhere();
        port = http.getAddress().getPort();
    }

    private HttpServer serverSomewhere() throws IOException {
        while (true) {
            try {
                return server(ThreadLocalRandom.current().nextInt(LEAST_PORT, MOST_PORT), this::answer);
            } catch (BindException e) {
                // Another process has the port.
            }
        }
    }

    URI uri() {
        return at(port);
    }

    /** The address of a server on this machine. The constructor of a URI writes an IPv6 address in brackets. */
    private static URI at(int port) {
        try {
            return new URI("http", null, InetAddress.getLoopbackAddress().getHostAddress(), port, null, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The paths and queries of the requests. */
    List<String> paths() {
        return paths;
    }

    /** The methods of requests to the redirect's target. */
    List<String> redirected() {
        return redirected;
    }

    /** Fails from now on. If the fault closes the HTTP server, open requests end too. */
    void fail(Fault how) throws IOException {
        fault = how;
        switch (how) {
            case REFUSES -> stop();
            case TAKES_NO_CONNECTION -> {
                stop();
                ServerSocket full = listener(1);
                for (int i = 0; i < WAITING_CONNECTIONS; i++) {
                    SocketChannel waiting = SocketChannel.open();
                    sockets.add(waiting);
                    waiting.configureBlocking(false);
                    waiting.connect(full.getLocalSocketAddress());
                }
            }
            case SPEAKS_NO_HTTP -> {
                stop();
                ServerSocket listener = listener(BACKLOG);
                threads.execute(() -> babble(listener));
            }
            default -> {}
        }
    }

    /** Works from now on. Hanging requests get their answers, too late for the plugin. */
    void work() throws IOException {
        fault = null;
        tooLate.countDown();
        tooLate = new CountDownLatch(1);
        if (http == null) {
            closeSockets();
            http = again(() -> server(port, this::answer));
        }
    }

    @Override
    public void close() throws IOException {
        tooLate.countDown();
        stop();
        closeSockets();
        elsewhere.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange request) throws IOException {
        Fault now = fault;
        paths.add(request.getRequestURI().toString());
        if (now == Fault.HANGS) {
            await(tooLate);
        }
        if (now == null || now == Fault.HANGS) {
            works.handle(request);
            return;
        }
        request.getRequestBody().readAllBytes();
        if (now == Fault.REDIRECTS || now == Fault.REDIRECTS_AS_IT_IS) {
            String there = at(elsewhere.getAddress().getPort())
                    + request.getRequestURI().toString();
            request.getResponseHeaders().set("Location", there);
            Fault.send(request, now == Fault.REDIRECTS ? 302 : 307, "text/plain", "");
        } else {
            now.answer(request);
        }
    }

    private void babble(ServerSocket listener) {
        try {
            while (true) {
                Socket connection = listener.accept();
                sockets.add(connection);
                connection.getOutputStream().write("220 ready\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                connection.getOutputStream().flush();
            }
        } catch (SocketException e) {
            // Closed: the backend works again.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpServer server(int port, HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        server.createContext("/", handler);
        server.setExecutor(threads);
        server.start();
        return server;
    }

    private ServerSocket listener(int backlog) throws IOException {
        ServerSocket listener = again(() -> new ServerSocket(port, backlog, InetAddress.getLoopbackAddress()));
        sockets.add(listener);
        return listener;
    }

    private interface Listening<T> {
        T start() throws IOException;
    }

    /** Listens again at the address of an earlier listener. The system may need a moment to free the address. */
    private static <T> T again(Listening<T> listening) throws IOException {
        long end = System.nanoTime() + TO_BIND.toNanos();
        while (true) {
            try {
                return listening.start();
            } catch (BindException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }

    private void stop() {
        if (http != null) {
            http.stop(0);
            http = null;
        }
    }

    private void closeSockets() throws IOException {
        for (Closeable socket = sockets.poll(); socket != null; socket = sockets.poll()) {
            socket.close();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "contract kit: backend");
        thread.setDaemon(true);
        return thread;
    }
}
