package dev.latchkey.auth.guard;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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
 * a second. A held rejection needs an entry in memory and the client's own connection, but no thread. Use this class
 * only for asynchronous answers.
 *
 * <p>The delay is random, between half and one and a half times the average. Therefore clients rejected at the same
 * time do not return at the same time.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeldRefusals implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeldRefusals.class);

    /** The delay has this many moments: rejections of one moment share a wake-up of the timer, and wake the server once. */
    private static final int MOMENTS = 16;

    /** Longer delays are as good as endless, and must not overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    /** The rejections of a moment, in the order of their arrival. Changed only within the map of moments. */
    private static final class Moment {

        private final Deque<Runnable> held = new ArrayDeque<>();

        @Nullable
        private volatile WakeUp end;
    }

    private final Duration delay;
    private final int most;
    private final GuardTime time;
    private final AtomicInteger count = new AtomicInteger();

    /** By their number, counted from the timer's origin. */
    private final ConcurrentMap<Long, Moment> moments = new ConcurrentHashMap<>();

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
        long now = time.nanoTime();
        long nanos = Math.min(Durations.saturatedNanos(delay), LONGEST_NANOS);
        long step = Math.max(1, nanos / MOMENTS);
        // The moment is up to a step earlier than the random time.
        long due = now + nanos / 2 + step + ThreadLocalRandom.current().nextLong(Math.max(1, nanos - step));
        long number = Math.floorDiv(due, step);
        add(number, send, Duration.ofNanos(number * step - now));
        // A concurrent close() either found and sent this rejection, or the caller sends the rejection.
        return !closed || !leave(number, send);
    }

    private void add(long number, Runnable send, Duration wait) {
        boolean[] isNew = new boolean[1];
        Moment moment = moments.compute(number, (same, present) -> {
            isNew[0] = present == null;
            Moment joined = present == null ? new Moment() : present;
            joined.held.addLast(send);
            return joined;
        });
        if (isNew[0]) {
            WakeUp end = time.after(wait, () -> end(number));
            moment.end = end;
            if (closed) {
                end.cancel();
            }
        }
    }

    /** Sends the rejections of a moment. */
    private void end(long number) {
        Moment moment = moments.remove(number);
        if (moment == null) {
            return;
        }
        WakeUp end = moment.end;
        if (end != null) {
            end.cancel();
        }
        for (Runnable send : moment.held) {
            count.decrementAndGet();
            try {
                send.run();
            } catch (RuntimeException e) {
                LOG.warn("A refusal could not be sent", e);
            }
        }
    }

    /** Removes a rejection. Returns false if the rejection was sent. */
    private boolean leave(long number, Runnable send) {
        boolean[] left = new boolean[1];
        moments.computeIfPresent(number, (same, moment) -> {
            left[0] = moment.held.removeLastOccurrence(send);
            return moment.held.isEmpty() ? null : moment;
        });
        if (left[0]) {
            count.decrementAndGet();
        }
        return left[0];
    }

    /**
     * The number of held rejections.
     *
     * @return a snapshot, for metrics
     */
    public int held() {
        return Math.min(most, count.get());
    }

    /** Sends all held rejections, and holds none from now on. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        moments.keySet().forEach(this::end);
    }
}
