package dev.latchkey.throttle;

import java.util.ArrayDeque;
import java.util.Deque;

/** Portions promised by a store for later, in the order of their times. The owner's lock guards this object. */
final class Promises {

    private record Promise(long at, long tokens) {}

    private final Deque<Promise> inOrder = new ArrayDeque<>(2);
    private long tokens;

    void add(long at, long more) {
        // A later answer may name an earlier time, if a bucket was emptied or its rate has changed. The portion then
        // waits for the previous portion.
        inOrder.add(new Promise(inOrder.isEmpty() ? at : later(inOrder.getLast().at(), at), more));
        tokens += more;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Removes and returns the tokens that may be used now. */
    long due(long nanoTime) {
        long due = 0;
        while (!inOrder.isEmpty() && inOrder.getFirst().at() - nanoTime <= 0) {
            due += inOrder.removeFirst().tokens();
        }
        tokens -= due;
        return due;
    }

    /** Removes and returns all tokens. */
    long all() {
        long all = tokens;
        inOrder.clear();
        tokens = 0;
        return all;
    }

    long tokens() {
        return tokens;
    }

    /** The time until the first portion; {@link TokenSupply#UNKNOWN} if there is none. */
    long nanosUntilFirst(long nanoTime) {
        return inOrder.isEmpty()
                ? TokenSupply.UNKNOWN
                : Math.max(0, inOrder.getFirst().at() - nanoTime);
    }

    /** The time until the last portion; zero if there is none. */
    long nanosUntilLast(long nanoTime) {
        return inOrder.isEmpty() ? 0 : Math.max(0, inOrder.getLast().at() - nanoTime);
    }
}
