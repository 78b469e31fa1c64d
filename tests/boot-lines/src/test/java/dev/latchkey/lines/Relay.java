package dev.latchkey.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed address in front of a service with changing ports: forwards bytes, and closes connections with the service. */
final class Relay implements AutoCloseable {

    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile int target;

    Relay() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** From now on to this port. */
    void to(int port) {
        target = port;
    }

    /** Ends all connections, as a service does that stops. */
    void cut() throws IOException, InterruptedException {
        for (Socket client : open) {
            client.close();
        }
        lock.lock();
        try {
            while (!open.isEmpty()) {
                ended.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                // The end of the relay.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(client);
            start(() -> pass(client, service, client));
            start(() -> pass(service, client, client));
        } catch (IOException e) {
            // A service that is not there.
            client.close();
        }
    }

    private void pass(Socket from, Socket to, Socket client) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // Ended by the other direction.
        }
        lock.lock();
        try {
            open.remove(client);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
