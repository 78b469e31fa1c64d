package dev.latchkey.throttle;

import java.util.ArrayDeque;
import java.util.Deque;

/** Portions that a store has promised for later, in the order of their times. Its owner's lock guards it. */
final class Promises {

    private record Promise(long at, long tokens) {}

    private final Deque<Promise> inOrder = new ArrayDeque<>(2);
    private long tokens;

    void add(long at, long more) {
        // A later answer may be for an earlier time where a bucket was emptied or its rate has changed: it then waits
        // for the one before.
        inOrder.add(new Promise(inOrder.isEmpty() ? at : later(inOrder.getLast().at(), at), more));
        tokens += more;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Takes out what may be used by now. */
    long due(long nanoTime) {
        long due = 0;
        while (!inOrder.isEmpty() && inOrder.getFirst().at() - nanoTime <= 0) {
            due += inOrder.removeFirst().tokens();
        }
        tokens -= due;
        return due;
    }

    /** Takes out all. */
    long all() {
        long all = tokens;
        inOrder.clear();
        tokens = 0;
        return all;
    }

    long tokens() {
        return tokens;
    }

    /** Until the first one may be used; {@link TokenSupply#UNKNOWN} if there is none. */
    long nanosUntilFirst(long nanoTime) {
        return inOrder.isEmpty()
                ? TokenSupply.UNKNOWN
                : Math.max(0, inOrder.getFirst().at() - nanoTime);
    }

    /** Until the last one may be used; zero if there is none. */
    long nanosUntilLast(long nanoTime) {
        return inOrder.isEmpty() ? 0 : Math.max(0, inOrder.getLast().at() - nanoTime);
    }
}
