package dev.latchkey.auth.guard.login;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Gives each its turn, one after the other, whichever thread brings them.
 *
 * <p>To let one try may free another, which may free a third: as calls within calls, a line of a thousand would overflow the
 * stack. Here whoever comes while a turn is taken only adds to the queue, and the one at work goes on.
 */
final class Trampoline<T> {

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger due = new AtomicInteger();
    private final Consumer<? super T> turn;

    Trampoline(Consumer<? super T> turn) {
        this.turn = turn;
    }

    void give(Collection<? extends T> woken) {
        if (woken.isEmpty()) {
            return;
        }
        queue.addAll(woken);
        if (due.getAndAdd(woken.size()) != 0) {
            return;
        }
        int taken = 0;
        do {
            T next = queue.poll();
            if (next != null) {
                turn.accept(next);
            }
            taken = due.decrementAndGet();
        } while (taken > 0);
    }
}
