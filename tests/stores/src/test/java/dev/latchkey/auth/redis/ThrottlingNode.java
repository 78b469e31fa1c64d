package dev.latchkey.auth.redis;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.PatientTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.Throttle;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleSettings;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** A node with a throttle, shared with other nodes, and callers with endless requests. */
final class ThrottlingNode implements AutoCloseable {

    private final GuardTime time;
    private final Throttle throttle;
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    /** One thread for all callers. The common pool of a machine with two processors starts a thread for each answer. */
    private final ExecutorService callers = Executors.newSingleThreadExecutor();

    private final Queue<ThrottleEvent> changes = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    private ThrottlingNode(RedisConnectionFactory redis, ThrottleSettings settings, GuardTime time) {
        this.time = time;
        RedisPortionStore store =
                RedisPortionStore.in(redis, RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10)));
        this.throttle = SharedThrottles.in(store, Secret.of("k".repeat(32)), time, this::remember)
                .throttle(settings);
    }

    static ThrottlingNode at(RedisConnectionFactory redis, ThrottleSettings settings) {
        return new ThrottlingNode(redis, settings, GuardTime.start());
    }

    /** A node with patience: a busy machine hears the store's answer in time. */
    static ThrottlingNode patient(RedisConnectionFactory redis, ThrottleSettings settings) {
        return new ThrottlingNode(redis, settings, PatientTime.start());
    }

    private void remember(ThrottleEvent event) {
        if (event instanceof ThrottleEvent.StoreLost || event instanceof ThrottleEvent.StoreFound) {
            changes.add(event);
        }
    }

    ThrottleClient client(int number) {
        return throttle.client(
                ClientSource.of("198.18." + number / 250 + "." + number % 250).orElseThrow());
    }

    /** Each asks for the next tokens when it has got some, until the end. */
    void askWithoutEnd(int clients, int cost) {
        for (int i = 0; i < clients; i++) {
            askAgain(client(i), cost);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // goes on after the answer
    private void askAgain(ThrottleClient client, int cost) {
        client.acquire(cost)
                .thenAcceptAsync(
                        result -> {
                            count(result, cost);
                            if (!isOver) {
                                askAgain(client, cost);
                            }
                        },
                        callers);
    }

    private void count(ThrottleResult result, int cost) {
        AtomicLong counted = result instanceof ThrottleResult.Passed ? passed : refused;
        counted.addAndGet(cost);
    }

    void end() {
        isOver = true;
    }

    long passed() {
        return passed.get();
    }

    long refused() {
        return refused.get();
    }

    /** Of the store, since the node began. */
    List<ThrottleEvent> changes() {
        return List.copyOf(changes);
    }

    @Override
    public void close() {
        isOver = true;
        callers.shutdownNow();
        time.close();
    }
}
