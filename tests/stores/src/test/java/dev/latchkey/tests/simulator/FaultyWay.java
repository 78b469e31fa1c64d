package dev.latchkey.tests.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The way from a node to a server of this machine, as a proxy with faults. */
public final class FaultyWay implements AutoCloseable {

    enum State {
        PASSES,
        /** Each piece of data is late. */
        DELAYS,
        /** Connections stay open, and data gets lost. */
        HALF_OPEN,
        /** Connections end in the middle of the data, and new connections end at once. */
        CUTS
    }

    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(150);

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final int server;
    private volatile boolean losesNew;
    private volatile State state = State.PASSES;

    /** Counts the losses of all open connections. */
    private final AtomicInteger losses = new AtomicInteger();

    public FaultyWay(int server) throws IOException {
        this.server = server;
        begin(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** A connection that was half-open has lost data, so the connection ends with the state. */
    void become(State next) throws IOException {
        State before = state;
        state = next;
        if (next == State.CUTS || before == State.HALF_OPEN) {
            for (Socket each : open) {
                each.close();
            }
            open.clear();
        }
    }

    /** The open connections lose all data from now on and stay open, as behind a firewall. New connections pass. */
    public void loseOpenConnections() {
        losses.incrementAndGet();
    }

    /** New connections are accepted and lose all data, as with a proxy before a hanging server. */
    public void loseNewConnections() {
        losesNew = true;
    }

    public void passNewConnections() {
        losesNew = false;
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket client = listening.accept();
            open.add(client);
            if (state == State.CUTS) {
                client.close();
            } else if (losesNew || state == State.HALF_OPEN) {
                begin(() -> swallow(client));
            } else {
                connect(client);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
            for (Socket each : new Socket[] {client, upstream}) {
                each.setTcpNoDelay(true);
                open.add(each);
            }
            int before = losses.get();
            begin(() -> pass(client, upstream, before));
            begin(() -> pass(upstream, client, before));
        } catch (IOException e) {
            // The server is down.
            client.close();
        }
    }

    private static void swallow(Socket client) throws IOException {
        try (client) {
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    /**
     * A lost connection loses its end too: a server that closes the connection reaches no client.
     *
     * @param before the losses before this connection
     */
    private void pass(Socket from, Socket to, int before) throws IOException {
        try {
            passData(from.getInputStream(), to.getOutputStream(), before);
        } finally {
            if (losses.get() == before) {
                from.close();
                to.close();
            }
        }
    }

    private void passData(InputStream from, OutputStream to, int before) throws IOException {
        byte[] piece = new byte[4096];
        for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
            if (state == State.DELAYS) {
                LockSupport.parkNanos(DELAY);
            }
            if (state == State.CUTS) {
                to.write(piece, 0, length / 2);
                return;
            }
            if (state != State.HALF_OPEN && losses.get() == before) {
                to.write(piece, 0, length);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void begin(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // A side has ended.
                    }
                },
                "faulty-way");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
