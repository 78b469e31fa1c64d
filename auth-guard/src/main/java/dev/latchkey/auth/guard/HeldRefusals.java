package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells refused logins late, and has no thread wait meanwhile.
 *
 * <p>A refusal costs its client nothing and the server a request: told at once, a hundred connections that come back at once
 * keep a service busy with refusing them. Held for a second, they are a hundred requests a second. What it takes to hold one is
 * an entry in a timer's heap and the client's own connection; so it is for answers that no thread waits for.
 *
 * <p>Each is held between half and one and a half times the delay. Those that were refused in one instant must not come back in
 * one, to a queue that is full for that moment and empty until the next.
 *
 * <p>Held are refusals of {@link Kind#OVERLOAD} and {@link Kind#THROTTLED}; a wrong password and an outage are told at once. So is
 * every refusal above the bound: connections are worth more than the delay.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeldRefusals implements AutoCloseable {

    /** A refusal that somebody will be told. Equal to nothing but itself. */
    private static final class Held {

        private final CompletableFuture<?> answer;
        private final Throwable refusal;

        private Held(CompletableFuture<?> answer, Throwable refusal) {
            this.answer = answer;
            this.refusal = refusal;
        }

        private void tell() {
            answer.completeExceptionally(refusal);
        }
    }

    private final Duration delay;
    private final int most;
    private final GuardTime time;
    private final AtomicInteger places = new AtomicInteger();
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param delay of the average refusal; zero tells each at once
     * @param most that are held at the same time
     * @throws IllegalArgumentException if one of them is negative
     */
    public HeldRefusals(Duration delay, int most, GuardTime time) {
        if (delay.isNegative() || most < 0) {
            throw new IllegalArgumentException(
                    "Neither the delay of refusals nor their number can be negative: " + delay + ", " + most);
        }
        this.delay = delay;
        this.most = most;
        this.time = time;
    }

    /**
     * The same answer; later if it is a refusal.
     *
     * @param onHold run before one is held: gives back what the login has reserved, since others may wait for it
     * @return completes as the answer does. Cancelling it cancels the answer, and frees the place of one that is held
     */
    public <T> CompletableFuture<T> hold(CompletableFuture<T> answer, Runnable onHold) {
        if (delay.isZero() || most == 0) {
            return answer;
        }
        CompletableFuture<T> late = new CompletableFuture<>();
        Stages.onEnd(late, (value, failure) -> answer.cancel(false));
        Stages.onEnd(answer, (value, failure) -> {
            if (failure == null) {
                late.complete(value);
            } else if (isRefusal(failure) && !late.isDone()) {
                onHold.run();
                hold(new Held(late, failure));
            } else {
                late.completeExceptionally(failure);
            }
        });
        return late;
    }

    private static boolean isRefusal(Throwable failure) {
        return Stages.cause(failure) instanceof AuthUnavailableException refusal && refusal.kind() != Kind.OUTAGE;
    }

    private void hold(Held refusal) {
        if (places.incrementAndGet() > most) {
            places.decrementAndGet();
            refusal.tell();
            return;
        }
        held.add(refusal);
        WakeUp end = time.after(spread(), refusal::tell);
        Stages.onEnd(refusal.answer, (value, failure) -> {
            end.cancel();
            held.remove(refusal);
            places.decrementAndGet();
        });
        if (closed) {
            refusal.tell();
        }
    }

    private Duration spread() {
        long nanos = Durations.saturatedNanos(delay);
        return Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos));
    }

    /** Until when every refusal has been told, counted from its beginning. */
    public Duration longest() {
        return delay.multipliedBy(3).dividedBy(2);
    }

    /** How many are held now. */
    public int held() {
        return held.size();
    }

    /** Tells all that are held, and holds none from now on. Closing twice is the same as once. */
    @Override
    public void close() {
        closed = true;
        held.forEach(Held::tell);
    }
}
