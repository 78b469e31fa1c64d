package dev.latchkey.auth.test;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The guard's time. The time stands still like {@link TestClock}, so that no limit recovers because of a slow machine.
 * The time moves in two ways: with the clock, and to the time of a wake-up when the wake-up is due by the machine's
 * time. Wake-ups in skipped time run at once.
 *
 * <p>Safe for use by any number of threads.
 */
final class TestGuardTime implements GuardTime {

    private final GuardTime machine;
    private final AtomicLong now;
    private final Set<Sleeper> sleepers = ConcurrentHashMap.newKeySet();

    private TestGuardTime(GuardTime machine) {
        this.machine = machine;
        this.now = new AtomicLong(machine.nanoTime());
    }

    /** A time that moves with this clock. */
    static TestGuardTime of(TestClock clock) {
        return of(clock, GuardTime.start());
    }

    /** A time based on the machine's time; both end together. */
    static TestGuardTime of(TestClock clock, GuardTime machine) {
        TestGuardTime time = new TestGuardTime(machine);
        clock.onAdvance(time::skip);
        return time;
    }

    /** The real time. */
    GuardTime ofTheMachine() {
        return machine;
    }

    void skip(Duration time) {
        long present = now.addAndGet(nanosOf(time));
        for (Sleeper sleeper : sleepers) {
            if (sleeper.dueAt - present <= 0) {
                // Runs on the thread of all other wake-ups: a test that moves the clock should not do the work.
                machine.after(Duration.ZERO, sleeper);
            }
        }
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public WakeUp after(Duration delay, Runnable action) {
        Sleeper sleeper = new Sleeper(nanoTime() + nanosOf(delay), action);
        sleepers.add(sleeper);
        WakeUp due = machine.after(delay, sleeper);
        return () -> {
            due.cancel();
            sleeper.forget();
        };
    }

    @Override
    public void close() {
        machine.close();
        sleepers.clear();
    }

    /** Limited to a hundred years, so that sums do not overflow. */
    private static long nanosOf(Duration time) {
        Duration most = Duration.ofDays(36_500);
        return (time.compareTo(most) < 0 ? time : most).toNanos();
    }

    /** An action that runs at most once: when due by the machine's time, or when skipped. */
    private final class Sleeper implements Runnable {

        private final long dueAt;
        private final Runnable action;
        private final AtomicBoolean over = new AtomicBoolean();

        Sleeper(long dueAt, Runnable action) {
            this.dueAt = dueAt;
            this.action = action;
        }

        @Override
        public void run() {
            if (forget()) {
                now.updateAndGet(present -> present - dueAt < 0 ? dueAt : present);
                action.run();
            }
        }

        /** Removes the action; returns whether the action had neither run nor been removed before. */
        boolean forget() {
            sleepers.remove(this);
            return over.compareAndSet(false, true);
        }
    }
}
