package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.hashing.PermitRequest.Refusal;
import dev.latchkey.auth.guard.hashing.PermitRequest.State;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives permits to requests in the order of {@link WaitingRequests}, and refuses requests that cannot be served in
 * time.
 *
 * <p>One lock, held for moments and never during a hash. Safe for use by any number of threads.
 */
final class PermitQueue {

    private final HashingSettings settings;
    private final GuardTime time;
    private final GuardEvents events;
    private final long maxWaitNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final WaitingRequests waiting = new WaitingRequests();
    private final PermitsInUse inUse;
    private final List<PermitRequest> settled = new ArrayList<>();
    private final HashEstimate estimate;
    private long completed;
    private long failed;
    private long refusedFull;
    private long refusedLate;
    private long abandoned;

    PermitQueue(HashingSettings settings, GuardTime time, GuardEvents events, Carriers carriers) {
        this.settings = settings;
        this.time = time;
        this.events = events;
        this.maxWaitNanos = Durations.saturatedNanos(settings.maxWait());
        this.inUse = new PermitsInUse(settings, carriers);
        this.estimate = new HashEstimate(settings.firstEstimate());
    }

    /** Asks for a permit; {@link PermitRequest#granted} completes with the permit or the refusal. */
    PermitRequest ask(HashDemand demand) {
        PermitRequest request = new PermitRequest(demand, time.nanoTime());
        change(() -> {
            if (isFull(demand)) {
                refuseAtOnce(request, "More logins arrive than can be hashed in time");
                return;
            }
            waiting.add(request);
            serve();
            if (request.state == State.WAITING && !demand.isPatient()) {
                request.deadline = time.after(settings.maxWait(), () -> expire(request));
            }
        });
        return request;
    }

    /** Whether such a hash would get a permit at once, and no request waits, except for patient requests. */
    boolean wouldBegin(HashDemand demand) {
        lock.lock();
        try {
            return inUse.isOneFree() && inUse.fits(demand) && waiting.prompt() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses a request without a slot to wait in; does nothing if the request no longer waits. */
    void refuseToWait(PermitRequest request) {
        change(() -> {
            if (request.state == State.WAITING) {
                leave(request);
                refuseAtOnce(request, "Too many threads wait for logins");
            }
        });
    }

    private void expire(PermitRequest request) {
        change(() -> {
            if (request.state == State.WAITING) {
                leave(request);
                refuseLate(request);
            }
        });
    }

    /** Whether the thread already computes a hash with a permit of this queue. */
    boolean isComputing(Thread thread) {
        lock.lock();
        try {
            return inUse.isComputing(thread);
        } finally {
            lock.unlock();
        }
    }

    /** Called by the computing thread before the hash; false if the request was abandoned. */
    boolean begin(PermitRequest request) {
        lock.lock();
        try {
            if (request.state != State.GRANTED) {
                return false;
            }
            request.state = State.COMPUTING;
            request.thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Called after a hash that returned a value. */
    void completed(PermitRequest request, long elapsedNanos) {
        change(() -> {
            completed++;
            estimate.learn(elapsedNanos);
            release(request);
        });
    }

    /**
     * Called after a hash that threw an exception. The duration of this hash is not measured. Does nothing after
     * {@link #completed}.
     */
    void failed(PermitRequest request) {
        change(() -> {
            if (request.state == State.COMPUTING) {
                failed++;
                release(request);
            }
        });
    }

    /** Called when the permit is no longer needed. Does nothing after the start of the hash or a refusal. */
    void giveUp(PermitRequest request) {
        change(() -> {
            if (request.state == State.WAITING) {
                leave(request);
                request.state = State.ENDED;
                abandoned++;
            } else if (request.state == State.GRANTED) {
                release(request);
                abandoned++;
            }
        });
    }

    HashingStats stats() {
        lock.lock();
        try {
            return new HashingStats(
                    settings.atOnce(),
                    inUse.count(),
                    waiting.size(),
                    inUse.memoryBytes(),
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

    /**
     * Makes the change, and serves the requests that can start. Completes futures and reports events after releasing
     * the lock.
     */
    private void change(Runnable change) {
        List<PermitRequest> due;
        lock.lock();
        try {
            change.run();
            serve();
            due = List.copyOf(settled);
            settled.clear();
        } finally {
            lock.unlock();
        }
        // All futures before the first event: no permit must wait for a listener.
        due.forEach(PermitRequest::settle);
        due.forEach(each -> each.refused().ifPresent(events::on));
    }

    private void serve() {
        for (PermitRequest next = next(); next != null; next = next()) {
            if (!next.demand.isPatient() && time.nanoTime() - next.askedAt > maxWaitNanos) {
                // The deadline is over, but the timer has not called {@code expire} yet.
                leave(next);
                refuseLate(next);
            } else {
                waiting.removeGranted(next);
                cancelDeadline(next);
                next.state = State.GRANTED;
                inUse.add(next);
                settled.add(next);
            }
        }
    }

    private @Nullable PermitRequest next() {
        return inUse.isOneFree() ? waiting.next(inUse::fits) : null;
    }

    /**
     * Whether such a hash could not end in time. Waiting patient requests do not count, because this request overtakes
     * them. As many requests as permits are always accepted: a free permit should be used, however long a hash takes. A
     * request that leaves room is accepted only if half of the time is sufficient. Otherwise a spray of wrong passwords
     * would fill the queue, and a newcomer would be rejected.
     */
    private boolean isFull(HashDemand demand) {
        int permits = inUse.permitsFor(demand);
        long available = demand.leavesRoom() ? maxWaitNanos / 2 : maxWaitNanos;
        return !demand.isPatient()
                && ahead() - inUse.count(HashDemand::isPatient) >= permits
                && ahead() >= estimate.doneWithin(available, permits);
    }

    /** The number of requests before the next prompt request. */
    private int ahead() {
        return inUse.count() + waiting.prompt();
    }

    private void leave(PermitRequest request) {
        waiting.remove(request);
        cancelDeadline(request);
    }

    private static void cancelDeadline(PermitRequest request) {
        if (request.deadline != null) {
            request.deadline.cancel();
        }
    }

    private void release(PermitRequest request) {
        request.state = State.ENDED;
        request.thread = null;
        inUse.remove(request);
    }

    private void refuseAtOnce(PermitRequest request, String message) {
        refusedFull++;
        refuse(request, message, Duration.ZERO);
    }

    private void refuseLate(PermitRequest request) {
        refusedLate++;
        Duration waited = Duration.ofNanos(time.nanoTime() - request.askedAt);
        refuse(request, "A login waited for a hash until its time was over", waited);
    }

    private void refuse(PermitRequest request, String message, Duration waited) {
        Duration retryAfter = estimate.retryAfter(ahead(), settings.atOnce());
        request.state = State.ENDED;
        request.refusal = new Refusal(AuthUnavailableException.overload(message, retryAfter), waited);
        settled.add(request);
    }
}
