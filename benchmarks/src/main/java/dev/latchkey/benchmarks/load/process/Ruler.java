package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads off a service's process what a fixed number of requests cost it. How fast they are answered does not matter, nor who else
 * uses the machine meanwhile, but for the caches that all share; so it is steadier than any rate.
 */
public final class Ruler implements AutoCloseable {

    private static final double NANOS_PER_MICRO = 1e3;

    /** Before the first reading: what a connection costs is a part of a request only where it is closed after each. */
    private static final int BEFORE = 2;

    private final ServiceProcess service;
    private final ServerView view;
    private final List<String> leftOut = new ArrayList<>();

    private Ruler(ServiceProcess service) {
        this.service = service;
        this.view = ServerView.of(service);
    }

    public static Ruler on(ServiceProcess service) {
        return new Ruler(service);
    }

    /** So many connections to the service that each wait for their answer; and what they ask for. */
    public record Asked(Way way, int connections, Supplier<byte[]> request, int status) {}

    /**
     * The mean over so many requests.
     *
     * @param count rounded up to a multiple of the connections
     * @throws IllegalStateException if one was answered with another status
     */
    public Cost measure(Asked asked, int count) {
        List<SocketClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < asked.connections(); i++) {
                clients.add(new SocketClient(service.port(), asked.way()));
            }
            ask(clients, asked, BEFORE);
            int each = (count + clients.size() - 1) / clients.size();
            long bytesBefore = view.allocatedBytes();
            ThreadTimes before = ThreadTimes.of(service.pid());
            ask(clients, asked, each);
            long nanos = ThreadTimes.of(service.pid()).since(before, leftOut);
            long bytes = view.allocatedBytes() - bytesBefore;
            double requests = (double) each * clients.size();
            return new Cost(nanos / NANOS_PER_MICRO / requests, bytes / requests);
        } catch (IOException e) {
            throw new UncheckedIOException("The service did not answer", e);
        } finally {
            clients.forEach(Ruler::close);
        }
    }

    /** Each asks once, then all wait until all are answered, and so on. */
    private static void ask(List<SocketClient> clients, Asked asked, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            for (SocketClient client : clients) {
                client.send(asked.request().get());
            }
            for (SocketClient client : clients) {
                int status = client.receive();
                if (status != asked.status()) {
                    throw new IllegalStateException("Answered " + status + " instead of " + asked.status());
                }
            }
        }
    }

    /** One more client, for what is not measured. */
    public SocketClient client(Way way) {
        return new SocketClient(service.port(), way);
    }

    /** From now on leaves out the request thread that is busy now, while nobody else asks for anything. */
    public void leaveOutBusyRequest() throws InterruptedException {
        ThreadTimes before = ThreadTimes.of(service.pid());
        Thread.sleep(500);
        leftOut.add(ThreadTimes.of(service.pid())
                .busiestSince(
                        before,
                        thread -> ThreadTimes.name(service.pid(), thread).startsWith("http-nio")));
    }

    private static void close(SocketClient client) {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        view.close();
        service.close();
    }
}
