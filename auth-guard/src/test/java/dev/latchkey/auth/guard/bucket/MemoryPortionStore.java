package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store of portions for the nodes of one test. The test decides about the time and the result of each answer. */
public final class MemoryPortionStore implements PortionStore {

    /** How it answers. */
    public enum Mode {
        UP,
        FAILS,
        THROWS,
        HANGS
    }

    private static final double NANOS = 1e9;

    private record Id(String name, BucketKey key) {}

    /** The spent share of a bucket. A share above one is overdrawn. */
    private record State(double share, long at, Duration fullIn) {}

    private final Map<Id, State> states = new HashMap<>();
    private final GuardTime time;
    private volatile Mode mode = Mode.UP;
    private volatile Duration latency = Duration.ZERO;
    private long offset;
    private int draws;
    private long drawn;

    public MemoryPortionStore(GuardTime time) {
        this.time = time;
    }

    public void mode(Mode next) {
        mode = next;
    }

    /** Each answer takes so long from now on, and what was asked is done at once. */
    public void latency(Duration next) {
        latency = next;
    }

    /** Moves its own clock alone. */
    public synchronized void advance(Duration duration) {
        offset += duration.toNanos();
    }

    /** How often it was asked for a portion. */
    public synchronized int draws() {
        return draws;
    }

    /** Tokens that nodes have, or may still use. */
    public synchronized long drawn() {
        return drawn;
    }

    @Override
    public CompletionStage<Portion> draw(Bucket bucket, Wish wish) {
        return answer(() -> drawn(bucket, wish));
    }

    @Override
    public CompletionStage<?> giveBack(Bucket bucket, long tokens) {
        return answer(() -> {
            spend(bucket, -tokens);
            return tokens;
        });
    }

    private <T> CompletionStage<T> answer(Supplier<T> value) {
        return switch (mode) {
            case FAILS -> CompletableFuture.failedStage(new IllegalStateException("connection refused"));
            case THROWS -> throw new IllegalStateException("connection refused");
            case HANGS -> new CompletableFuture<>();
            case UP -> {
                T now = value.get();
                CompletableFuture<T> answer = new CompletableFuture<>();
                if (latency.isZero()) {
                    answer.complete(now);
                } else {
                    time.after(latency, () -> answer.complete(now));
                }
                yield answer;
            }
        };
    }

    private synchronized Portion drawn(Bucket bucket, Wish wish) {
        draws++;
        double share = spend(bucket, 0);
        long burst = bucket.rate().burst();
        long there = (long) Math.floor((1 - share) * burst + 1e-6);
        if (there >= wish.least()) {
            long tokens = Math.min(wish.most(), there);
            spend(bucket, tokens);
            return new Portion(tokens, Duration.ZERO, there - tokens);
        }
        double full = bucket.fullIn().toNanos() / NANOS;
        double wait = (share + (double) wish.least() / burst - 1) * full;
        Duration after = Duration.ofNanos((long) Math.ceil(wait * NANOS));
        if (after.compareTo(wish.longestWait()) > 0) {
            return new Portion(0, after, Math.max(0, there));
        }
        spend(bucket, wish.least());
        return new Portion(wish.least(), after, 0);
    }

    private synchronized double spend(Bucket bucket, long tokens) {
        Id id = new Id(bucket.name(), bucket.key());
        long now = time.nanoTime() + offset;
        State before = states.getOrDefault(id, new State(0, now, bucket.fullIn()));
        long elapsed = Math.max(0, now - before.at());
        double share =
                Math.max(0, before.share() - elapsed / (double) before.fullIn().toNanos());
        if (!before.fullIn().equals(bucket.fullIn())) {
            share = Math.min(1, share);
        }
        double after = Math.max(0, share + (double) tokens / bucket.rate().burst());
        states.put(id, new State(after, now, bucket.fullIn()));
        drawn += tokens;
        return after;
    }
}
