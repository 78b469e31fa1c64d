package dev.latchkey.auth.store;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The digests of ids that were asked for lately: a token is shown many times, and the digests of its id and its subject allocate as much as the rest of its check.
 *
 * <p>Each id has one place, by its hash code, and whoever comes last has it. Ids that share a place cost their digests each time, which is what all of them
 * cost without this. A place takes some hundred bytes; an id that is longer than {@value #LONGEST} characters gets none. Safe for use by any number of threads.
 */
final class RecentDigests {

    static final int LONGEST = 100;

    private static final int PLACES = 4_096;

    private record Known(String id, IdDigest digest) {}

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);
    private final Function<String, IdDigest> digests;

    /** @param digests gives the digest of an id, always the same one */
    RecentDigests(Function<String, IdDigest> digests) {
        this.digests = digests;
    }

    IdDigest of(String id) {
        if (id.length() > LONGEST) {
            return digests.apply(id);
        }
        int hash = id.hashCode();
        int place = (hash ^ hash >>> 16) & (PLACES - 1);
        Known known = places.get(place);
        if (known != null && known.id().equals(id)) {
            return known.digest();
        }
        IdDigest digest = digests.apply(id);
        places.set(place, new Known(id, digest));
        return digest;
    }
}
