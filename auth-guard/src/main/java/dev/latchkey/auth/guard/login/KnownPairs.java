package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.SipHash;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of account and place that nothing stands in the way of, each in the one slot that a keyed hash of both gives: so that
 * the limits cost a login that is answered from a cache one look-up, and no object.
 *
 * <p>The hash is of the name as it was sent: no spelling is folded here, and each has an entry of its own. A slot holds one entry;
 * another takes its place. What is not found here goes the long way, which knows everything that this knows.
 *
 * <p>Safe for use by any number of threads.
 */
final class KnownPairs {

    private static final int SLOTS = 1 << 15;
    private static final int MARKS = 1 << 12;
    private static final int LONGEST_NAME = 256;

    /** The spelling of a name that is never kept here. */
    private static final long NONE = 0;

    private final AtomicReferenceArray<@Nullable KnownPair> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicIntegerArray marks = new AtomicIntegerArray(MARKS);
    private final SipHash spellings = SipHash.random();
    private final SipHash fingerprints = SipHash.random();

    /** A name as it was sent, and the place that it was sent from. */
    long spelling(String name, ClientSource source) {
        boolean kept = source.place() != ClientSource.NOWHERE && name.length() <= LONGEST_NAME;
        return kept ? spellings.hash(source.place(), name) : NONE;
    }

    /** What an account is recognised by when it is found again. */
    long fingerprint(String storedHash) {
        return fingerprints.hash(0, storedHash);
    }

    @Nullable
    KnownPair find(long spelling) {
        KnownPair pair = spelling == NONE ? null : slots.get(slot(spelling));
        return pair == null || pair.spelling() != spelling ? null : pair;
    }

    /** Puts it into its slot; what is there retires, since nobody would find it any more. */
    void put(KnownPair pair) {
        if (pair.spelling() != NONE) {
            retire(slots.getAndSet(slot(pair.spelling()), pair));
        }
    }

    void remove(KnownPair pair) {
        slots.compareAndSet(slot(pair.spelling()), pair, null);
    }

    /** Forgets all; they are made again when they log in. */
    void clear() {
        for (int i = 0; i < SLOTS; i++) {
            retire(slots.getAndSet(i, null));
        }
    }

    private static void retire(@Nullable KnownPair displaced) {
        if (displaced != null) {
            displaced.retire();
        }
    }

    /** Ends whatever entries there are of these accounts here, in whichever spelling; and now and then one of another. */
    void failed(List<Who> accounts) {
        accounts.forEach(who -> marks.incrementAndGet(mark(who)));
    }

    /** Changes when one of these accounts fails here. */
    int failuresOf(List<Who> accounts) {
        int sum = 0;
        for (int i = 0; i < accounts.size(); i++) {
            sum += marks.get(mark(accounts.get(i)));
        }
        return sum;
    }

    private static int mark(Who who) {
        return (int) who.atPlaceOrAnywhere().low() & (MARKS - 1);
    }

    private static int slot(long spelling) {
        return (int) (spelling >>> Integer.SIZE) & (SLOTS - 1);
    }
}
