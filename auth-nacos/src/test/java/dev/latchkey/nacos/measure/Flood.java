package dev.latchkey.nacos.measure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Requests that come at a fixed rate, whether the ones before were answered or not, as those of many clients do. */
final class Flood implements AutoCloseable {

    private static final int TICKS_A_SECOND = 100;

    /** A client's machine has so many connections at a time. */
    private static final int MOST_OPEN = 2_000;

    private final Supplier<CompletableFuture<Integer>> request;
    private final int eachTick;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger right = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger unsent = new AtomicInteger();

    private Flood(int perSecond, Supplier<CompletableFuture<Integer>> request) {
        this.eachTick = perSecond / TICKS_A_SECOND;
        this.request = request;
    }

    /** @param request answers with its status */
    @SuppressWarnings("FutureReturnValueIgnored")
    static Flood of(int perSecond, Supplier<CompletableFuture<Integer>> request) {
        Flood flood = new Flood(perSecond, request);
        flood.timer.scheduleAtFixedRate(flood::tick, 0, 1_000 / TICKS_A_SECOND, TimeUnit.MILLISECONDS);
        return flood;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void tick() {
        for (int i = 0; i < eachTick; i++) {
            if (open.incrementAndGet() > MOST_OPEN) {
                open.decrementAndGet();
                unsent.incrementAndGet();
                continue;
            }
            sent.incrementAndGet();
            request.get().whenComplete((status, failure) -> {
                open.decrementAndGet();
                counterOf(status == null ? 0 : status).incrementAndGet();
            });
        }
    }

    private AtomicInteger counterOf(int status) {
        return switch (status) {
            case 200 -> right;
            case 429, 503 -> refused;
            default -> failed;
        };
    }

    /** What became of them so far. */
    @Override
    public String toString() {
        return sent + " sent, " + right + " logged in, " + refused + " told to come again, " + failed + " failed, "
                + open + " not answered yet, " + unsent + " not sent for want of connections";
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
