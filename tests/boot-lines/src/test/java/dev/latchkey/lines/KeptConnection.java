package dev.latchkey.lines;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A client that sends the next request before reading the last answer, as RFC 9112 section 9.3.2 allows. */
final class KeptConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;

    KeptConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    void ask(String... tokens) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String token : tokens) {
            requests.append("GET /hello HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ")
                    .append(token)
                    .append("\r\n\r\n");
        }
        socket.getOutputStream().write(requests.toString().getBytes(US_ASCII));
    }

    /** The status of the next answer; skips fields and body. */
    int status() throws IOException {
        String statusLine = line();
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            if (field.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(field.substring(15).trim());
            }
        }
        socket.getInputStream().readNBytes(length);
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next != '\n';
                next = socket.getInputStream().read()) {
            if (next < 0) {
                throw new IOException("The connection ended after " + line);
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
