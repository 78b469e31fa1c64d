package dev.latchkey.auth.spring.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import redis.embedded.RedisServer;

/** A Redis for one test, on a free port, without data after the end. */
public final class EmbeddedRedis implements AutoCloseable {

    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 20_000;

    private final RedisServer server;
    private final int port;

    public EmbeddedRedis() {
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

    public int port() {
        return port;
    }

    public void stop() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void start() {
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

    /** Below the ephemeral ports: a restarted server finds its port free. */
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
