package dev.latchkey.throttle;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Runs actions one after the other on the calling thread. If an action calls {@link #run} again, the new actions run after
 * this action, not within it.
 *
 * <p>A completed ticket may acquire the next tokens, and this acquisition may complete another ticket. If the second
 * completion ran within the first, a few hundred waiting tickets would overflow the stack. With a list for each thread, no
 * thread runs the actions of another thread. With a list for each bucket, the thread of one request could run the
 * completions of all other requests, and chains through several buckets would still grow.
 */
final class InTurn {

    /** Empty unless an action runs: the first entry is the running action. */
    private static final ThreadLocal<Queue<Runnable>> ACTIONS = ThreadLocal.withInitial(ArrayDeque::new);

    private InTurn() {}

    /** Runs the actions now, or after the running action of this thread. */
    static void run(List<Runnable> more) {
        if (more.isEmpty()) {
            return;
        }
        Queue<Runnable> actions = ACTIONS.get();
        boolean isRunning = !actions.isEmpty();
        actions.addAll(more);
        if (isRunning) {
            return;
        }
        try {
            while (!actions.isEmpty()) {
                actions.element().run();
                actions.remove();
            }
        } finally {
            ACTIONS.remove();
        }
    }
}
