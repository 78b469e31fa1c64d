package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosHttp.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Logins at a fixed rate, independent of the answers, as many clients send them. */
final class Flood implements AutoCloseable {

    private static final int TICKS_A_SECOND = 100;

    /** A client's machine has so many connections at a time. */
    private static final int MOST_OPEN = 2_000;

    private final Accounts accounts;
    private final Function<String, CompletableFuture<Answer>> login;
    private final int eachTick;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger right = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger unsent = new AtomicInteger();

    private Flood(int perSecond, Accounts accounts, Function<String, CompletableFuture<Answer>> login) {
        this.eachTick = perSecond / TICKS_A_SECOND;
        this.accounts = accounts;
        this.login = login;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    static Flood of(int perSecond, Accounts accounts, Function<String, CompletableFuture<Answer>> login) {
        Flood flood = new Flood(perSecond, accounts, login);
        flood.timer.scheduleAtFixedRate(flood::tick, 0, 1_000 / TICKS_A_SECOND, TimeUnit.MILLISECONDS);
        return flood;
    }

    private void tick() {
        for (int i = 0; i < eachTick; i++) {
            if (open.incrementAndGet() <= MOST_OPEN) {
                send();
            } else {
                open.decrementAndGet();
                unsent.incrementAndGet();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void send() {
        String name = accounts.next();
        sent.incrementAndGet();
        login.apply(name).whenComplete((answer, failure) -> {
            open.decrementAndGet();
            int status = answer == null ? 0 : answer.status();
            counterOf(status).incrementAndGet();
            accounts.answered(name, status == 200);
        });
    }

    private AtomicInteger counterOf(int status) {
        return switch (status) {
            case 200 -> right;
            case 429, 503 -> refused;
            default -> failed;
        };
    }

    /** The outcomes so far. */
    @Override
    public String toString() {
        return "%,d sent, %,d logged in, %,d told to come again, %,d failed, %,d not answered yet, %,d not sent for want of connections%s"
                .formatted(
                        sent.get(),
                        right.get(),
                        refused.get(),
                        failed.get(),
                        open.get(),
                        unsent.get(),
                        accounts.left() == 0 ? "; it ended early, for want of accounts" : "");
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
