package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Permits to compute a password hash: few at a time, and no more in a queue than can be served.
 *
 * <p>A hash holds a processor for a tenth of a second. Where every request thread may compute one, a few dozen logins stop a whole service. Virtual
 * threads do not help, since a hash never gives its carrier back. So a hash needs a permit:
 *
 * <ul>
 *   <li><b>Few at a time</b>, {@link HashingSettings#atOnce}; of virtual threads always fewer than there are carriers. The hash runs on the thread
 *       that asks, with that thread's context. Where there is one carrier alone, a platform thread computes the hash for a virtual one.
 *   <li><b>No longer than {@link HashingSettings#maxWait}</b>: a hash is accepted if it can be done in that time, by a running estimate of what one
 *       takes. Whatever the estimate said, one that has waited so long does not begin.
 *   <li><b>Few threads that wait</b>: each takes a slot of {@link WaitingThreads}, which logins share.
 *   <li><b>Memory</b>: a hash states its bytes and begins when they are free. Smaller ones may pass it meanwhile, but only a few times. One that
 *       states more than there is takes all of it.
 * </ul>
 *
 * <p>Hashes beyond that are refused with {@link AuthUnavailableException.Kind#OVERLOAD} and a time to retry after, which is never a rejection.
 * Exceptions and errors of a hash are passed on. The permit is given back once, however the request ends.
 *
 * <p>A thread that computes a hash begins another at once, by the same permit: an encoder that delegates to others would otherwise wait for itself.
 * Safe for use by any number of threads, platform or virtual.
 */
public final class HashingPermits {

    private final HashingSettings settings;
    private final WaitingThreads waiting;
    private final GuardTime time;
    private final GuardEvents events;
    private final Carriers carriers;
    private final PermitQueue queue;

    /**
     * All permits are free at first.
     *
     * @param settings how many there are, and how long a request may wait for one
     * @param waiting shared by all that wait for logins
     * @param time of deadlines and measurements; not closed here
     * @param listener hears of every hash and every refusal
     */
    public HashingPermits(HashingSettings settings, WaitingThreads waiting, GuardTime time, GuardListener listener) {
        this(settings, waiting, time, listener, Carriers.ofThisProcess());
    }

    HashingPermits(
            HashingSettings settings,
            WaitingThreads waiting,
            GuardTime time,
            GuardListener listener,
            Carriers carriers) {
        this.settings = settings;
        this.waiting = waiting;
        this.time = time;
        this.events = new GuardEvents(listener);
        this.carriers = carriers;
        this.queue = new PermitQueue(settings, time, events, carriers);
    }

    /**
     * Computes the hash on the calling thread, which waits for a permit where there is none.
     *
     * @param <T> of the hash's value
     * @param memoryBytes that the hash allocates while it runs: 19 MiB for argon2id as OWASP advises it, 0 for bcrypt and PBKDF2
     * @param hash called once, or not at all if this throws one of the first two
     * @return what the hash returned
     * @throws AuthUnavailableException of kind {@code OVERLOAD} if it cannot be done in time or too many threads wait already, of kind {@code OUTAGE}
     *     if the thread is interrupted while it waits
     * @throws IllegalArgumentException if the memory is negative
     * @throws Exception that the hash throws
     */
    public <T> T call(long memoryBytes, Callable<? extends T> hash) throws Exception {
        return callAs(HashDemand.of(memoryBytes), hash);
    }

    /**
     * As {@link #call}, for a thread that answers no request, such as a batch job's: it waits as long as it takes, and in no slot of {@link
     * WaitingThreads}. Requests go first. The batch job delays a request by one hash of its own at most, and requests do not keep it waiting for
     * ever.
     *
     * @param <T> of the hash's value
     * @param memoryBytes as for {@link #call}
     * @param hash called once
     * @return what the hash returned
     * @throws AuthUnavailableException of kind {@code OUTAGE} if the thread is interrupted while it waits
     * @throws IllegalArgumentException if the memory is negative
     * @throws Exception that the hash throws
     */
    public <T> T callPatiently(long memoryBytes, Callable<? extends T> hash) throws Exception {
        return callAs(HashDemand.of(memoryBytes).patient(), hash);
    }

    private <T> T callAs(HashDemand demand, Callable<? extends T> hash) throws Exception {
        Thread self = Thread.currentThread();
        if (queue.isComputing(self)) {
            return hash.call();
        }
        PermitRequest request = queue.ask(demand.by(self, carriers));
        try {
            if (!demand.isPatient()) {
                awaitInSlot(request);
            }
            Futures.join(request.granted);
            return carriers.<T>compute(() -> compute(request, hash));
        } finally {
            queue.giveUp(request);
        }
    }

    private void awaitInSlot(PermitRequest request) {
        if (request.granted.isDone()) {
            return;
        }
        if (!waiting.enter()) {
            queue.refuseToWait(request);
            return;
        }
        try {
            Futures.join(request.granted);
        } finally {
            waiting.leave();
        }
    }

    /**
     * Computes the hash by this executor, when there is a permit. No thread waits meanwhile. From within a hash: on this thread, at once.
     *
     * @param <T> of the hash's value
     * @param memoryBytes as for {@link #call}
     * @param hash called once, or not at all
     * @param executor of at least as many platform threads as permits; not the calling thread
     * @return completes with the value, or exceptionally with an {@link AuthUnavailableException} or what the hash threw. Mostly the executor's
     *     thread completes it, so what depends on it must be short or use the {@code Async} methods. If anybody else cancels or completes it, a hash
     *     that has not begun leaves the queue, and one that has begun is left to end
     * @throws IllegalArgumentException if the memory is negative
     */
    public <T> CompletableFuture<T> submit(long memoryBytes, Callable<? extends T> hash, Executor executor) {
        HashDemand demand = HashDemand.of(memoryBytes);
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (queue.isComputing(Thread.currentThread())) {
            answer(answer, hash);
            return answer;
        }
        PermitRequest request = queue.ask(demand);
        Futures.onEnd(answer, (value, failure) -> queue.giveUp(request));
        Futures.onEnd(request.granted, (permit, refusal) -> {
            if (refusal == null) {
                execute(() -> answer(answer, () -> compute(request, hash)), executor, answer);
            } else {
                answer.completeExceptionally(refusal);
            }
        });
        return answer;
    }

    private static void execute(Runnable hash, Executor executor, CompletableFuture<?> answer) {
        try {
            executor.execute(hash);
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(AuthUnavailableException.outage("The executor of hashes accepts none", e));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    /** Passes an {@link Error} on too: a class that one encoder misses must leave no request hanging. */
    private <T> void answer(CompletableFuture<T> answer, Callable<? extends T> hash) {
        try {
            answer.complete(carriers.<T>compute(hash::call));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    /** Computes under the request's permit, which is free again before anybody hears of the answer. */
    private <T> T compute(PermitRequest request, Callable<? extends T> hash) throws Exception {
        if (!queue.begin(request)) {
            throw new CancellationException("The hash was given up before it began");
        }
        long begunAt = time.nanoTime();
        try {
            T value = hash.call();
            queue.completed(request, time.nanoTime() - begunAt);
            return value;
        } catch (Throwable e) {
            queue.failed(request);
            throw e;
        } finally {
            events.on(new GuardEvent.Hashed(since(request.askedAt, begunAt), since(begunAt, time.nanoTime())));
        }
    }

    private static Duration since(long from, long to) {
        return Duration.ofNanos(Math.max(0, to - from));
    }

    /**
     * Whether no request waits, and a hash that is asked for now would begin at once. A moment later it may be otherwise. For an answer that needs no
     * hash, but must not be better than one with a hash while hashes are scarce.
     *
     * @param memoryBytes as for {@link #call}
     * @return also true on a thread that computes a hash
     * @throws IllegalArgumentException if the memory is negative
     */
    public boolean isFree(long memoryBytes) {
        Thread self = Thread.currentThread();
        HashDemand demand = HashDemand.of(memoryBytes).by(self, carriers);
        return queue.isComputing(self) || queue.wouldBegin(demand);
    }

    /**
     * The settings, which never change.
     *
     * @return as given to the constructor
     */
    public HashingSettings settings() {
        return settings;
    }

    /**
     * What happens now, and has happened so far.
     *
     * @return consistent: taken under one lock
     */
    public HashingStats stats() {
        return queue.stats();
    }
}
