package dev.latchkey.auth.guard.login;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs an action for one entry after another, and never inside a running action.
 *
 * <p>A login that tries again may free a second login, which may free a third. With nested calls, a queue of a thousand
 * would overflow the stack. Here, while one call runs the actions, every other call only adds its entries to the queue,
 * also on the same thread. The running call handles these entries. A failed action does not stop the other entries; the
 * first failure is thrown at the end.
 *
 * <p>Safe for use by any number of threads.
 *
 * @param <T> the type of the entries
 */
final class Trampoline<T> {

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger due = new AtomicInteger();
    private final Consumer<? super T> action;

    /** @param action runs for each entry, on one thread at a time */
    Trampoline(Consumer<? super T> action) {
        this.action = action;
    }

    /**
     * Adds these entries to the queue. Runs the action for all entries of the queue. If another call is already
     * running, that call handles these entries too.
     *
     * @param entries handled in their order
     * @throws CompletionException with the first failure of an action, after all entries were handled; only from the
     *     running call
     */
    void run(Collection<? extends T> entries) {
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
