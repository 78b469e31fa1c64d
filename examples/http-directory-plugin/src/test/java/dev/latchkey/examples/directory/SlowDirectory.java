package dev.latchkey.examples.directory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A directory that answers after a while, however many ask at once: no thread waits. */
final class SlowDirectory implements AutoCloseable {

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpServer server;
    private final Executor later;

    /** Guarded by this. */
    private final List<Runnable> held = new ArrayList<>();

    private volatile int together;

    private SlowDirectory(Duration delay) throws IOException {
        later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, threads);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answerLater);
        server.setExecutor(threads);
        server.start();
    }

    static SlowDirectory answeringAfter(Duration delay) throws IOException {
        return new SlowDirectory(delay);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/login";
    }

    /** From now on, answers wait for this number of requests, and then for the delay. */
    void answerTogether(int number) {
        together = number;
    }

    private void answerLater(HttpExchange request) throws IOException {
        String answer = DirectoryFixture.answerTo(request);
        if (together == 0) {
            later.execute(() -> send(request, answer));
        } else {
            hold(() -> send(request, answer));
        }
    }

    private synchronized void hold(Runnable answer) {
        held.add(answer);
        if (held.size() == together) {
            held.forEach(threads::execute);
            held.clear();
        }
    }

    private static void send(HttpExchange request, String answer) {
        try {
            DirectoryFixture.send(request, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
