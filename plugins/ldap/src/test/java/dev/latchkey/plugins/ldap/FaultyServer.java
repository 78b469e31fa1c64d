package dev.latchkey.plugins.ldap;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections as a directory does, and goes wrong in one way. */
final class FaultyServer implements AutoCloseable {

    private static final long LONGEST_SECONDS = 60;

    /** How a server goes wrong. */
    enum Fault {
        SAYS_NOTHING,
        HANGS_UP,
        SPEAKS_HTTP,
        SPEAKS_NOISE,
        ANNOUNCES_TWO_GIGABYTES,
        DRIPS,
        ANSWERS_WHAT_NOBODY_ASKED,
        SEARCH_NEVER_ENDS,
        SEARCH_RESULT_IS_A_REFERRAL,
        BIND_RESULT_IS_A_REFERRAL,
        BIND_IS_BUSY,
        BIND_IS_REFUSED_FOR_NO_REASON_OF_THE_ACCOUNT,
        BIND_SAYS_NOTHING,
        START_TLS_THEN_NOTHING,
        START_TLS_REFUSED
    }

    private final Fault fault;
    private final ServerSocket listener;
    private final Collection<Socket> open = new ConcurrentLinkedQueue<>();
    private final Collection<Thread> serving = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    FaultyServer(Fault fault) throws IOException {
        this.fault = fault;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many connections were opened so far. */
    int accepted() {
        return accepted.get();
    }

    /** Until a client is connected. */
    void awaitAccepted() throws InterruptedException {
        if (!asked.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("nobody asked");
        }
    }

    /** Settings of a plugin that asks this server, and does not wait for long. */
    Map<String, String> settings() {
        boolean isAboutTls = fault == Fault.START_TLS_THEN_NOTHING || fault == Fault.START_TLS_REFUSED;
        return new TreeMap<>(Map.of(
                "urls",
                "ldap://127.0.0.1:" + port(),
                "encryption",
                isAboutTls ? "start-tls" : "none",
                "bind-dn",
                TestDirectory.SERVICE,
                "bind-password",
                TestDirectory.SERVICE_PASSWORD,
                "base-dn",
                TestDirectory.PEOPLE,
                "timeout",
                "400ms",
                "connect-timeout",
                "200ms"));
    }

    /** Until each client has closed its connection. */
    void awaitAllLeft() throws InterruptedException {
        for (Thread thread : serving) {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            if (thread.isAlive()) {
                throw new AssertionError("a connection is open");
            }
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "faulty directory");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void acceptAll() {
        try {
            while (!listener.isClosed()) {
                Socket socket = listener.accept();
                accepted.incrementAndGet();
                open.add(socket);
                serving.add(start(() -> serve(socket)));
                asked.countDown();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            OutputStream out = socket.getOutputStream();
            switch (fault) {
                case HANGS_UP -> {}
                case SAYS_NOTHING -> untilClosed();
                case SPEAKS_HTTP -> write(out, "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                case SPEAKS_NOISE -> {
                    write(out, new byte[] {0x7f, (byte) 0x99, 0x00, 0x30, (byte) 0xff, 0x01});
                    untilClosed();
                }
                case ANNOUNCES_TWO_GIGABYTES -> {
                    write(out, new byte[] {0x30, (byte) 0x84, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x02, 0x01});
                    untilClosed();
                }
                case DRIPS -> drip(out);
                default -> answer(socket, out);
            }
        } catch (IOException | InterruptedException e) {
            // Closed, by either side.
        } catch (LDAPException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(Socket socket, OutputStream out) throws IOException, InterruptedException, LDAPException {
        ASN1StreamReader reader = new ASN1StreamReader(socket.getInputStream());
        for (LDAPMessage request = LDAPMessage.readFrom(reader, true);
                request != null;
                request = LDAPMessage.readFrom(reader, true)) {
            int id = request.getMessageID();
            switch (request.getProtocolOpType()) {
                case LDAPMessage.PROTOCOL_OP_TYPE_BIND_REQUEST ->
                    bind(out, id, request.getBindRequestProtocolOp().getBindDN());
                case LDAPMessage.PROTOCOL_OP_TYPE_SEARCH_REQUEST ->
                    search(
                            out,
                            id,
                            request.getSearchRequestProtocolOp().getBaseDN().isEmpty());
                case LDAPMessage.PROTOCOL_OP_TYPE_EXTENDED_REQUEST -> startTls(out, id);
                default -> {}
            }
        }
    }

    private void bind(OutputStream out, int id, String dn) throws IOException, InterruptedException {
        boolean isAccount = !dn.equals(TestDirectory.SERVICE);
        if (fault == Fault.ANSWERS_WHAT_NOBODY_ASKED) {
            send(out, id + 1_000, bound(ResultCode.SUCCESS));
            untilClosed();
        } else if (fault == Fault.BIND_SAYS_NOTHING && isAccount) {
            untilClosed();
        } else if (fault == Fault.BIND_IS_BUSY && isAccount) {
            send(out, id, bound(ResultCode.BUSY));
        } else if (fault == Fault.BIND_RESULT_IS_A_REFERRAL && isAccount) {
            send(out, id, bound(ResultCode.REFERRAL));
        } else if (fault == Fault.BIND_IS_REFUSED_FOR_NO_REASON_OF_THE_ACCOUNT && isAccount) {
            send(out, id, bound(ResultCode.UNWILLING_TO_PERFORM));
        } else {
            send(out, id, bound(ResultCode.SUCCESS));
        }
    }

    private BindResponseProtocolOp bound(ResultCode code) {
        return new BindResponseProtocolOp(code.intValue(), null, null, referrals(code), null);
    }

    /** To this server itself: a client that follows comes here again. */
    private List<String> referrals(ResultCode code) {
        return code.equals(ResultCode.REFERRAL)
                ? List.of("ldap://127.0.0.1:" + port() + "/" + TestDirectory.PEOPLE)
                : List.of();
    }

    private void search(OutputStream out, int id, boolean isOfTheRoot) throws IOException {
        if (!isOfTheRoot) {
            if (fault == Fault.SEARCH_RESULT_IS_A_REFERRAL) {
                send(
                        out,
                        id,
                        new SearchResultDoneProtocolOp(
                                ResultCode.REFERRAL.intValue(), null, null, referrals(ResultCode.REFERRAL)));
                return;
            }
            int entries = fault == Fault.SEARCH_NEVER_ENDS ? Integer.MAX_VALUE : 1;
            for (int i = 0; i < entries && closed.getCount() > 0; i++) {
                send(out, id, new SearchResultEntryProtocolOp(TestDirectory.ADA, List.of(new Attribute("uid", "ada"))));
            }
        }
        send(out, id, new SearchResultDoneProtocolOp(ResultCode.SUCCESS_INT_VALUE, null, null, List.of()));
    }

    private void startTls(OutputStream out, int id) throws IOException, InterruptedException {
        ResultCode code = fault == Fault.START_TLS_REFUSED ? ResultCode.PROTOCOL_ERROR : ResultCode.SUCCESS;
        send(out, id, new ExtendedResponseProtocolOp(code.intValue(), null, null, List.of(), null, null));
        if (fault == Fault.START_TLS_THEN_NOTHING) {
            untilClosed();
        }
    }

    private static void send(OutputStream out, int id, ProtocolOp answer) throws IOException {
        write(out, new LDAPMessage(id, answer).encode().encode());
    }

    private static void write(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** A message that grows by one byte at a time, without an end. */
    private void drip(OutputStream out) throws IOException, InterruptedException {
        write(out, new byte[] {0x30, (byte) 0x82, 0x10, 0x00, 0x02, 0x01, 0x01, 0x61, (byte) 0x82, 0x0f, 0x00});
        byte[] octets = new ASN1OctetString(new byte[4_000]).encode();
        for (byte octet : octets) {
            write(out, new byte[] {octet});
            if (closed.await(20, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private void untilClosed() throws InterruptedException {
        boolean unused = closed.await(LONGEST_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        hangUp();
    }

    /** On all, and takes no connection from now on. */
    void hangUp() throws IOException {
        closed.countDown();
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
