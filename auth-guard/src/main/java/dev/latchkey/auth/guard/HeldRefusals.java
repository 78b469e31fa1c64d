package dev.latchkey.auth.guard;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays refusals without a waiting thread.
 *
 * <p>A refusal costs the client nothing, and the server a request. If refusals were sent at once, a hundred connections that retry at once would keep
 * a service busy. If each is held for a second, they make a hundred requests a second. A held refusal takes an entry in a timer's heap and the
 * client's own connection, but no thread, so this is for answers that are written asynchronously.
 *
 * <p>Each is held between half and one and a half times the delay, at random, so that clients which were refused at the same time do not come back at
 * the same time.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeldRefusals implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeldRefusals.class);

    /** A refusal that counts as held until it is sent. Equal to nothing but itself. */
    private static final class Held {

        private final Runnable send;

        @Nullable
        private volatile WakeUp end;

        private Held(Runnable send) {
            this.send = send;
        }
    }

    private final Duration delay;
    private final int most;
    private final GuardTime time;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Nothing is held at first, and no thread is started.
     *
     * @param delay of the average refusal; zero holds none
     * @param most refusals that are held at the same time; further ones are not delayed
     * @param time wakes each up; not closed by {@link #close}
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
     * Holds a refusal for a while.
     *
     * @param send sends it, once: on a timer's thread, or on the one that closes this. Must be short. What it throws is logged
     * @return whether it is held; if not, the caller sends it at once, and {@code send} is not run
     */
    public boolean hold(Runnable send) {
        if (delay.isZero()) {
            return false;
        }
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return false;
        }
        Held refusal = new Held(send);
        held.add(refusal);
        refusal.end = time.after(spread(), () -> end(refusal));
        // Who closed this just now either found the refusal and has sent it, or leaves it to the caller.
        return !closed || !leave(refusal);
    }

    private void end(Held refusal) {
        if (!leave(refusal)) {
            return;
        }
        try {
            refusal.send.run();
        } catch (RuntimeException e) {
            LOG.warn("A refusal could not be sent", e);
        }
    }

    /** Takes the refusal out. True for one caller alone, who then sends it, however many try. */
    private boolean leave(Held refusal) {
        if (!held.remove(refusal)) {
            return false;
        }
        count.decrementAndGet();
        WakeUp end = refusal.end;
        if (end != null) {
            end.cancel();
        }
        return true;
    }

    private Duration spread() {
        long nanos = Durations.saturatedNanos(delay);
        return Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos));
    }

    /**
     * How long a refusal is held at most; for timeouts of what waits for it.
     *
     * @return one and a half times the delay
     */
    public Duration longest() {
        return delay.multipliedBy(3).dividedBy(2);
    }

    /**
     * How many refusals are held now.
     *
     * @return a snapshot, for metrics
     */
    public int held() {
        return held.size();
    }

    /** Sends all that are held, and holds none from now on. Closing twice is the same as once. */
    @Override
    public void close() {
        closed = true;
        held.forEach(this::end);
    }
}
