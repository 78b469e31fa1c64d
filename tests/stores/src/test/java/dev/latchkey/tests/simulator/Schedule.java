package dev.latchkey.tests.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks step by step, in the order of a seed. Each task has a thread, and a single task has the baton: at each {@link
 * #step}, the seed names the next task. Time is virtual, and passes while a task sleeps or by the seed.
 */
final class Schedule {

    /** Of the threads that take turns; reused from history to history, since a thread costs more than a history. */
    static final class Threads implements AutoCloseable {

        private final List<Turn> workers = new ArrayList<>();
        private volatile boolean isClosed;

        private Turn worker(int number) {
            while (workers.size() <= number) {
                Turn turn = new Turn();
                Thread thread = new Thread(() -> work(turn), "simulated-" + workers.size());
                turn.thread = thread;
                thread.setDaemon(true);
                workers.add(turn);
                thread.start();
            }
            return workers.get(number);
        }

        private void work(Turn turn) {
            while (true) {
                turn.await();
                Runnable task = turn.task;
                if (isClosed || task == null) {
                    return;
                }
                task.run();
            }
        }

        @Override
        public void close() {
            isClosed = true;
            workers.forEach(Turn::give);
        }
    }

    private static final class Turn {

        private volatile boolean isGiven;
        private @Nullable Thread thread;
        private @Nullable Runnable task;
        private long wakesAt;

        void give() {
            isGiven = true;
            LockSupport.unpark(thread);
        }

        void await() {
            while (!isGiven) {
                LockSupport.park(this);
            }
            isGiven = false;
        }
    }

    private final SplittableRandom random;
    private final Threads threads;
    private final Runnable weather;
    private final List<Turn> alive = new ArrayList<>();
    private final List<Turn> awake = new ArrayList<>();
    private final Turn caller = new Turn();
    private @Nullable Turn current;
    private @Nullable Throwable failure;
    private long nanos;
    private int steps;

    /** @param weather what may happen between two steps, by itself */
    Schedule(SplittableRandom random, Threads threads, Runnable weather) {
        this.random = random;
        this.threads = threads;
        this.weather = weather;
    }

    /** The virtual time. */
    long nanos() {
        return nanos;
    }

    /** A growing number: an earlier call has a lower number. */
    int next() {
        return ++steps;
    }

    /** Has the tasks run to their ends. */
    void run(List<Runnable> tasks) {
        caller.thread = Thread.currentThread();
        for (int i = 0; i < tasks.size(); i++) {
            Turn turn = threads.worker(i);
            Runnable task = tasks.get(i);
            turn.wakesAt = 0;
            turn.task = () -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    failure = e;
                }
                alive.remove(turn);
                (alive.isEmpty() ? caller : pick()).give();
            };
            alive.add(turn);
        }
        pick().give();
        caller.await();
        if (failure != null) {
            throw new IllegalStateException("A task ended with an exception", failure);
        }
    }

    /** Other tasks may go on first. */
    void step() {
        Turn me = current;
        if (me == null || alive.isEmpty()) {
            return;
        }
        Turn next = pick();
        if (next != me) {
            next.give();
            me.await();
        }
    }

    /** Other tasks go on for this time. */
    void sleep(long longest) {
        if (current != null) {
            current.wakesAt = nanos + longest;
            step();
        }
    }

    private Turn pick() {
        weather.run();
        if (random.nextInt(16) == 0) {
            nanos += random.nextLong(1L << (20 + random.nextInt(12)));
        }
        Turn before = current;
        if (before != null && alive.contains(before) && before.wakesAt <= nanos && random.nextInt(5) < 2) {
            return before;
        }
        awake.clear();
        long soonest = Long.MAX_VALUE;
        for (Turn turn : alive) {
            soonest = Math.min(soonest, turn.wakesAt);
            if (turn.wakesAt <= nanos) {
                awake.add(turn);
            }
        }
        if (awake.isEmpty()) {
            nanos = soonest;
            for (Turn turn : alive) {
                if (turn.wakesAt <= nanos) {
                    awake.add(turn);
                }
            }
        }
        Turn next = awake.get(random.nextInt(awake.size()));
        current = next;
        return next;
    }
}
