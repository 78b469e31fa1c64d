package dev.latchkey.auth.guard.login;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets logins wait for a token that another login has reserved and may return.
 *
 * <p>A login reserves a token before the hash. Otherwise all parallel attempts would pass before the first failure is
 * counted. But two hundred parallel <em>correct</em> logins of one account then find only five tokens. The other logins
 * must not be rejected, because each of the first five logins returns its token a moment later. Therefore a login that
 * finds an empty bucket with open reservations waits, in order and without a thread. When a token is returned, the next
 * login tries again. When the last reservation ends, no token can be returned: all waiting logins try once more, and
 * are rejected if the bucket is still empty. Two hundred wrong attempts therefore cost five hashes, and the others are
 * rejected after the five failures.
 *
 * <p>A reservation opens before the bucket is asked, and stays open until its token is spent or returned. The bucket
 * may be on another machine, and a token on its way must count. For the same reason an empty answer counts only if no
 * token was returned since the question.
 *
 * <p>If several logins ask an empty bucket at once, each login waits for the last answer, although no login will get a
 * token. Until a bucket has answered, any of these logins may have the last token and may return the token. Repeated
 * questions would only load the bucket. Such a wait is as long as one answer, and {@code WaitingThreads} needs no slot
 * for this time. A thread may stop between its question and the answer while all slots are taken. {@link #hasHeld} then
 * distinguishes a wait for a token from a wait for answers.
 *
 * <p>The lock guards a few operations in memory, and is never held during a question to a bucket. Safe for use by any
 * number of threads.
 *
 * @param <K> a bucket
 * @param <W> a waiting login
 */
final class ReservationQueue<K, W> {

    /** The next action of a login. */
    enum Next {
        /**
         * Ask the bucket. The reservation is open; close the reservation with one of the three close methods, or by
         * {@link #foundEmpty}.
         */
        ASK,
        /** Wait until a method of this queue returns the login. */
        WAIT,
        /** Rejected, because no token can be returned. The reservation is still open. */
        GIVE_UP,
        /** Rejected, because too many logins wait. */
        FULL
    }

    /** The reservations of one bucket. */
    private static final class Line<W> {
        private int open;
        private int held;
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

    /** Opens a reservation for a new login. If other logins already wait, queues the login behind them instead. */
    synchronized Next arrive(K key, W newcomer) {
        Line<W> line = lines.computeIfAbsent(key, any -> new Line<>());
        if (line.waiting.isEmpty()) {
            line.open++;
            return Next.ASK;
        }
        return enqueue(line, newcomer);
    }

    /** Opens a reservation ahead of all waiting logins. */
    synchronized void open(K key) {
        lines.computeIfAbsent(key, any -> new Line<>()).open++;
    }

    /** Reports that the token of an open reservation may come back: the login is admitted, or returns the token now. */
    synchronized void hold(K key) {
        line(key).held++;
    }

    /** Whether a token may come back. Logins that only ask the bucket do not count. */
    synchronized boolean hasHeld(K key) {
        Line<W> line = lines.get(key);
        return line != null && line.held > 0;
    }

    /** The number of returned tokens. Read the number before asking the bucket, for {@link #foundEmpty}. */
    synchronized long returned(K key) {
        return line(key).returned;
    }

    /**
     * Reports that a login with an open reservation found the bucket empty. {@code WAIT} and {@code FULL} close the
     * reservation.
     */
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

    /** Closes a reservation without a token; returns the logins that try again now. */
    synchronized List<W> close(K key) {
        return closed(key, line(key));
    }

    /** Closes a reservation after {@link #hold}, and its token is spent; returns the logins that try again now. */
    synchronized List<W> closeAfterSpending(K key) {
        Line<W> line = line(key);
        line.held--;
        return closed(key, line);
    }

    /** Closes a reservation after {@link #hold} and the return of the token; returns the logins that try again now. */
    synchronized List<W> closeAfterReturn(K key) {
        Line<W> line = line(key);
        line.held--;
        line.returned++;
        List<W> all = closed(key, line);
        return all.isEmpty() ? first(line) : all;
    }

    /** Passes on the turn of a login that was stopped at another bucket; returns the login that tries instead. */
    synchronized List<W> passOn(K key) {
        Line<W> line = lines.get(key);
        return line == null ? List.of() : first(line);
    }

    /** Removes a login that no longer waits. */
    synchronized void remove(K key, W waiter) {
        Line<W> line = lines.get(key);
        if (line != null && line.waiting.remove(waiter)) {
            waiting--;
        }
    }

    synchronized int waiting() {
        return waiting;
    }

    /** The number of open reservations of this bucket. */
    synchronized int openAt(K key) {
        Line<W> line = lines.get(key);
        return line == null ? 0 : line.open;
    }

    /** The number of buckets with an open reservation; zero without current logins. */
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

    /**
     * Closes a reservation. Closing the last reservation returns all waiting logins, because no later call would return
     * them.
     */
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
