package dev.latchkey.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that start after the choice of their port. The ports are below the ephemeral ports. So no client of a
 * parallel test gets the port before the start of the server, or during a restart.
 */
public final class FreePort {

    private static final int FIRST = 10_000;
    private static final int PORTS = 12_000;
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    /**
     * A free port of the loopback interface.
     *
     * @throws IllegalStateException if none of a hundred ports is free
     */
    public static int next() {
        return nextBefore(0);
    }

    /**
     * A free port with another free port at this distance.
     *
     * @param distance at most ten thousand
     * @throws IllegalStateException if none of a hundred pairs is free
     */
    public static int nextBefore(int distance) {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = FIRST + ThreadLocalRandom.current().nextInt(PORTS);
            if (isFree(port) && isFree(port + distance)) {
                return port;
            }
        }
        throw new IllegalStateException("No port is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
