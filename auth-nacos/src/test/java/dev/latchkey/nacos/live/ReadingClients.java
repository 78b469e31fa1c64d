package dev.latchkey.nacos.live;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.exception.NacosException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients with endless reads of one configuration, and a listener on another. */
final class ReadingClients implements AutoCloseable {

    private static final String LISTENED = "listened-by-all";
    private static final long PAUSE_MILLIS = 50;

    private final List<NacosClient> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    private ReadingClients() {}

    static ReadingClients start(NacosServer server, int count, String dataId) throws NacosException {
        ReadingClients all = new ReadingClients();
        for (int i = 0; i < count; i++) {
            NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD);
            all.clients.add(client);
            ConfigService config = client.config();
            config.addListener(LISTENED, "G", NacosClient.listener(all.heard::add));
            Await.until("the first read", () -> isText(NacosClient.read(config, dataId)));
            Thread thread = new Thread(() -> all.read(config, dataId), "reader-" + i);
            all.threads.add(thread);
            thread.start();
        }
        return all;
    }

    /** Publishes, and waits until each client has heard of it. */
    void publishAndHear(NacosHttp admin, String text) {
        admin.publish("G", LISTENED, text);
        Await.until("all have heard", () -> heard.stream().filter(text::equals).count() == clients.size());
    }

    /** Waits for as many more reads as there are clients. */
    void readOn() {
        int enough = reads.get() + clients.size();
        Await.until("they read on", () -> reads.get() >= enough);
    }

    /** The server's words for refused reads. */
    List<String> refusals() {
        return List.copyOf(refusals);
    }

    @Override
    public void close() throws NacosException {
        end.countDown();
        for (Thread thread : threads) {
            join(thread);
        }
        for (NacosClient client : clients) {
            client.close();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.MINUTES.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private void read(ConfigService config, String dataId) {
        try {
            do {
                String read = NacosClient.read(config, dataId);
                if (isText(read)) {
                    reads.incrementAndGet();
                } else if (read.startsWith(NacosClient.REFUSED)) {
                    refusals.add(read);
                }
            } while (!end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isText(String read) {
        return !read.startsWith(NacosClient.REFUSED) && !read.equals(NacosClient.NO_ANSWER);
    }
}
