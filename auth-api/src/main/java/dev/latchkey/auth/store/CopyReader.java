package dev.latchkey.auth.store;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads what a {@link SharedRevocationStore} has into a {@link RevocationCopy}, and gives it back what it has lost.
 *
 * <p><b>Positions that come late.</b> A database gives out a number when a row is inserted and shows the row when it is committed. Who has read number 8 may have
 * missed number 7 for good. So each reading begins again at a floor, which rises only to a number that was seen by a reading
 * that ended {@link SharedRevocationStore#lateness} before another one began: whatever has a lower number was shown by then, and that other one has read it. A
 * node that slept for a minute has not, and its floor stays where it was.
 *
 * <p><b>A store that has lost something.</b> All is read, and what is missing written, where a loss may be: after each call that failed, and every ten minutes. For a
 * store that is emptied while everybody goes on reading it has a mark, which is a bound of a subject that does not exist. Who does not find the mark that
 * he knows reads all there is, gives back what is missing, and sets a higher mark; on which the others do the same. For a store that may
 * lose the last of what it had, and go on, there are {@link SharedRevocationStore#leaveTrace traces}, one after each reading.
 */
final class CopyReader {

    /** Of no account; the bounds of one that had this name would be lower than each mark, and change none. */
    static final String MARK = "\0mark of a store that was read";

    static final Duration READ_ALL_INTERVAL = Duration.ofMinutes(10);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    /** How much longer than this node's clock says it keeps what is over. */
    private static final Duration KEPT_LONGER = Duration.ofMinutes(1);

    /** How many revocations may be on their way when all is read: read again for a while, since nobody knows when the last ones came. */
    private static final long MOST_ON_THEIR_WAY = 10_000;

    private static final int PAGE = 5_000;
    private static final int GIVEN_BACK_AT_ONCE = 200;
    private static final IdDigest MARK_ID = IdDigest.ofSubject(MARK);
    private static final Instant FIRST_MARK = Instant.parse("9999-01-01T00:00:00Z");

    /** A reading that has ended, and the highest position that it saw. */
    private record Reading(long endedAt, long highest) {}

    private final SharedRevocationStore store;
    private final RevocationCopy copy;
    private final int maximumSize;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final long lateNanos;

    /** Held while the store is read; what follows is read and written under it. */
    private final ReentrantLock reading = new ReentrantLock();

    private final Deque<Reading> readings = new ArrayDeque<>();
    private long floor;
    private long losses;
    private Instant mark = Instant.MIN;
    private long readAllAt;
    private Instant sweptAt = Instant.MIN;

    /** When the last reading began; read where {@link #isComplete}. */
    private volatile long readAt;

    private volatile boolean isComplete;
    private volatile boolean isFull;
    private volatile boolean mustReadAll = true;

    CopyReader(
            SharedRevocationStore store,
            RevocationCopy copy,
            int maximumSize,
            InstantSource clock,
            LongSupplier nanos) {
        this.store = store;
        this.copy = copy;
        this.maximumSize = maximumSize;
        this.clock = clock;
        this.nanos = nanos;
        this.lateNanos = store.lateness().toNanos();
    }

    boolean isNoOlderThan(Duration age) {
        return isComplete && !isFull && nanos.getAsLong() - readAt <= age.toNanos();
    }

    /** Empty where it was never read as a whole, or does not fit. */
    Optional<Duration> age() {
        return isComplete && !isFull ? Optional.of(Duration.ofNanos(nanos.getAsLong() - readAt)) : Optional.empty();
    }

    /** Something may have been lost, here or there. */
    void readAllNext() {
        mustReadAll = true;
    }

    /** Keeps it in the copy, where there is room and it is not over. */
    void keep(Revocation revocation) {
        if (revocation.id().equals(MARK_ID) || revocation.until().isBefore(forgetBefore())) {
            return;
        }
        if (copy.size() >= maximumSize && !copy.contains(revocation.id())) {
            isFull = true;
        } else {
            copy.add(revocation);
        }
    }

    /**
     * Keeps what the store has answered to a question, until a reading brings it with its own end. A reading that is under way may have begun before it was recorded, and
     * makes a copy that answers alone: who was refused would be let in for a moment.
     */
    void keepForNow(IdDigest id, Instant notBefore) {
        keep(new Revocation(id, notBefore, clock.instant().plus(KEPT_LONGER)));
    }

    void read() {
        reading.lock();
        try {
            long begun = nanos.getAsLong();
            sweepIfDue();
            Instant present = store.notBefore(MARK);
            boolean isDue = begun - readAllAt >= READ_ALL_INTERVAL.toNanos();
            if (mustReadAll || isDue || !present.equals(mark)) {
                readAll(begun, present);
            } else {
                readOn(begun);
            }
            long noticed = store.leaveTrace();
            if (noticed != losses) {
                losses = noticed;
                readAll(begun, store.notBefore(MARK));
            }
            readAt = begun;
            isComplete = true;
        } finally {
            reading.unlock();
        }
    }

    private void readOn(long begun) {
        long highest = readAfter(floor, this::keep);
        readings.add(new Reading(nanos.getAsLong(), Math.max(highest, floor)));
        while (!readings.isEmpty() && begun - readings.getFirst().endedAt() >= lateNanos) {
            floor = Math.max(floor, readings.removeFirst().highest());
        }
    }

    private void readAll(long begun, Instant present) {
        mustReadAll = false;
        isFull = false;
        try {
            RevocationCopy stored = new RevocationCopy();
            boolean hasNothing = copy.size() == 0;
            long highest = readAfter(0, each -> {
                keep(each);
                if (!hasNothing) {
                    stored.add(each);
                }
            });
            boolean hasLost = !hasNothing && giveBack(stored);
            if (hasLost || present.equals(Instant.MIN)) {
                Instant known = present.isAfter(mark) ? present : mark;
                mark = store.recordSubject(MARK, known.isAfter(FIRST_MARK) ? known : FIRST_MARK)
                        .notBefore();
            } else {
                mark = present;
            }
            readings.clear();
            readings.add(new Reading(nanos.getAsLong(), highest));
            // Also where positions are seen in their order: a store that goes back before this reading has left its
            // trace gives the positions once more, and nobody notices.
            floor = Math.max(0, highest - MOST_ON_THEIR_WAY);
            readAllAt = begun;
        } catch (RuntimeException e) {
            mustReadAll = true;
            throw e;
        }
    }

    /** Whether anything was missing there. */
    private boolean giveBack(RevocationCopy stored) {
        Instant now = clock.instant();
        List<Revocation> lost = new ArrayList<>();
        copy.forEach(each -> {
            if (each.until().isAfter(now) && !stored.covers(each)) {
                lost.add(each);
            }
        });
        for (int i = 0; i < lost.size(); i += GIVEN_BACK_AT_ONCE) {
            store.restore(lost.subList(i, Math.min(lost.size(), i + GIVEN_BACK_AT_ONCE)));
        }
        return !lost.isEmpty();
    }

    /** The highest position that there is, and zero where there is none. */
    private long readAfter(long position, Consumer<Revocation> each) {
        long highest = position;
        List<Recorded> page;
        do {
            page = store.recordedAfter(highest, PAGE);
            for (Recorded recorded : page) {
                each.accept(recorded.revocation());
                highest = recorded.position();
            }
        } while (page.size() == PAGE);
        return highest;
    }

    private void sweepIfDue() {
        Instant now = clock.instant();
        if (now.isBefore(sweptAt)) {
            // The clock was set back: the last sweep may have taken for over what is not.
            sweptAt = now;
            mustReadAll = true;
        }
        if (!now.isBefore(sweptAt.plus(SWEEP_INTERVAL))) {
            sweptAt = now;
            copy.sweep(forgetBefore());
            if (isFull && copy.size() < maximumSize) {
                mustReadAll = true;
            }
        }
    }

    private Instant forgetBefore() {
        return clock.instant().minus(KEPT_LONGER);
    }
}
