package dev.latchkey.auth.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers every connection with the same bytes, which are no HTTP. */
final class GarbageServer implements AutoCloseable {

    private final ServerSocket socket;
    private final AtomicInteger connections = new AtomicInteger();

    GarbageServer(String garbage) throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(garbage.getBytes(StandardCharsets.US_ASCII)), "garbage");
        thread.setDaemon(true);
        thread.start();
    }

    private void answer(byte[] garbage) {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                connections.incrementAndGet();
                Thread thread = new Thread(() -> answer(connection, garbage), "garbage");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // The end.
            }
        }
    }

    private static void answer(Socket connection, byte[] garbage) {
        try (connection;
                OutputStream out = connection.getOutputStream()) {
            // Else closing the connection could drop what was written.
            if (connection.getInputStream().read() >= 0) {
                out.write(garbage);
                out.flush();
                connection.shutdownOutput();
                connection.getInputStream().readAllBytes();
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    int connections() {
        return connections.get();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/auth/token");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
