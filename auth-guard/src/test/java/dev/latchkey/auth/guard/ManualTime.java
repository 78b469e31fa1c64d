package dev.latchkey.auth.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Time under the control of a test. Wake-ups run on the test's thread in the order of their due times. */
public final class ManualTime implements GuardTime {

    private record Due(long at, long order, Runnable action) {}

    private final List<Due> due = new ArrayList<>();
    private long now = 1_000_000_000L;
    private long order;

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized WakeUp after(Duration delay, Runnable action) {
        Due entry = new Due(now + delay.toNanos(), order++, action);
        due.add(entry);
        return () -> cancel(entry);
    }

    private synchronized void cancel(Due entry) {
        due.remove(entry);
    }

    /** Moves the time, and runs each due task at the due time. */
    public void advance(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        Optional<Due> next = next(end);
        while (next.isPresent()) {
            next.get().action().run();
            next = next(end);
        }
        jump(end);
    }

    /** Moves the clock and runs nothing: a timer that is late. */
    public synchronized void jump(Duration duration) {
        jump(now + duration.toNanos());
    }

    private synchronized void jump(long to) {
        now = Math.max(now, to);
    }

    private synchronized Optional<Due> next(long end) {
        Optional<Due> next = due.stream()
                .filter(entry -> entry.at() <= end)
                .min(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
        next.ifPresent(entry -> {
            due.remove(entry);
            jump(entry.at());
        });
        return next;
    }

    public synchronized int wakeUps() {
        return due.size();
    }

    @Override
    public synchronized void close() {
        due.clear();
    }
}
