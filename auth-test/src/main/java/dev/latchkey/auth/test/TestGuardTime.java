package dev.latchkey.auth.test;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The guard's time. It stands still as {@link TestClock} does, so that no limit recovers because a machine is slow, and moves in two ways:
 * with that clock, and to the time of each wake-up, which comes when the machine's time says so. What would have woken up in time that
 * is skipped wakes up at once.
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

    /** Of which passes what passes by this clock. */
    static TestGuardTime of(TestClock clock) {
        return of(clock, GuardTime.start());
    }

    /** The same on a machine that has this time, and ends with it. */
    static TestGuardTime of(TestClock clock, GuardTime machine) {
        TestGuardTime time = new TestGuardTime(machine);
        clock.onAdvance(time::skip);
        return time;
    }

    /** The time that never stands still. */
    GuardTime ofTheMachine() {
        return machine;
    }

    void skip(Duration time) {
        long present = now.addAndGet(nanosOf(time));
        for (Sleeper sleeper : sleepers) {
            if (sleeper.dueAt - present <= 0) {
                // On the thread of all other wake-ups: nobody who moves a clock expects to do its work.
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

    /** A hundred years at most, so that sums do not overflow. */
    private static long nanosOf(Duration time) {
        Duration most = Duration.ofDays(36_500);
        return (time.compareTo(most) < 0 ? time : most).toNanos();
    }

    /** An action that runs once, be it by the machine's time or since it was skipped. */
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

        /** Whether it had still been to run. */
        boolean forget() {
            sleepers.remove(this);
            return over.compareAndSet(false, true);
        }
    }
}
