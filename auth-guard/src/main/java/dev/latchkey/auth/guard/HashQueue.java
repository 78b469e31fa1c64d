package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.HashDemand.Familiarity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The hashes that wait for a thread, and the account of those that run; one lock, held for moments and never while hashing.
 *
 * <p>How many places there are follows from the estimate: as many as {@code threads} can finish within {@code maxWait},
 * and never fewer than the threads, since an idle one is always worth using.
 */
final class HashQueue {

    private final HashingPoolSettings settings;
    private final GuardTime time;
    private final GuardEvents events;
    private final long maxWaitNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<HashTask<?>> waiting = new LinkedHashSet<>();
    private final HashEstimate estimate;
    private long memoryInUse;
    private int running;
    private boolean closed;
    private long completed;
    private long failed;
    private long refusedFull;
    private long refusedLate;
    private long abandoned;

    HashQueue(HashingPoolSettings settings, GuardTime time, GuardEvents events) {
        this.settings = settings;
        this.time = time;
        this.events = events;
        this.maxWaitNanos = Durations.saturatedNanos(settings.maxWait());
        this.estimate = new HashEstimate(settings.firstEstimate());
    }

    /** Accepts the task, with a wake-up at its deadline; or says why not. */
    Optional<AuthUnavailableException> offer(HashTask<?> task, Familiarity familiarity) {
        lock.lock();
        try {
            if (closed) {
                return Optional.of(closed());
            }
            if (waiting.size() >= settings.maxQueued() || running + waiting.size() >= places(familiarity)) {
                refusedFull++;
                return Optional.of(overload("More logins arrive than can be hashed in time"));
            }
            waiting.add(task);
            task.deadline = time.after(settings.maxWait(), () -> expire(task));
            changed.signal();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a task whose memory is free, and takes it; null when the queue is closed and empty. */
    @Nullable
    HashTask<?> take() {
        while (true) {
            HashTask<?> task = next();
            if (task == null || time.nanoTime() - task.submittedAt <= maxWaitNanos) {
                return task;
            }
            abort(task);
        }
    }

    @Nullable
    private HashTask<?> next() {
        lock.lock();
        try {
            HashTask<?> task = firstThatFits();
            while (task == null) {
                if (closed && waiting.isEmpty()) {
                    return null;
                }
                changed.awaitUninterruptibly();
                task = firstThatFits();
            }
            waiting.remove(task);
            task.callOff();
            memoryInUse += task.memoryBytes;
            running++;
            return task;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    private HashTask<?> firstThatFits() {
        for (HashTask<?> task : waiting) {
            if (task.memoryBytes <= settings.memoryBytes() - memoryInUse) {
                return task;
            }
        }
        return null;
    }

    /** Gives the thread and the memory back, and learns how long the hash took. */
    void done(HashTask<?> task, long elapsedNanos, boolean threw) {
        lock.lock();
        try {
            release(task);
            if (threw) {
                failed++;
            } else {
                completed++;
            }
            estimate.learn(elapsedNanos);
        } finally {
            lock.unlock();
        }
    }

    /** A thread took the task too late: the timer is behind, or the machine. */
    private void abort(HashTask<?> task) {
        AuthUnavailableException late;
        lock.lock();
        try {
            release(task);
            refusedLate++;
            late = late();
        } finally {
            lock.unlock();
        }
        refuse(task, late);
    }

    private void release(HashTask<?> task) {
        running--;
        memoryInUse -= task.memoryBytes;
        // All, not one: the thread that a single signal wakes may find nothing that fits where another would.
        changed.signalAll();
    }

    private void expire(HashTask<?> task) {
        AuthUnavailableException late;
        lock.lock();
        try {
            if (!waiting.remove(task)) {
                return;
            }
            refusedLate++;
            late = late();
        } finally {
            lock.unlock();
        }
        refuse(task, late);
    }

    private void refuse(HashTask<?> task, AuthUnavailableException late) {
        events.on(new GuardEvent.HashRefused(Duration.ofNanos(time.nanoTime() - task.submittedAt)));
        task.result.completeExceptionally(late);
    }

    /** The caller went away: if a thread has not taken the task yet, none will. */
    void abandon(HashTask<?> task) {
        lock.lock();
        try {
            if (waiting.remove(task)) {
                task.callOff();
                abandoned++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Accepts nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses all that still wait. */
    void refuseWaiting() {
        List<HashTask<?>> left;
        lock.lock();
        try {
            left = new ArrayList<>(waiting);
            waiting.clear();
            left.forEach(HashTask::callOff);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(task -> task.result.completeExceptionally(closed()));
    }

    HashingPoolStats stats() {
        lock.lock();
        try {
            return new HashingPoolStats(
                    settings.threads(),
                    running,
                    waiting.size(),
                    memoryInUse,
                    estimate.ofOne(),
                    completed,
                    failed,
                    refusedFull,
                    refusedLate,
                    abandoned);
        } finally {
            lock.unlock();
        }
    }

    /** How many may run and wait together, as far as this caller is concerned. */
    private long places(Familiarity familiarity) {
        long all = Math.max(settings.threads(), estimate.doneWithin(maxWaitNanos, settings.threads()));
        long kept = settings.knownShare() == 0 ? 0 : Math.max(1, (long) (all * settings.knownShare()));
        long open = Math.max(settings.threads(), all - kept);
        return familiarity == Familiarity.KNOWN ? open + kept : open;
    }

    private AuthUnavailableException late() {
        return overload("A login waited for a hash until its time was over");
    }

    private AuthUnavailableException overload(String message) {
        int ahead = running + waiting.size();
        return AuthUnavailableException.overload(message, estimate.retryAfter(ahead, settings.threads()));
    }

    private static AuthUnavailableException closed() {
        return AuthUnavailableException.outage("The hashing pool is closed");
    }
}
