package dev.latchkey.auth.store;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * Revocations in one array of longs, four for each: the two of its id, its bound, and its end, in seconds.
 *
 * <p>Open addressing with linear probing. A place is taken for as long as the array lives, so a reader needs no lock: the first long of the id is written
 * last, and what it finds it finds whole. Adding takes a lock, and so does making a new array, for more entries or without those that are over. Between three eighths and
 * three quarters of the places are taken, so an entry takes 43 to 86 bytes.
 *
 * <p>Where an entry lies depends on a random factor of this process, so nobody can choose names that lie on one heap.
 */
final class RevocationCopy {

    private static final int CELLS = 4;
    private static final int LEAST_PLACES = 64;
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    /** The first long of a place that nobody has taken; an id that begins with it is taken for another one. */
    private static final long FREE = 0;

    private volatile AtomicLongArray cells = places(LEAST_PLACES);
    private volatile int size;

    /** Keeps it; of a bound and an end that are there already the later ones. */
    synchronized void add(Revocation revocation) {
        if (put(revocation, cells)) {
            size++;
            if (size > mostOf(cells)) {
                rebuild(Instant.MIN);
            }
        }
    }

    /** Forgets what ended before this. */
    synchronized void sweep(Instant before) {
        rebuild(before);
    }

    boolean contains(IdDigest id) {
        AtomicLongArray present = cells;
        return present.get(cellOf(id, present)) != FREE;
    }

    /** The bound; {@link Instant#MIN} where there is none. */
    Instant notBefore(IdDigest id) {
        AtomicLongArray present = cells;
        int cell = cellOf(id, present);
        return present.get(cell) == FREE ? Instant.MIN : Instant.ofEpochSecond(present.get(cell + 2));
    }

    /** Whether it has this one with a bound and an end that are no earlier. */
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

    /** How much memory it takes. */
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
        int places = LEAST_PLACES;
        while (places - places / 4 <= kept[0]) {
            places *= 2;
        }
        AtomicLongArray next = places(places);
        forEach(each -> {
            if (!each.until().isBefore(before)) {
                put(each, next);
            }
        });
        cells = next;
        size = kept[0];
    }

    /** Whether it was not there. */
    private static boolean put(Revocation revocation, AtomicLongArray cells) {
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

    /** Its cell, or the free one where it would be. */
    private static int cellOf(IdDigest id, AtomicLongArray cells) {
        int places = cells.length() / CELLS;
        long first = firstOf(id);
        int place = (int) ((first * FACTOR) >>> (Long.numberOfLeadingZeros(places) + 1));
        while (true) {
            int cell = place * CELLS;
            long present = cells.get(cell);
            if (present == FREE || (present == first && cells.get(cell + 1) == id.low())) {
                return cell;
            }
            place = (place + 1) & (places - 1);
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
        int places = cells.length() / CELLS;
        return places - places / 4;
    }

    private static AtomicLongArray places(int places) {
        return new AtomicLongArray(places * CELLS);
    }
}
