package dev.latchkey.auth.spring.shared;

import dev.latchkey.testsupport.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import redis.embedded.RedisServer;

/** A Redis for one test, on a free port, without data after the end. */
public final class EmbeddedRedis implements AutoCloseable {

    private final RedisServer server;
    private final int port;

    public EmbeddedRedis() {
        try {
            port = FreePort.next();
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
}
