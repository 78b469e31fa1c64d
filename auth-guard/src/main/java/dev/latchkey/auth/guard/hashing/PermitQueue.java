package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.hashing.PermitRequest.Refusal;
import dev.latchkey.auth.guard.hashing.PermitRequest.State;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a permit to hash, and who has one. One lock, held for moments and never while hashing.
 *
 * <p>First come, first served, with two exceptions: one that does not fit now (its memory is not free) is passed by those that do,
 * and a patient one by those that are not. The head of the queue is passed so many times at most, then it is next.
 */
final class PermitQueue {

    /** A batch job gets a ninth of the permits at least, and a hash that needs all memory waits for eight others at most. */
    private static final int MOST_OVERTAKEN = 8;

    private final HashingSettings settings;
    private final GuardTime time;
    private final GuardEvents events;
    private final int mostVirtual;
    private final long maxWaitNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<PermitRequest> waiting = new LinkedHashSet<>();
    private final List<PermitRequest> holders = new ArrayList<>();
    private final List<PermitRequest> settled = new ArrayList<>();
    private final HashEstimate estimate;
    private int patientWaiting;
    private int headOvertaken;
    private long memoryInUse;
    private long completed;
    private long failed;
    private long refusedFull;
    private long refusedLate;
    private long abandoned;

    PermitQueue(HashingSettings settings, GuardTime time, GuardEvents events, Carriers carriers) {
        this.settings = settings;
        this.time = time;
        this.events = events;
        this.mostVirtual = Math.min(settings.atOnce(), carriers.mostHashes());
        this.maxWaitNanos = Durations.saturatedNanos(settings.maxWait());
        this.estimate = new HashEstimate(settings.firstEstimate());
    }

    /** Asks for a permit; {@link PermitRequest#granted} tells of it, or of the refusal. */
    PermitRequest ask(HashDemand demand) {
        PermitRequest request = new PermitRequest(demand, time.nanoTime());
        change(() -> {
            if (isFull(demand)) {
                refuseAtOnce(request, "More logins arrive than can be hashed in time");
                return;
            }
            waiting.add(request);
            patientWaiting += demand.isPatient() ? 1 : 0;
            serve();
            if (request.state == State.WAITING && !demand.isPatient()) {
                request.deadline = time.after(settings.maxWait(), () -> expire(request));
            }
        });
        return request;
    }

    /** Refuses a request whose thread finds no place to wait; does nothing if it need not wait any more. */
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
    @SuppressWarnings("ReferenceEquality") // a thread's own notion of equality would let others in by its permit
    boolean isComputing(Thread thread) {
        lock.lock();
        try {
            return holders.stream().anyMatch(each -> each.thread == thread);
        } finally {
            lock.unlock();
        }
    }

    /** Before the calling thread begins the hash; false if the request was given up meanwhile. */
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

    /** After a hash that ended with an answer. */
    void completed(PermitRequest request, long elapsedNanos) {
        change(() -> {
            completed++;
            estimate.learn(elapsedNanos);
            release(request);
        });
    }

    /** After a hash that ended with an exception; how long it took tells nothing of others. Does nothing after {@link #completed}. */
    void failed(PermitRequest request) {
        change(() -> {
            if (request.state == State.COMPUTING) {
                failed++;
                release(request);
            }
        });
    }

    /** Nobody is left to use the permit; does nothing once the hash has begun, or the request was refused. */
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
                    holders.size(),
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

    /** Makes the change and serves those that it lets begin. They are told without the lock: what they do then is their own. */
    private void change(Runnable change) {
        List<PermitRequest> told;
        lock.lock();
        try {
            change.run();
            serve();
            told = List.copyOf(settled);
            settled.clear();
        } finally {
            lock.unlock();
        }
        // All futures before the first event: whatever a listener does, nobody's permit waits for it.
        told.forEach(PermitRequest::settle);
        told.forEach(each -> each.refused().ifPresent(events::on));
    }

    private void serve() {
        for (PermitRequest next = next(); next != null; next = next()) {
            boolean isHead = next == waiting.iterator().next();
            leave(next);
            if (!next.demand.isPatient() && time.nanoTime() - next.askedAt > maxWaitNanos) {
                // The timer is behind, or the machine.
                refuseLate(next);
            } else {
                headOvertaken += isHead ? 0 : 1;
                next.state = State.GRANTED;
                holders.add(next);
                memoryInUse += memoryOf(next.demand);
                settled.add(next);
            }
        }
    }

    /** Whose turn it is; null if there is nobody who could begin now. */
    private @Nullable PermitRequest next() {
        PermitRequest patient = null;
        if (holders.size() < settings.atOnce()) {
            for (PermitRequest each : waiting) {
                boolean fits = fits(each.demand);
                if (headOvertaken == MOST_OVERTAKEN) {
                    return fits ? each : null;
                }
                if (fits && !each.demand.isPatient()) {
                    return each;
                }
                patient = fits && patient == null ? each : patient;
            }
        }
        return patient;
    }

    private boolean fits(HashDemand demand) {
        return memoryOf(demand) <= settings.memoryBytes() - memoryInUse
                && (!demand.isVirtual() || holding(HashDemand::isVirtual) < mostVirtual);
    }

    /** One that states more than there is takes all of it. */
    private long memoryOf(HashDemand demand) {
        return Math.min(demand.memoryBytes(), settings.memoryBytes());
    }

    /**
     * Whether this one could not begin and end in time. Patient ones that wait do not count, since it passes them. And as many as there
     * are permits may always be here: one that is free is worth using, however long a hash takes.
     */
    private boolean isFull(HashDemand demand) {
        int permits = demand.isVirtual() ? mostVirtual : settings.atOnce();
        return !demand.isPatient()
                && ahead() - holding(HashDemand::isPatient) >= permits
                && ahead() >= estimate.doneWithin(maxWaitNanos, permits);
    }

    /** All that this queue's next prompt request would wait for. */
    private int ahead() {
        return holders.size() + waiting.size() - patientWaiting;
    }

    private long holding(Predicate<HashDemand> kind) {
        return holders.stream().filter(each -> kind.test(each.demand)).count();
    }

    private void leave(PermitRequest request) {
        if (request == waiting.iterator().next()) {
            headOvertaken = 0;
        }
        waiting.remove(request);
        patientWaiting -= request.demand.isPatient() ? 1 : 0;
        if (request.deadline != null) {
            request.deadline.cancel();
        }
    }

    private void release(PermitRequest request) {
        request.state = State.ENDED;
        request.thread = null;
        holders.remove(request);
        memoryInUse -= memoryOf(request.demand);
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
