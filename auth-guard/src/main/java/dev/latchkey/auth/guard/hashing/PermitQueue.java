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
 * Gives permits to hash to requests in the order of {@link WaitingRequests}, and refuses those that cannot be served in time.
 *
 * <p>One lock, held for moments and never while hashing. Safe for use by any number of threads.
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

    /** Asks for a permit; {@link PermitRequest#granted} completes with it, or with the refusal. */
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

    /** Whether such a hash would be granted a permit at once, and no request waits but patient ones. */
    boolean wouldBegin(HashDemand demand) {
        lock.lock();
        try {
            return inUse.isOneFree() && inUse.fits(demand) && waiting.prompt() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses a request whose thread finds no slot to wait in; does nothing if it need not wait any more. */
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

    /** Whether the thread computes a hash already, by a permit of this queue. */
    boolean isComputing(Thread thread) {
        lock.lock();
        try {
            return inUse.isComputing(thread);
        } finally {
            lock.unlock();
        }
    }

    /** To be called by the thread that computes, before it begins; false if the request was given up meanwhile. */
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

    /** To be called after a hash that ended with an answer. */
    void completed(PermitRequest request, long elapsedNanos) {
        change(() -> {
            completed++;
            estimate.learn(elapsedNanos);
            release(request);
        });
    }

    /** To be called after a hash that ended with an exception; how long it took tells nothing of others. Does nothing after {@link #completed}. */
    void failed(PermitRequest request) {
        change(() -> {
            if (request.state == State.COMPUTING) {
                failed++;
                release(request);
            }
        });
    }

    /** To be called when nobody is left to use the permit. Does nothing once the hash has begun, or the request was refused. */
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

    /** Makes the change, and serves those that can begin because of it. Completes futures and tells events after the lock is free. */
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
        // All futures before the first event: whatever a listener does, nobody's permit waits for it.
        due.forEach(PermitRequest::settle);
        due.forEach(each -> each.refused().ifPresent(events::on));
    }

    private void serve() {
        for (PermitRequest next = next(); next != null; next = next()) {
            if (!next.demand.isPatient() && time.nanoTime() - next.askedAt > maxWaitNanos) {
                // The timer is behind, or the machine.
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
     * Whether such a hash could not begin and end in time. Patient ones that wait do not count, since this one passes them. As many requests as there
     * are permits are never too many: a free permit is worth using, however long a hash takes.
     */
    private boolean isFull(HashDemand demand) {
        int permits = inUse.permitsFor(demand);
        return !demand.isPatient()
                && ahead() - inUse.count(HashDemand::isPatient) >= permits
                && ahead() >= estimate.doneWithin(maxWaitNanos, permits);
    }

    /** All that the next request without patience would wait for. */
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
