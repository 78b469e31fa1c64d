package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** A Redis for this example, without an installation: a jar has the program, and the data ends with the process. */
final class LocalRedis implements AutoCloseable {

    private final RedisServer server;
    private final int port;

    private LocalRedis(RedisServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Listens on a free port, for this machine alone. */
    static LocalRedis start() throws IOException {
        int port = freePort();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .build();
        server.start();
        return new LocalRedis(server, port);
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
