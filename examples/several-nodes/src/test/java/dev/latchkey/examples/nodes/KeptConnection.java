package dev.latchkey.examples.nodes;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A kept connection to a node, with one request at a time. An HTTP client would take many times the processor time of a
 * request, on the cores of the nodes. This class understands the answers of these nodes and no more of HTTP. After the node
 * closes the connection, for example with a 503, the next request opens a new connection. For a single thread.
 */
final class KeptConnection implements AutoCloseable {

    private static final int LONGEST_ANSWER = 16 * 1024;
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String CLOSES = "\r\nConnection: close\r\n";
    private static final String LENGTH = "Content-Length: ";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final int port;
    private final ByteBuffer received = ByteBuffer.allocate(LONGEST_ANSWER);
    private SocketChannel channel;
    private String answer = "";

    private KeptConnection(int port) throws IOException {
        this.port = port;
        this.channel = open(port);
    }

    static KeptConnection to(int port) throws IOException {
        return new KeptConnection(port);
    }

    private static SocketChannel open(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        return channel;
    }

    /** A request with this token. */
    static byte[] get(String path, String token) {
        return bytes("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + END_OF_HEAD);
    }

    /** A form from this address, in a balancer's way. */
    static byte[] post(String path, String form, String address, String token) {
        String shown = token.isEmpty() ? "" : "\r\nAuthorization: Bearer " + token;
        return bytes("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + address + shown
                + "\r\nContent-Type: application/x-www-form-urlencoded\r\n" + LENGTH + form.length() + END_OF_HEAD
                + form);
    }

    /** Returns when the system has the request. */
    void send(byte[] request) throws IOException {
        if (answer.contains(CLOSES)) {
            boolean waits = channel.isBlocking();
            channel.close();
            channel = open(port);
            channel.configureBlocking(waits);
        }
        received.clear();
        ByteBuffer rest = ByteBuffer.wrap(request);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    /** Whether the whole answer is there, without waiting. */
    boolean isAnswered() throws IOException {
        int read = channel.read(received);
        if (read < 0) {
            throw new EOFException("The node has closed the connection");
        }
        if (read == 0) {
            return false;
        }
        answer = new String(received.array(), 0, received.position(), StandardCharsets.ISO_8859_1);
        int head = answer.indexOf(END_OF_HEAD);
        return head >= 0 && isWhole(head);
    }

    private boolean isWhole(int head) {
        int length = answer.indexOf(LENGTH);
        if (length >= 0 && length < head) {
            int begin = length + LENGTH.length();
            int bytes = Integer.parseInt(answer, begin, answer.indexOf('\r', begin), 10);
            return answer.length() == head + END_OF_HEAD.length() + bytes;
        }
        return status() == 204 || answer.endsWith(LAST_CHUNK);
    }

    /** Of the last answer. */
    int status() {
        return Integer.parseInt(answer, 9, 12, 10);
    }

    /** Sends the request, waits for the answer, and returns the status. */
    int ask(byte[] request) throws IOException {
        channel.configureBlocking(true);
        send(request);
        while (!isAnswered()) {}
        channel.configureBlocking(false);
        return status();
    }

    /** The text of this member of the answer. */
    String ask(byte[] request, String member) throws IOException {
        if (ask(request) != 200) {
            throw new IllegalStateException("A request was answered " + status());
        }
        return Load.member(member, answer);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
