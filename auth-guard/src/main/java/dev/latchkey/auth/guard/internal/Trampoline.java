package dev.latchkey.auth.guard.internal;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs an action for one entry after the other, and never within itself.
 *
 * <p>A login that tries again may free a second one, which may free a third. As calls within calls, a queue of a thousand would overflow the stack.
 * Here a thread that brings entries while another is at work only adds them, and the one at work runs them. An entry whose action fails keeps no
 * other from its turn; the first failure is thrown at the end.
 *
 * <p>Safe for use by any number of threads.
 *
 * @param <T> of the entries
 */
public final class Trampoline<T> {

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger due = new AtomicInteger();
    private final Consumer<? super T> action;

    /**
     * An empty queue before this action.
     *
     * @param action run for each entry, by one thread at a time
     */
    public Trampoline(Consumer<? super T> action) {
        this.action = action;
    }

    /**
     * Adds these entries to the queue. Runs the action for all that are there, unless another thread is doing so, which then runs it for these too.
     *
     * @param entries to be run in their order
     * @throws CompletionException with the first failure of an action, after all have run; to the thread that ran them
     */
    public void run(Collection<? extends T> entries) {
        if (entries.isEmpty()) {
            return;
        }
        queue.addAll(entries);
        if (due.getAndAdd(entries.size()) != 0) {
            return;
        }
        CompletionException failed = null;
        do {
            try {
                runNext();
            } catch (RuntimeException | Error e) {
                failed = failed == null ? new CompletionException(e) : failed;
            }
        } while (due.decrementAndGet() > 0);
        if (failed != null) {
            throw failed;
        }
    }

    private void runNext() {
        T next = queue.poll();
        if (next != null) {
            action.accept(next);
        }
    }
}
