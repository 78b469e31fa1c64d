package dev.latchkey.auth.cache;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out which kinds of stored hashes are checked so fast that a cache gains nothing, by the fastest success seen.
 *
 * <p>A kind is the {@code {id}} that a stored hash begins with, as {@code DelegatingPasswordEncoder} writes it; all
 * without one are one kind. The fastest counts because whatever else takes time (a cold JVM, a collection, a busy
 * core) only adds to it; no real password hash is ever checked faster than its work. Only successes count: a
 * malformed hash is refused in no time by encoders that do not hide that.
 */
final class FastLoads {

    private static final int LONGEST_ID = 32;

    /** Kinds come from the user table, not from callers; the bound only keeps a broken table from growing this. */
    private static final int MOST_KINDS = 64;

    private final long threshold;
    private final Map<String, Boolean> seenFast = new ConcurrentHashMap<>();
    private volatile String[] fast = {};

    FastLoads(long thresholdNanos) {
        threshold = thresholdNanos;
    }

    /** Whether hashes of this kind were checked faster than the threshold. */
    boolean isFast(String storedHash) {
        for (String kind : fast) {
            if (kind.isEmpty() ? kindOf(storedHash).isEmpty() : storedHash.startsWith(kind)) {
                return true;
            }
        }
        return false;
    }

    /** Notes how long a success took; whether that is worth an entry. */
    boolean isWorthStoring(String storedHash, long nanos) {
        if (nanos >= threshold) {
            return true;
        }
        String kind = kindOf(storedHash);
        if (seenFast.size() < MOST_KINDS && seenFast.putIfAbsent(kind, true) == null) {
            fast = Arrays.copyOf(seenFast.keySet().toArray(new String[0]), seenFast.size());
        }
        return false;
    }

    private static String kindOf(String storedHash) {
        int end = storedHash.startsWith("{") ? storedHash.indexOf('}') : -1;
        return end < 0 || end > LONGEST_ID ? "" : storedHash.substring(0, end + 1);
    }
}
