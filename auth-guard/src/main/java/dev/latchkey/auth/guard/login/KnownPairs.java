package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.SipHash;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of account and place whose logins need no token, since nothing has failed there. A keyed hash of both gives the slot of each. So the
 * limits cost a login that is answered from a cache one look-up, and no object.
 *
 * <p>The hash is of the name as it was sent: no spelling is folded here. But of the spellings and names of one account at one place only the last has
 * an entry. Otherwise each would let in as many logins as the bucket of all has tokens. So an entry has a second slot, by the account and the place.
 * A slot holds one entry; another replaces it. A pair that is not found here passes the buckets, which know all that is known here.
 *
 * <p>Safe for use by any number of threads.
 */
final class KnownPairs {

    private static final int SLOTS = 1 << 15;
    private static final int PLACES = 1 << 16;
    private static final int COUNTERS = 1 << 12;
    private static final int LONGEST_NAME = 256;

    /** Stands for the spelling of a name that is never kept here. */
    private static final long NONE = 0;

    private final AtomicReferenceArray<@Nullable KnownPair> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<@Nullable KnownPair> places = new AtomicReferenceArray<>(PLACES);
    /** Counts of failures. Accounts share a counter where their keys fall together. */
    private final AtomicIntegerArray failures = new AtomicIntegerArray(COUNTERS);

    private final SipHash spellings = SipHash.random();
    private final SipHash fingerprints = SipHash.random();

    /** The hash of a name as it was sent and the place that it was sent from. */
    long spelling(String name, ClientSource source) {
        boolean kept = source.place() != ClientSource.NOWHERE && name.length() <= LONGEST_NAME;
        return kept ? spellings.hash(source.place(), name) : NONE;
    }

    /** The hash by which an account is recognised when it is found again. */
    long fingerprint(String storedHash) {
        return fingerprints.hash(0, storedHash);
    }

    @Nullable
    KnownPair find(long spelling) {
        KnownPair pair = spelling == NONE ? null : slots.get(slot(spelling));
        return pair == null || pair.spelling() != spelling ? null : pair;
    }

    /** Puts the pair into its slots. Those that are there retire, since they would not be found any more. */
    void put(KnownPair pair) {
        if (pair.spelling() != NONE) {
            retire(slots.getAndSet(slot(pair.spelling()), pair));
            retire(places.getAndSet(place(pair.accounts()), pair));
        }
    }

    void remove(KnownPair pair) {
        slots.compareAndSet(slot(pair.spelling()), pair, null);
        places.compareAndSet(place(pair.accounts()), pair, null);
    }

    /** Makes room for another spelling of these accounts at this place. Logins that are open under the last spelling take their tokens. */
    void retireAt(List<Who> accounts) {
        retire(places.get(place(accounts)));
    }

    /** Forgets all pairs. Each is made again when it next logs in. */
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

    /** Counts a failure of these accounts here. It ends all of their entries here, and sometimes one of another account. */
    void failed(List<Who> accounts) {
        accounts.forEach(who -> failures.incrementAndGet(counter(who)));
    }

    /** How often these accounts have failed here, and others that share their counters. To be compared with an earlier value. */
    int failuresOf(List<Who> accounts) {
        int sum = 0;
        for (int i = 0; i < accounts.size(); i++) {
            sum += failures.get(counter(accounts.get(i)));
        }
        return sum;
    }

    private static int counter(Who who) {
        return (int) who.atPlaceOrAnywhere().low() & (COUNTERS - 1);
    }

    /** The second slot, by the account that was found, which all its names have in common. */
    private static int place(List<Who> accounts) {
        return (int) accounts.get(accounts.size() - 1).atPlaceOrAnywhere().high() & (PLACES - 1);
    }

    private static int slot(long spelling) {
        return (int) (spelling >>> Integer.SIZE) & (SLOTS - 1);
    }
}
