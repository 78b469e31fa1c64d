package dev.latchkey.nacos.live;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that were free a moment ago: the server takes four ports at fixed distances. The ports are below the ephemeral ports,
 * because an outgoing connection could take such a port before the server does.
 *
 * @param main HTTP; gRPC is 1,000 and 1,001 above, raft 1,000 below
 * @param console the port of the console
 */
record ServerPorts(int main, int console) {

    private static final int LOWEST = 12_000;
    private static final int BEHIND_HIGHEST = 30_000;
    private static final int TRIES = 1_000;

    static ServerPorts free() {
        for (int i = 0; i < TRIES; i++) {
            int main = any();
            int console = any();
            if (areFree(main, main - 1_000, main + 1_000, main + 1_001, console)) {
                return new ServerPorts(main, console);
            }
        }
        throw new IllegalStateException("There are no free ports at the server's distances");
    }

    private static int any() {
        return ThreadLocalRandom.current().nextInt(LOWEST, BEHIND_HIGHEST);
    }

    private static boolean areFree(int... ports) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int port : ports) {
                ServerSocket socket = new ServerSocket();
                sockets.add(socket);
                // On every address, as gRPC and raft do.
                socket.bind(new InetSocketAddress(port));
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            sockets.forEach(ServerPorts::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("A socket cannot be closed", e);
        }
    }
}
