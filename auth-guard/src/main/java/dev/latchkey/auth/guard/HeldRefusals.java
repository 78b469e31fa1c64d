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
 * Delays rejections without a waiting thread.
 *
 * <p>A rejection costs the client nothing, but costs the server a request. With immediate rejections, a hundred
 * connections with immediate retries would keep a service busy. With a delay of a second, they send a hundred requests
 * a second. A held rejection needs an entry in a timer's heap and the client's own connection, but no thread. Use this
 * class only for asynchronous answers.
 *
 * <p>The delay is random, between half and one and a half times the average. Therefore clients rejected at the same
 * time do not return at the same time.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeldRefusals implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeldRefusals.class);

    /** A rejection that counts as held until sent. Equality is identity. */
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
     * Creates an empty set of held rejections. No thread is started.
     *
     * @param delay the average delay; zero holds no rejection
     * @param most the number of rejections held at the same time; further rejections are not delayed
     * @param time for wake-ups; not closed by {@link #close}
     * @throws IllegalArgumentException if a value is negative
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
     * Holds a rejection for a while.
     *
     * @param send sends the rejection, once, on a timer's thread or on the thread that calls {@link #close}. Must be
     *     short. Exceptions are logged
     * @return whether the rejection is held; if not, the caller sends the rejection at once, and {@code send} does not
     *     run
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
        // A concurrent close() either found and sent this rejection, or the caller sends the rejection.
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

    /** Removes the rejection. Returns true for exactly one caller; the same caller sends the rejection. */
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
     * The longest delay, for timeouts of waiting code.
     *
     * @return one and a half times the delay
     */
    public Duration longest() {
        return delay.multipliedBy(3).dividedBy(2);
    }

    /**
     * The number of held rejections.
     *
     * @return a snapshot, for metrics
     */
    public int held() {
        return held.size();
    }

    /** Sends all held rejections, and holds none from now on. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        held.forEach(this::end);
    }
}
