package dev.latchkey.auth.store;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The position at which the next reading of a {@link SharedRevocationStore} begins. For one thread at a time.
 *
 * <p><b>Late positions.</b> A database assigns a number when a row is inserted, and shows the row when the row is
 * committed. A node that has read number 8 may have missed number 7 forever. Therefore each reading begins again at a
 * floor. The floor rises only after a reading that began at least {@link SharedRevocationStore#lateness} after the end
 * of an earlier reading. The floor then rises to a number that the earlier reading has seen. By then all lower numbers
 * were visible, and the later reading has read these numbers. A node that slept for a minute first reads from its old
 * floor, and so misses no number.
 *
 * <p><b>A store that has lost its latest entries.</b> Each reading must find again the last entries that the previous
 * reading found above the floor. The highest entry is always above the floor. Without this comparison, the store could
 * assign the lost positions again, below the floor of the node. The node would then miss new entries until its next
 * reading of all entries. The specification in {@code tests/stores} describes both protocols, with a floor that may
 * reach the highest entry.
 */
final class ReadFloor {

    /** A completed reading, and the highest position seen. */
    private record Reading(long endedAt, long highest) {}

    private final Deque<Reading> readings = new ArrayDeque<>();
    private final long lateNanos;

    /** The last entries of the last reading, above the floor. A store without its latest entries lacks the highest of these. */
    private List<Recorded> unproved = List.of();

    private long position;

    /** A floor below all entries of a store with this {@link SharedRevocationStore#lateness}. */
    ReadFloor(Duration lateness) {
        this.lateNanos = lateness.toNanos();
    }

    /** The next reading begins after this position. */
    long position() {
        return position;
    }

    /**
     * A position below all entries that become visible after a reading of all entries. The positions above are read again
     * for a while, because the times of the last revocations are unknown.
     *
     * @param highest the highest position that the reading has found
     */
    static long belowTheRecent(long highest) {
        return Math.max(0, highest - LastRead.MOST);
    }

    /**
     * Whether the store still has the entries that the last reading found above the floor. Compares the content of
     * entries, because a repeated entry has another position. Expired entries may be gone, except the highest entry.
     * Without the highest entry, the node cannot know whether the store assigns its position again.
     *
     * @param stored the entries that this reading has found
     */
    boolean isContinuedBy(RevocationCopy stored, Instant now) {
        long highest =
                unproved.isEmpty() ? 0 : unproved.get(unproved.size() - 1).position();
        return unproved.stream()
                .allMatch(each -> stored.covers(each.revocation())
                        || (each.position() < highest
                                && !each.revocation().until().isAfter(now)));
    }

    /** Raises the floor after a reading that began at the floor. Times in nanoseconds. */
    void readOn(long begun, long ended, LastRead found) {
        while (!readings.isEmpty() && begun - readings.getFirst().endedAt() >= lateNanos) {
            // A store may lose entries and get these entries back in another order. Such a store may assign the highest
            // positions again.
            position = Math.max(position, Math.min(readings.removeFirst().highest(), found.highest()) - 1);
        }
        add(ended, found);
    }

    /** Begins anew after a reading of all entries. The time in nanoseconds. */
    void readAll(long ended, LastRead found) {
        readings.clear();
        // Also for stores with positions in order: a store may roll back before this reading has left its trace.
        position = belowTheRecent(found.highest());
        add(ended, found);
    }

    private void add(long ended, LastRead found) {
        readings.add(new Reading(ended, found.highest()));
        unproved = found.after(position);
    }
}
