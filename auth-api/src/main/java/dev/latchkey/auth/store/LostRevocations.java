package dev.latchkey.auth.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The entries of a {@link RevocationCopy} that a {@link SharedRevocationStore} has lost. Safe for use by any number of
 * threads.
 */
final class LostRevocations {

    /** The node restores this number of its own last revocations first. A node records fewer during a long reading. */
    private static final int MOST_OWN = 10_000;

    private static final int RESTORED_AT_ONCE = 200;

    private final SharedRevocationStore store;
    private final RevocationCopy copy;

    /** The last revocations that this node has recorded. Other nodes may not have read these revocations. Guarded by itself. */
    private final Deque<Revocation> own = new ArrayDeque<>();

    LostRevocations(SharedRevocationStore store, RevocationCopy copy) {
        this.store = store;
        this.copy = copy;
    }

    /** Notes a revocation that this node has recorded. */
    void recorded(Revocation revocation) {
        synchronized (own) {
            own.addFirst(revocation);
            if (own.size() > MOST_OWN) {
                own.removeLast();
            }
        }
    }

    /**
     * The valid entries of the copy that are missing in the store.
     *
     * @param stored the entries of the copy that the store has
     * @return the newest of this node first; the caller may change the list
     */
    List<Revocation> missingIn(RevocationCopy stored, Instant now) {
        List<Revocation> missing = new ArrayList<>();
        Consumer<Revocation> addMissing = each -> {
            if (copy.contains(each.id()) && each.until().isAfter(now) && !has(stored, each)) {
                missing.add(each);
            }
        };
        synchronized (own) {
            own.forEach(addMissing);
        }
        copy.forEach(addMissing);
        return missing;
    }

    /**
     * Whether the store has the entry. The end may be a little earlier: {@link CopyReader#keepForNow} keeps an entry of
     * the store beyond its end.
     */
    static boolean has(RevocationCopy stored, Revocation entry) {
        Instant until = entry.until().minus(CopyReader.KEPT_LONGER);
        return stored.covers(new Revocation(entry.id(), entry.notBefore(), until));
    }

    /**
     * Writes these entries in their order, with a bounded number per call of the store.
     *
     * @param beforeEachCall runs before each call of the store
     */
    void restore(List<Revocation> missing, Runnable beforeEachCall) {
        for (int i = 0; i < missing.size(); i += RESTORED_AT_ONCE) {
            beforeEachCall.run();
            store.restore(missing.subList(i, Math.min(missing.size(), i + RESTORED_AT_ONCE)));
        }
    }
}
