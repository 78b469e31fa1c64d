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
 * A connection to a node that is kept, with one request on it at a time. No HTTP client is under it: one takes many times as much processor time for a request, and
 * has its cores in common with the nodes. It understands what these nodes answer, and no more of HTTP; where a node closes it, as after a 503, it is opened anew.
 * Not for more than one thread.
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

    /** A request that shows this token. */
    static byte[] get(String path, String token) {
        return bytes("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + END_OF_HEAD);
    }

    /** A form from this address, as a balancer would send it on. */
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

    /** Whether all of the answer is there, which it does not wait for. */
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

    /** Sends it and waits for the answer, whose status it returns. */
    int ask(byte[] request) throws IOException {
        channel.configureBlocking(true);
        send(request);
        while (!isAnswered()) {}
        channel.configureBlocking(false);
        return status();
    }

    /** The text of this member of what comes back. */
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
