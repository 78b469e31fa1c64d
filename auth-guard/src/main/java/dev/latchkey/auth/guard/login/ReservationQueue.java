package dev.latchkey.auth.guard.login;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets logins wait for a token that another login has reserved and may give back.
 *
 * <p>A token is reserved before the hash; otherwise parallel attempts would all pass before the first failure is counted. But then two hundred
 * parallel <em>correct</em> logins of one account find five tokens. They must not be refused: each of the five gives its token back a moment later.
 * So where a login finds a bucket empty, while reservations of it are open, it waits for them in order and without a thread. When a token comes back,
 * the next login tries again. When the last reservation ends, no token can come back: all that wait try once more, and are refused if the bucket is
 * still empty. Two hundred wrong attempts are therefore five hashes, and the rest is refused as soon as those five have failed.
 *
 * <p>A reservation is open from before the bucket is asked until its token is spent or has come back: the bucket may be across a network, and a token
 * on its way must not look like none. For the same reason a refusal counts only if no token came back since the bucket was asked.
 *
 * <p>So where several ask an empty bucket at once, each waits until the last has its answer, though none will get a token. They cannot be told from
 * those that will: until a bucket has answered a login, that login may have its last token, and may give it back. To ask again instead of waiting
 * would load the bucket and change nothing. Such a wait is as long as an answer takes, which {@code WaitingThreads} lets pass without a slot. Only
 * where a thread stands still between its question and the answer does a login that would be refused take a slot.
 *
 * <p>The lock guards a few operations in memory, and is never held while a bucket is asked. Safe for use by any number of threads.
 *
 * @param <K> a bucket
 * @param <W> a login that waits
 */
final class ReservationQueue<K, W> {

    /** What a login does next. */
    enum Next {
        /** It asks the bucket: its reservation is open, and must be closed by {@link #close} or {@link #closeAfterReturn}. */
        ASK,
        /** It waits, until one of the methods here returns it. */
        WAIT,
        /** It is refused, since no token can come back. Its reservation is still open. */
        GIVE_UP,
        /** It is refused, since too many wait. */
        FULL
    }

    /** The reservations of one bucket. */
    private static final class Line<W> {
        private int open;
        private long returned;
        private final Set<W> waiting = new LinkedHashSet<>();
    }

    private final Map<K, Line<W>> lines = new HashMap<>();
    private final int maxPerKey;
    private final int maxInAll;
    private int waiting;

    ReservationQueue(int maxPerKey, int maxInAll) {
        this.maxPerKey = maxPerKey;
        this.maxInAll = maxInAll;
    }

    /** Opens a reservation for a new login; where others wait already, queues it behind them instead. */
    synchronized Next arrive(K key, W newcomer) {
        Line<W> line = lines.computeIfAbsent(key, any -> new Line<>());
        if (line.waiting.isEmpty()) {
            line.open++;
            return Next.ASK;
        }
        return enqueue(line, newcomer);
    }

    /** Opens a reservation ahead of all that wait. */
    synchronized void open(K key) {
        lines.computeIfAbsent(key, any -> new Line<>()).open++;
    }

    /** How many tokens have come back. To be read before the bucket is asked, for {@link #foundEmpty}. */
    synchronized long returned(K key) {
        return line(key).returned;
    }

    /** Says that a login with an open reservation found the bucket empty. {@code WAIT} and {@code FULL} close the reservation. */
    synchronized Next foundEmpty(K key, W asker, long returnedBefore) {
        Line<W> line = line(key);
        if (line.returned != returnedBefore) {
            return Next.ASK;
        }
        if (line.open == 1) {
            return Next.GIVE_UP;
        }
        line.open--;
        return enqueue(line, asker);
    }

    /** Closes a reservation whose token does not come back; returns the logins that try again now. */
    synchronized List<W> close(K key) {
        return closed(key, line(key));
    }

    /** Closes a reservation whose token has come back; returns the logins that try again now. */
    synchronized List<W> closeAfterReturn(K key) {
        Line<W> line = line(key);
        line.returned++;
        List<W> all = closed(key, line);
        return all.isEmpty() ? first(line) : all;
    }

    /** Passes on the turn of a login that was to try again here but was stopped at another bucket; returns the login that tries instead. */
    synchronized List<W> passOn(K key) {
        Line<W> line = lines.get(key);
        return line == null ? List.of() : first(line);
    }

    /** Takes out a login that waits no longer. */
    synchronized void remove(K key, W waiter) {
        Line<W> line = lines.get(key);
        if (line != null && line.waiting.remove(waiter)) {
            waiting--;
        }
    }

    synchronized int waiting() {
        return waiting;
    }

    /** How many reservations of this bucket are open. */
    synchronized int openAt(K key) {
        Line<W> line = lines.get(key);
        return line == null ? 0 : line.open;
    }

    /** How many buckets have an open reservation; none when no login is going on. */
    synchronized int keys() {
        return lines.size();
    }

    private Line<W> line(K key) {
        Line<W> line = lines.get(key);
        if (line == null) {
            throw new IllegalStateException("No reservation of this bucket is open");
        }
        return line;
    }

    private Next enqueue(Line<W> line, W waiter) {
        if (line.waiting.size() >= maxPerKey || waiting >= maxInAll) {
            return Next.FULL;
        }
        line.waiting.add(waiter);
        waiting++;
        return Next.WAIT;
    }

    /** Closes a reservation. The last one takes all that wait along: no other would ever return them. */
    private List<W> closed(K key, Line<W> line) {
        line.open--;
        if (line.open > 0) {
            return List.of();
        }
        lines.remove(key);
        waiting -= line.waiting.size();
        return new ArrayList<>(line.waiting);
    }

    private List<W> first(Line<W> line) {
        Iterator<W> inOrder = line.waiting.iterator();
        if (!inOrder.hasNext()) {
            return List.of();
        }
        W first = inOrder.next();
        inOrder.remove();
        waiting--;
        return List.of(first);
    }
}
