package dev.latchkey.benchmarks.load.process;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One client over a socket, which asks again when it has been answered and not before. It costs the machine so little that what is
 * measured is the service. For one thread.
 */
public final class SocketClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    /** What becomes of the connection after an answer. */
    public enum Way {
        KEEP_ALIVE("keep-alive"),
        CLOSING("closing");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }

        /** A request of the plain service's endpoint, to be sent on such a connection. */
        public byte[] request(String credentials, String address) {
            return ("GET /hello HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + credentials + "\r\nX-Forwarded-For: "
                            + address + (this == CLOSING ? "\r\nConnection: close" : "") + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private final int port;
    private final Way way;
    private Socket socket;
    private InputStream in;
    private AnswerReader answers;

    public SocketClient(int port, Way way) {
        this.port = port;
        this.way = way;
    }

    /** Sends a request, on a connection of its own if the last one was closed. */
    public void send(byte[] request) throws IOException {
        if (socket == null) {
            connect();
        }
        socket.getOutputStream().write(request);
    }

    private void connect() throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        // The server closes first, and would remember each connection for a minute: a reset lets it forget.
        socket.setSoLinger(true, 0);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 12);
        answers = new AnswerReader(in);
    }

    /** The status of the answer to what was sent. */
    public int receive() throws IOException {
        int status = answers.next();
        if (way == Way.CLOSING) {
            // That the server closes is a part of what a request costs it.
            if (in.read() >= 0) {
                throw new IOException("More than an answer came");
            }
            close();
        }
        return status;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
