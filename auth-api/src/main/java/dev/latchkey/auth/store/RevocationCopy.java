package dev.latchkey.auth.store;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * Revocations in an array of longs, four longs per entry: two for the id, then the bound, then the end, in seconds.
 *
 * <p>Open addressing with linear probing. A slot stays occupied for the life of the array, so readers need no lock: the
 * first long of the id is written last, so a reader finds only complete entries. Additions take a lock, as does a new
 * array, for more entries or without expired entries. Between three eighths and three quarters of the slots are
 * occupied, so an entry takes 43 to 86 bytes.
 *
 * <p>The slot depends on a random factor, so an attacker cannot choose names with neighbouring slots. Each copy has a factor of
 * its own: entries in the order of one copy would have neighbouring slots in a growing copy with the same factor.
 */
final class RevocationCopy {

    private static final int CELLS = 4;
    private static final int LEAST_SLOTS = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The first long of a free slot. An id with this first long is stored under another value. */
    private static final long FREE = 0;

    private final long factor = RANDOM.nextLong() | 1;
    private volatile AtomicLongArray cells = slots(LEAST_SLOTS);
    private volatile int size;

    /** Adds the entry. For an existing id, the later bound and the later end stay. */
    synchronized void add(Revocation revocation) {
        if (put(revocation, cells)) {
            size++;
            if (size > mostOf(cells)) {
                rebuild(Instant.MIN);
            }
        }
    }

    /** Removes the entries with an earlier end. */
    synchronized void sweep(Instant before) {
        rebuild(before);
    }

    boolean contains(IdDigest id) {
        AtomicLongArray present = cells;
        return present.get(cellOf(id, present)) != FREE;
    }

    /** The bound; {@link Instant#MIN} without an entry. */
    Instant notBefore(IdDigest id) {
        AtomicLongArray present = cells;
        int cell = cellOf(id, present);
        return present.get(cell) == FREE ? Instant.MIN : Instant.ofEpochSecond(present.get(cell + 2));
    }

    /** Whether the copy has this id with no earlier bound and no earlier end. */
    boolean covers(Revocation revocation) {
        AtomicLongArray present = cells;
        int cell = cellOf(revocation.id(), present);
        return present.get(cell) != FREE
                && present.get(cell + 2) >= revocation.notBefore().getEpochSecond()
                && present.get(cell + 3) >= revocation.until().getEpochSecond();
    }

    int size() {
        return size;
    }

    /** The memory of the array, in bytes. */
    long bytes() {
        return (long) cells.length() * Long.BYTES;
    }

    void forEach(Consumer<Revocation> action) {
        AtomicLongArray present = cells;
        for (int cell = 0; cell < present.length(); cell += CELLS) {
            if (present.get(cell) != FREE) {
                action.accept(at(cell, present));
            }
        }
    }

    private void rebuild(Instant before) {
        int[] kept = {0};
        forEach(each -> kept[0] += each.until().isBefore(before) ? 0 : 1);
        int slots = LEAST_SLOTS;
        while (slots - slots / 4 <= kept[0]) {
            slots *= 2;
        }
        AtomicLongArray next = slots(slots);
        forEach(each -> {
            if (!each.until().isBefore(before)) {
                put(each, next);
            }
        });
        cells = next;
        size = kept[0];
    }

    /** Returns whether the entry is new. */
    private boolean put(Revocation revocation, AtomicLongArray cells) {
        int cell = cellOf(revocation.id(), cells);
        long bound = revocation.notBefore().getEpochSecond();
        long until = revocation.until().getEpochSecond();
        if (cells.get(cell) == FREE) {
            cells.set(cell + 3, until);
            cells.set(cell + 2, bound);
            cells.set(cell + 1, revocation.id().low());
            cells.set(cell, firstOf(revocation.id()));
            return true;
        }
        cells.set(cell + 3, Math.max(until, cells.get(cell + 3)));
        cells.set(cell + 2, Math.max(bound, cells.get(cell + 2)));
        return false;
    }

    /** The cell of the id, or the free cell for a new entry. */
    private int cellOf(IdDigest id, AtomicLongArray cells) {
        int slots = cells.length() / CELLS;
        long first = firstOf(id);
        int slot = (int) ((first * factor) >>> (Long.numberOfLeadingZeros(slots) + 1));
        while (true) {
            int cell = slot * CELLS;
            long present = cells.get(cell);
            if (present == FREE || (present == first && cells.get(cell + 1) == id.low())) {
                return cell;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }

    private static Revocation at(int cell, AtomicLongArray cells) {
        return new Revocation(
                new IdDigest(cells.get(cell), cells.get(cell + 1)),
                Instant.ofEpochSecond(cells.get(cell + 2)),
                Instant.ofEpochSecond(cells.get(cell + 3)));
    }

    private static long firstOf(IdDigest id) {
        return id.high() == FREE ? FREE + 1 : id.high();
    }

    private static int mostOf(AtomicLongArray cells) {
        int slots = cells.length() / CELLS;
        return slots - slots / 4;
    }

    private static AtomicLongArray slots(int slots) {
        return new AtomicLongArray(slots * CELLS);
    }
}
