package dev.latchkey.throttle.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import redis.embedded.RedisServer;

/** A Redis of a test's own, on a port that was free; it forgets all when it stops. */
final class EmbeddedRedis implements AutoCloseable {

    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 20_000;

    private final RedisServer server;
    private final int port;

    EmbeddedRedis() {
        try {
            port = freePort();
            server = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .setting("appendonly no")
                    .build();
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    void stop() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Below the ports that systems give to clients: a server that is started again finds its own. */
    private static int freePort() {
        int port = anyPort();
        while (!isFree(port)) {
            port = anyPort();
        }
        return port;
    }

    private static int anyPort() {
        return FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
