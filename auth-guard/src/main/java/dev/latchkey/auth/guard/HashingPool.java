package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The threads that compute password hashes, and the only ones that do.
 *
 * <p>A hash holds a processor for a tenth of a second. On request threads a few dozen logins stop a whole service; on virtual
 * threads too, since a hash never gives its carrier back. So hashes run here, on platform threads fewer than the processors.
 *
 * <ul>
 *   <li><b>The queue is bounded by time</b>: a hash is accepted if it can be done within
 *       {@link HashingPoolSettings#maxWait}, by a running estimate of what one takes. A login that would be answered after
 *       its caller has given up is refused at once instead.
 *   <li><b>The deadline is checked again</b> by a timer, and when a thread takes the hash: whatever the estimate said,
 *       nobody waits longer.
 *   <li><b>Memory-hard hashes take permits</b>: a hash states its bytes and begins only when they are free; those that fit
 *       pass it meanwhile. One that states more than there is runs alone.
 *   <li><b>A share of the places is kept for known sources</b>, so that a flood from strangers does not keep out those who
 *       have logged in before.
 * </ul>
 *
 * <p>Refusal is {@link AuthUnavailableException.Kind#OVERLOAD}: an outage, never a rejection. Every stage completes: with the
 * value, with what the work threw (an {@link Error} too), by refusal, by its deadline, by {@link #close()}. Cancelling the
 * future takes a hash out of the queue; one that runs already is left to end.
 *
 * <p>Safe for use by any number of threads, platform or virtual. Work that is given from inside other work runs at once on that
 * thread: a guarded encoder inside a guarded login must not wait for a place behind itself.
 */
public final class HashingPool implements AutoCloseable {

    private final HashingPoolSettings settings;
    private final GuardTime time;
    private final GuardEvents events;
    private final HashQueue queue;
    private final List<PoolThread> threads = new ArrayList<>();

    private HashingPool(HashingPoolSettings settings, GuardTime time, GuardListener listener) {
        this.settings = settings;
        this.time = time;
        this.events = new GuardEvents(listener);
        this.queue = new HashQueue(settings, time, events);
    }

    /** A pool with its threads started; they end with {@link #close()}, or with the process. */
    public static HashingPool start(HashingPoolSettings settings, GuardTime time) {
        return start(settings, time, GuardListener.NONE);
    }

    /** The same, telling this listener of every hash and every refusal. */
    public static HashingPool start(HashingPoolSettings settings, GuardTime time, GuardListener listener) {
        HashingPool pool = new HashingPool(settings, time, listener);
        for (int i = 1; i <= settings.threads(); i++) {
            pool.threads.add(pool.new PoolThread("latchkey-hash-" + i));
        }
        pool.threads.forEach(Thread::start);
        return pool;
    }

    /**
     * Has the work done by a thread of the pool.
     *
     * @return completes with the value; or exceptionally with an {@link AuthUnavailableException}, or what the work threw.
     *     Completed by a thread of the pool mostly, so what depends on it must be short, or use the {@code Async} methods
     */
    public <T> CompletableFuture<T> submit(HashDemand demand, Callable<? extends T> work) {
        long memory = Math.min(demand.memoryBytes(), settings.memoryBytes());
        HashTask<T> task = new HashTask<>(work, memory, time.nanoTime());
        if (runsHere()) {
            task.compute().tell().run();
            return task.result;
        }
        Optional<AuthUnavailableException> refusal = queue.offer(task, demand.familiarity());
        if (refusal.isPresent()) {
            events.on(new GuardEvent.HashRefused(Duration.ZERO));
            task.result.completeExceptionally(refusal.get());
            return task.result;
        }
        Stages.onEnd(task.result, (value, failure) -> queue.abandon(task));
        return task.result;
    }

    /**
     * Has the work done by a thread of the pool and waits for it; a virtual thread gives its carrier back meanwhile.
     *
     * @throws AuthUnavailableException on overload, or if the waiting thread is interrupted
     * @throws Exception that the work threw
     */
    public <T> T call(HashDemand demand, Callable<? extends T> work) throws Exception {
        return Stages.await(submit(demand, work));
    }

    /** Whether the caller is work that this pool does: then nothing stands between it and the hash any more. */
    public boolean runsHere() {
        return Thread.currentThread() instanceof PoolThread thread && thread.isWorkingFor(this);
    }

    public HashingPoolSettings settings() {
        return settings;
    }

    public HashingPoolStats stats() {
        return queue.stats();
    }

    /**
     * Accepts nothing more, lets the queue run empty for at most {@link HashingPoolSettings#maxWait}, refuses what is left,
     * and interrupts what still runs. Returns when the threads have ended or that time is over. Closing twice is the same as
     * once.
     */
    @Override
    public void close() {
        queue.close();
        long end = System.nanoTime() + Durations.saturatedNanos(settings.maxWait());
        try {
            for (PoolThread thread : threads) {
                if (thread != Thread.currentThread()) {
                    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        queue.refuseWaiting();
        threads.forEach(Thread::interrupt);
    }

    private void run(PoolThread thread, HashTask<?> task) {
        Duration waited = since(task.submittedAt);
        long begun = time.nanoTime();
        HashTask.Outcome outcome = thread.work(task);
        Duration elapsed = since(begun);
        queue.done(task, elapsed.toNanos(), outcome.threw());
        events.on(new GuardEvent.Hashed(waited, elapsed));
        outcome.tell().run();
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(Math.max(0, time.nanoTime() - nanos));
    }

    private final class PoolThread extends Thread {

        /** Only while it works: what follows on a result may submit the next hash, and that one has to queue. */
        private boolean working;

        PoolThread(String name) {
            // Without the creator's inheritable thread-locals: a request's must not live on in a pool.
            super(null, null, name, 0, false);
            setDaemon(true);
        }

        boolean isWorkingFor(HashingPool pool) {
            return working && pool == HashingPool.this;
        }

        HashTask.Outcome work(HashTask<?> task) {
            working = true;
            try {
                return task.compute();
            } finally {
                working = false;
            }
        }

        @Override
        public void run() {
            HashTask<?> task = queue.take();
            while (task != null) {
                HashingPool.this.run(this, task);
                task = queue.take();
            }
        }
    }
}
