package dev.latchkey.auth.store;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads the entries of a {@link SharedRevocationStore} into a {@link RevocationCopy}, and restores entries that the
 * store has lost.
 *
 * <p><b>Late positions.</b> A database assigns a number when a row is inserted, and shows the row when the row is
 * committed. A node that has read number 8 may have missed number 7 forever. Therefore each reading begins again at a
 * floor. The floor rises only after a reading that began at least {@link SharedRevocationStore#lateness} after the end
 * of an earlier reading. The floor then rises to a number that the earlier reading has seen. By then all lower numbers
 * were visible, and the later reading has read these numbers. A node that slept for a minute first reads from its old
 * floor, and so misses no number.
 *
 * <p><b>A store that has lost entries.</b> After each failed call, and every ten minutes, a node reads all entries and
 * writes the missing entries. A store may also be emptied while all nodes continue to read. For this case the store
 * contains a mark: the bound of a subject that does not exist. A node that does not find its known mark reads all
 * entries, restores the missing entries, and sets a higher mark. Then the other nodes do the same. A store may also
 * lose only its latest entries and continue. In such a store, each reading leaves a
 * {@link SharedRevocationStore#leaveTrace trace}.
 *
 * <p>A loss between a reading and its trace removes no trace. Therefore each reading must find again the last entries
 * that the previous reading found above the floor. The highest entry is always above the floor. Without this comparison, the
 * store could assign the lost positions again, below the floor of the node. The node would then miss new entries for
 * ten minutes. The specification in {@code tests/stores} describes both protocols, with a floor that may reach the
 * highest entry.
 */
final class CopyReader {

    /**
     * The subject of the mark, the name of no account. If an account had this name, its bounds would be lower than each
     * mark, and would change no mark.
     */
    static final String MARK = "\0mark of a store that was read";

    static final Duration READ_ALL_INTERVAL = Duration.ofMinutes(10);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    /** The additional time for which this node keeps expired entries, by its own clock. */
    private static final Duration KEPT_LONGER = Duration.ofMinutes(1);

    /**
     * The maximum number of revocations that become visible after a reading of all entries. This number of positions is
     * read again for a while, because the times of the last revocations are unknown.
     */
    private static final long MOST_ON_THEIR_WAY = 10_000;

    /** The node restores this number of its own last revocations first. A node records fewer during a long reading. */
    private static final int MOST_OWN = 10_000;

    private static final int PAGE = 5_000;
    private static final int GIVEN_BACK_AT_ONCE = 200;
    private static final IdDigest MARK_ID = IdDigest.ofSubject(MARK);

    /** Stores treat a time after the year 9999 as the end of that year. */
    private static final Instant LOWEST_MARK = Instant.parse("9999-01-01T00:00:00Z");

    private static final int FIRST_MARKS = 30_000_000;

    /** A completed reading, and the highest position seen. */
    private record Reading(long endedAt, long highest) {}

    private final SharedRevocationStore store;
    private final RevocationCopy copy;
    private final int maximumSize;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final long lateNanos;

    /** Held while the store is read. The lock guards the fields below. */
    private final ReentrantLock reading = new ReentrantLock();

    private final Deque<Reading> readings = new ArrayDeque<>();

    /** The last revocations that this node has recorded. Other nodes may not have read these revocations. Guarded by itself. */
    private final Deque<Revocation> own = new ArrayDeque<>();

    /** The last entries of the last reading, above the floor. A store without its latest entries lacks the highest of these. */
    private List<Recorded> unproved = List.of();

    private long floor;
    private long losses;
    private Instant mark = Instant.MIN;
    private long readAllAt;
    private Instant sweptAt = Instant.MIN;

    /** The start of the last reading; valid if {@link #isComplete}. */
    private volatile long readAt;

    private volatile boolean isComplete;
    private volatile boolean mustReadAll = true;

    /** The number of revocations that had no room. */
    private final AtomicLong leftOut = new AtomicLong();

    /**
     * {@link #leftOut} at the start of the last complete reading of all entries. A full copy stays full during such a
     * reading. Otherwise the copy would answer alone meanwhile, without the revocations that had no room.
     */
    private volatile long leftOutBefore;

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
        return isComplete && !isFull() && nanos.getAsLong() - readAt <= age.toNanos();
    }

    /** The age of the copy; empty if the copy was never read completely, or does not fit. */
    Optional<Duration> age() {
        return isComplete && !isFull() ? Optional.of(Duration.ofNanos(nanos.getAsLong() - readAt)) : Optional.empty();
    }

    private boolean isFull() {
        return leftOut.get() > leftOutBefore;
    }

    /** Makes the next reading read all entries: the node or the store may have lost an entry. */
    void readAllNext() {
        mustReadAll = true;
    }

    /** Keeps a revocation that this node has recorded. */
    void recorded(Revocation revocation) {
        keep(revocation);
        synchronized (own) {
            own.addFirst(revocation);
            if (own.size() > MOST_OWN) {
                own.removeLast();
            }
        }
    }

    /** Adds the revocation to the copy, if there is room and the revocation has not expired. */
    private void keep(Revocation revocation) {
        if (revocation.id().equals(MARK_ID) || revocation.until().isBefore(forgetBefore())) {
            return;
        }
        if (copy.size() >= maximumSize && !copy.contains(revocation.id())) {
            leftOut.incrementAndGet();
        } else {
            copy.add(revocation);
        }
    }

    /**
     * Keeps the store's answer until a reading delivers the entry with its own end. A reading in progress may have
     * begun before the revocation was recorded. Without this method, the resulting copy would answer alone, and accept
     * the revoked token for a moment.
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
            if (mustReadAll || isDue || !present.equals(mark) || !readOn(begun)) {
                readAll(begun, present);
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

    /**
     * Reads the entries above the floor. Returns whether the store still has the entries that the last reading found
     * above the floor.
     */
    private boolean readOn(long begun) {
        Deque<Recorded> last = new ArrayDeque<>();
        RevocationCopy stored = new RevocationCopy();
        long highest = readAfter(floor, each -> {
            keep(each.revocation());
            addLast(each, last);
            stored.add(each.revocation());
        });
        if (!hasUnproved(stored)) {
            return false;
        }
        while (!readings.isEmpty() && begun - readings.getFirst().endedAt() >= lateNanos) {
            // A store may lose entries and get these entries back in another order. Such a store may assign the highest
            // positions again.
            floor = Math.max(floor, Math.min(readings.removeFirst().highest(), highest) - 1);
        }
        readings.add(new Reading(nanos.getAsLong(), highest));
        unproved = aboveTheFloor(last);
        return true;
    }

    /** Keeps a bounded number: after a loss, a reading from a low floor has all restored entries. */
    private static void addLast(Recorded entry, Deque<Recorded> last) {
        last.add(entry);
        if (last.size() > MOST_ON_THEIR_WAY) {
            last.removeFirst();
        }
    }

    /**
     * Compares the content of entries, because a repeated entry has another position. Expired entries may be gone,
     * except the highest entry. Without the highest entry, the node cannot know whether the store assigns its position
     * again.
     */
    private boolean hasUnproved(RevocationCopy stored) {
        Instant now = clock.instant();
        long highest =
                unproved.isEmpty() ? 0 : unproved.get(unproved.size() - 1).position();
        return unproved.stream()
                .allMatch(each -> stored.covers(each.revocation())
                        || (each.position() < highest
                                && !each.revocation().until().isAfter(now)));
    }

    private List<Recorded> aboveTheFloor(Collection<Recorded> found) {
        return found.stream().filter(each -> each.position() > floor).toList();
    }

    private void readAll(long begun, Instant present) {
        mustReadAll = false;
        long leftOutSoFar = leftOut.get();
        try {
            RevocationCopy stored = new RevocationCopy();
            boolean hasNothing = copy.size() == 0;
            Deque<Recorded> last = new ArrayDeque<>();
            long highest = readAfter(0, each -> {
                keep(each.revocation());
                // Only entries of the copy can be given back. The store may have any number of further entries.
                if (!hasNothing && copy.contains(each.revocation().id())) {
                    stored.add(each.revocation());
                }
                addLast(each, last);
            });
            boolean hasLost = !hasNothing && giveBack(stored, highest);
            if (hasLost || present.equals(Instant.MIN)) {
                Instant known = present.isAfter(mark) ? present : mark;
                mark = store.recordSubject(MARK, known.isBefore(LOWEST_MARK) ? firstMark() : known)
                        .notBefore();
            } else {
                mark = present;
            }
            readings.clear();
            readings.add(new Reading(nanos.getAsLong(), highest));
            // Also for stores with positions in order: a store may roll back before this reading has left its trace.
            floor = Math.max(0, highest - MOST_ON_THEIR_WAY);
            unproved = aboveTheFloor(last);
            readAllAt = begun;
            leftOutBefore = leftOutSoFar;
        } catch (RuntimeException e) {
            mustReadAll = true;
            throw e;
        }
    }

    /**
     * The first mark depends on the present time. Otherwise a node that starts with an emptied store would set the mark
     * that the other nodes know. The other nodes would then not notice the loss.
     */
    private Instant firstMark() {
        return LOWEST_MARK.plusSeconds(Math.floorMod(clock.instant().getEpochSecond(), FIRST_MARKS));
    }

    /**
     * Restores the entries that the store has lost, the newest of this node first. Reads once more, because a revocation during the
     * reading is no loss. Returns whether any entry was missing.
     *
     * @param stored the entries of the copy that the reading has found
     * @param highest the highest position that the reading has found
     */
    private boolean giveBack(RevocationCopy stored, long highest) {
        Instant now = clock.instant();
        List<Revocation> lost = new ArrayList<>();
        Consumer<Revocation> addLost = each -> {
            if (copy.contains(each.id()) && each.until().isAfter(now) && !stored.covers(each)) {
                lost.add(each);
            }
        };
        synchronized (own) {
            own.forEach(addLost);
        }
        copy.forEach(addLost);
        if (!lost.isEmpty()) {
            long unused = readAfter(Math.max(0, highest - MOST_ON_THEIR_WAY), each -> stored.add(each.revocation()));
            lost.removeIf(stored::covers);
        }
        for (int i = 0; i < lost.size(); i += GIVEN_BACK_AT_ONCE) {
            store.restore(lost.subList(i, Math.min(lost.size(), i + GIVEN_BACK_AT_ONCE)));
        }
        return !lost.isEmpty();
    }

    /**
     * Reads the entries after this position. Returns the highest position read, or the given position without entries.
     */
    private long readAfter(long position, Consumer<Recorded> each) {
        long highest = position;
        List<Recorded> page;
        do {
            page = store.recordedAfter(highest, PAGE);
            for (Recorded recorded : page) {
                each.accept(recorded);
                highest = recorded.position();
            }
        } while (page.size() == PAGE);
        return highest;
    }

    private void sweepIfDue() {
        Instant now = clock.instant();
        if (now.isBefore(sweptAt)) {
            // The clock was set back: the last sweep may have removed entries that are valid again.
            sweptAt = now;
            mustReadAll = true;
        }
        if (!now.isBefore(sweptAt.plus(SWEEP_INTERVAL))) {
            sweptAt = now;
            copy.sweep(forgetBefore());
            if (isFull() && copy.size() < maximumSize) {
                mustReadAll = true;
            }
        }
    }

    private Instant forgetBefore() {
        return clock.instant().minus(KEPT_LONGER);
    }
}
