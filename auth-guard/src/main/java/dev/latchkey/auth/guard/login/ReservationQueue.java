package dev.latchkey.auth.guard.login;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets logins wait behind reservations that may come back.
 *
 * <p>Tokens are reserved before the hash, or parallel attempts would all pass before the first failure is counted. But then
 * two hundred parallel <em>correct</em> logins of one account find five tokens. They must not be refused: each of the five
 * gives its token back a moment later. So whoever finds a bucket empty while reservations of it are open waits behind them, in
 * order, without a thread. A reservation given back lets the next one try; when none is open any more, and so none can come
 * back, all that wait try once more and are refused if the bucket is empty still. Two hundred wrong attempts are therefore
 * five hashes, and the rest is refused as soon as those five have failed.
 *
 * <p>What the gate counts as open is whoever has entered and not left, from before asking the bucket: the bucket may be across
 * a network, and a token on its way out must not look like none. For the same reason a refusal counts only if no token came
 * back since the asker entered.
 *
 * <p>One lock for all keys, held for a few map operations and never while the store is asked.
 */
final class ReservationQueue<K, W> {

    /** What to do on arrival, or after the bucket was found empty. */
    enum Next {
        /** Ask the bucket; the asker has entered and must leave. */
        ASK,
        /** Stand in line; {@link #leave} of another will name this one. */
        WAIT,
        /** Nothing can come back. */
        GIVE_UP,
        /** The line is full. */
        TOO_MANY
    }

    private final class Line {
        private int open;
        private long returned;
        private final Set<W> waiting = new LinkedHashSet<>();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Line> lines = new HashMap<>();
    private final int maxPerKey;
    private final int maxInAll;
    private int waiting;

    ReservationQueue(int maxPerKey, int maxInAll) {
        this.maxPerKey = maxPerKey;
        this.maxInAll = maxInAll;
    }

    /** A newcomer stands behind whoever waits; if nobody does, it enters. */
    Next arrive(K key, W newcomer) {
        lock.lock();
        try {
            Line line = lines.computeIfAbsent(key, any -> new Line());
            if (line.waiting.isEmpty()) {
                line.open++;
                return Next.ASK;
            }
            if (isFull(line)) {
                return Next.TOO_MANY;
            }
            add(line, newcomer);
            return Next.WAIT;
        } finally {
            lock.unlock();
        }
    }

    /** One whose turn it is enters, past whoever waits still. */
    void enter(K key) {
        lock.lock();
        try {
            lines.computeIfAbsent(key, any -> new Line()).open++;
        } finally {
            lock.unlock();
        }
    }

    /** How many tokens have come back: to be read before the bucket is asked, and handed to {@link #denied}. */
    long returned(K key) {
        lock.lock();
        try {
            return line(key).returned;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The bucket was empty. Unless the answer is {@link Next#ASK}, the asker has left again, and {@code woken} receives
     * whom that leaves without hope.
     */
    Next denied(K key, W asker, long returnedBefore, List<W> woken) {
        lock.lock();
        try {
            Line line = line(key);
            if (line.returned != returnedBefore) {
                return Next.ASK;
            }
            if (line.open == 1) {
                woken.addAll(left(key, line));
                return Next.GIVE_UP;
            }
            boolean full = isFull(line);
            if (!full) {
                add(line, asker);
            }
            line.open--;
            return full ? Next.TOO_MANY : Next.WAIT;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves without having given anything back; who may try now. */
    List<W> leave(K key) {
        lock.lock();
        try {
            return left(key, line(key));
        } finally {
            lock.unlock();
        }
    }

    /** Leaves after the token was given back; who may try now. */
    List<W> leaveAfterReturn(K key) {
        lock.lock();
        try {
            Line line = line(key);
            line.returned++;
            List<W> woken = left(key, line);
            return woken.isEmpty() ? first(line) : woken;
        } finally {
            lock.unlock();
        }
    }

    /** One that was to try got no further than another bucket: the next may have its turn. */
    List<W> passOn(K key) {
        lock.lock();
        try {
            Line line = lines.get(key);
            return line == null ? List.of() : first(line);
        } finally {
            lock.unlock();
        }
    }

    /** Takes one that waits out of its line; whether it stood there. */
    boolean remove(K key, W waiter) {
        lock.lock();
        try {
            Line line = lines.get(key);
            if (line == null || !line.waiting.remove(waiter)) {
                return false;
            }
            waiting--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** How many buckets somebody has entered; none, when nothing is going on. */
    int keys() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    private Line line(K key) {
        Line line = lines.get(key);
        if (line == null) {
            throw new IllegalStateException("Nobody has entered this bucket's gate");
        }
        return line;
    }

    private boolean isFull(Line line) {
        return line.waiting.size() >= maxPerKey || waiting >= maxInAll;
    }

    private void add(Line line, W waiter) {
        line.waiting.add(waiter);
        waiting++;
    }

    /** The last to leave takes the whole line along: nobody would be there to wake it. */
    private List<W> left(K key, Line line) {
        line.open--;
        if (line.open > 0) {
            return List.of();
        }
        lines.remove(key);
        waiting -= line.waiting.size();
        return new ArrayList<>(line.waiting);
    }

    private List<W> first(Line line) {
        for (W waiter : line.waiting) {
            line.waiting.remove(waiter);
            waiting--;
            return List.of(waiter);
        }
        return List.of();
    }
}
