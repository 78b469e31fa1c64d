package dev.latchkey.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes data between a server and its clients, and cuts each connection after some thousand bytes, at any position. */
public final class CuttingProxy implements AutoCloseable {

    private static final int MOST_BYTES = 20_000;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Random random = new Random(1);
    private volatile int server;
    private volatile boolean isCutting;

    /** Creates a proxy for the server at this port of this machine. */
    public CuttingProxy(int server) throws IOException {
        this.server = server;
        start("proxy", this::accept);
    }

    /** The port of the proxy. */
    public int port() {
        return listening.getLocalPort();
    }

    /** New connections reach the server at this port. Open connections stay at their server, as after a change of DNS. */
    public void moveTo(int other) {
        server = other;
    }

    /** Cuts connections from now on. Before this call, all data passes. */
    public void cutFromNowOn() {
        isCutting = true;
    }

    /** Cuts no more connections. Open connections stay open. */
    public void cutNoMore() {
        isCutting = false;
    }

    /** The number of cut connections. */
    public int cuts() {
        return cuts.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
            for (Socket each : new Socket[] {client, upstream}) {
                each.setTcpNoDelay(true);
                open.add(each);
            }
            start("proxy-commands", () -> pass(client, upstream));
            start("proxy-answers", () -> pass(upstream, client));
        }
    }

    /**
     * Passes data until one side ends, or until the connection is cut. A cut connection still sends half of the last
     * read data.
     */
    private void pass(Socket from, Socket to) throws IOException {
        byte[] piece = new byte[4096];
        int left = 1 + random.nextInt(MOST_BYTES);
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                left -= length;
                if (isCutting && left < 0) {
                    cuts.incrementAndGet();
                    out.write(piece, 0, length / 2);
                    return;
                }
                out.write(piece, 0, length);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // A side has ended.
                    }
                },
                name);
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
