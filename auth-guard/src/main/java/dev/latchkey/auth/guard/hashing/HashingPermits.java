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
 * Permits to compute a password hash. Few hashes run at a time, and the queue stays short enough to be served in time.
 *
 * <p>A hash uses a processor for a tenth of a second. If every request thread may compute a hash, a few dozen logins
 * stop a whole service. Virtual threads do not help, because a hash never releases its carrier. Therefore a hash needs
 * a permit:
 *
 * <ul>
 *   <li><b>Few at a time</b>, {@link HashingSettings#atOnce}; for virtual threads always fewer than there are carriers.
 *       The hash runs on the asking thread, with the thread's context. With a single carrier, a platform thread
 *       computes the hash for a virtual thread.
 *   <li><b>At most {@link HashingSettings#maxWait}</b>: as many hashes as permits are always accepted. A further hash
 *       is accepted if this time is sufficient by the current estimate. A hash that has waited this long never starts.
 *   <li><b>Few waiting threads</b>: each takes a slot of {@link WaitingThreads}, shared with logins.
 *   <li><b>Memory</b>: a hash states its bytes, and starts when this memory is free. Smaller hashes may overtake, but
 *       only a few times. A hash that states more than the whole memory takes the whole memory.
 * </ul>
 *
 * <p>Other hashes are refused with {@link AuthUnavailableException.Kind#OVERLOAD} and a retry time, never with a
 * rejection. Exceptions and errors of a hash are passed on. The permit is returned exactly once, however the request
 * ends.
 *
 * <p>A thread that computes a hash starts a nested hash at once, with the same permit. Otherwise an encoder that
 * delegates to another encoder would wait for its own permit. Safe for use by any number of threads, platform or
 * virtual.
 */
public final class HashingPermits {

    private final HashingSettings settings;
    private final WaitingThreads waiting;
    private final GuardTime time;
    private final GuardEvents events;
    private final Carriers carriers;
    private final PermitQueue queue;

    /**
     * Creates permits, all free.
     *
     * @param settings the number of permits, and the longest wait
     * @param waiting shared by all code that waits for logins
     * @param time for deadlines and measurements; not closed here
     * @param listener receives every hash and every refusal
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
     * Computes the hash on the calling thread. Waits if no permit is free.
     *
     * @param <T> the type of the hash's value
     * @param memoryBytes the memory of the running hash: 19 MiB for argon2id with OWASP's recommended costs, 0 for
     *     bcrypt and PBKDF2
     * @param hash called once, or not at all after one of the first two exceptions
     * @return the hash's value
     * @throws AuthUnavailableException of kind {@code OVERLOAD} if the time is not sufficient or too many threads wait,
     *     of kind {@code OUTAGE} if the thread is interrupted during the wait
     * @throws IllegalArgumentException if the memory is negative
     * @throws Exception from the hash
     */
    public <T> T call(long memoryBytes, Callable<? extends T> hash) throws Exception {
        return call(memoryBytes, false, hash);
    }

    /**
     * As {@link #call(long, Callable)}, for a login that may have to leave room. The client of such a login has failed
     * lately, and has not shown the account's right password before. Half of the queue and half of the slots stay free
     * for others. So a spray of wrong passwords keeps no newcomer out, if all newcomers together need no more hashes
     * than the permits can compute.
     *
     * @param <T> the type of the hash's value
     * @param memoryBytes as for {@link #call(long, Callable)}
     * @param leavesRoom whether the login leaves room
     * @param hash called once, or not at all after one of the first two exceptions
     * @return the hash's value
     * @throws AuthUnavailableException as for {@link #call(long, Callable)}
     * @throws IllegalArgumentException if the memory is negative
     * @throws Exception from the hash
     */
    public <T> T call(long memoryBytes, boolean leavesRoom, Callable<? extends T> hash) throws Exception {
        return callAs(HashDemand.of(memoryBytes).leavingRoom(leavesRoom), hash);
    }

    /**
     * As {@link #call(long, Callable)}, for a thread outside a request, such as a batch job. The thread waits without a
     * time limit and without a slot of {@link WaitingThreads}. Requests go first. The jobs get at least every ninth
     * permit, so that requests do not block a job for ever.
     *
     * @param <T> the type of the hash's value
     * @param memoryBytes as for {@link #call(long, Callable)}
     * @param hash called once, or not at all after one of the first two exceptions
     * @return the hash's value
     * @throws AuthUnavailableException of kind {@code OUTAGE} if the thread is interrupted during the wait
     * @throws IllegalArgumentException if the memory is negative
     * @throws Exception from the hash
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
        if (!(request.demand.leavesRoom() ? waiting.enterLeavingRoom() : waiting.enter())) {
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
     * Computes the hash with this executor, when a permit is free. Until then no thread waits. If this thread computes
     * a hash already, the new hash runs at once on this thread.
     *
     * @param <T> the type of the hash's value
     * @param memoryBytes as for {@link #call(long, Callable)}
     * @param leavesRoom as for {@link #call(long, boolean, Callable)}
     * @param hash called once, or not at all
     * @param executor of at least as many platform threads as permits; not the calling thread
     * @return completes with the value, or exceptionally with an {@link AuthUnavailableException} or the hash's
     *     exception. Usually the executor's thread completes the future, so dependent actions must be short or use the
     *     {@code Async} methods. If the caller cancels or completes the future, a waiting hash leaves the queue, and a
     *     running hash continues to its end
     * @throws IllegalArgumentException if the memory is negative
     */
    public <T> CompletableFuture<T> submit(
            long memoryBytes, boolean leavesRoom, Callable<? extends T> hash, Executor executor) {
        HashDemand demand = HashDemand.of(memoryBytes).leavingRoom(leavesRoom);
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

    /**
     * Completes the answer with an {@link Error} too. Otherwise a missing class of an encoder would leave a request
     * hanging.
     */
    private <T> void answer(CompletableFuture<T> answer, Callable<? extends T> hash) {
        try {
            answer.complete(carriers.<T>compute(hash::call));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    /** Computes with the request's permit. The permit is free again before the answer is visible. */
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
     * Whether no request waits, and a new hash would start at once. The answer may be different a moment later. Use
     * this method before an answer without a hash. While hashes are scarce, a login must have no advantage by such an
     * answer.
     *
     * @param memoryBytes as for {@link #call(long, Callable)}
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
     * @return the argument of the constructor
     */
    public HashingSettings settings() {
        return settings;
    }

    /**
     * The current state and the totals.
     *
     * @return consistent: read with one lock
     */
    public HashingStats stats() {
        return queue.stats();
    }
}
