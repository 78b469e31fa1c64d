package dev.latchkey.auth.store;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of id digests. A token is sent many times, and the digests of its id and its subject allocate as much memory
 * as the rest of the check.
 *
 * <p>The hash code of an id selects a slot, and the last id keeps the slot. Ids in the same slot compute their digests
 * each time, as all ids would without the cache. A slot takes about a hundred bytes; an id longer than
 * {@value #LONGEST} characters gets no slot. Safe for use by any number of threads.
 */
final class RecentDigests {

    static final int LONGEST = 100;

    private static final int SLOTS = 4_096;

    private record Known(String id, IdDigest digest) {}

    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);
    private final Function<String, IdDigest> digests;

    /** @param digests computes the digest of an id; always the same digest for the same id */
    RecentDigests(Function<String, IdDigest> digests) {
        this.digests = digests;
    }

    IdDigest of(String id) {
        if (id.length() > LONGEST) {
            return digests.apply(id);
        }
        int hash = id.hashCode();
        int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
        Known known = slots.get(slot);
        if (known != null && known.id().equals(id)) {
            return known.digest();
        }
        IdDigest digest = digests.apply(id);
        slots.set(slot, new Known(id, digest));
        return digest;
    }
}
