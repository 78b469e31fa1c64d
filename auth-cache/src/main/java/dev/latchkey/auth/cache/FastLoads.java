package dev.latchkey.auth.cache;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds out which kinds of stored hashes are checked so fast that a cache gains nothing, by the fastest success seen.
 *
 * <p>A kind is an algorithm and its cost: the {@code {id}} that {@code DelegatingPasswordEncoder} writes, and the leading fields of
 * the modular crypt format, {@code $2a$10$} or {@code $argon2id$v=19$m=19456,t=2,p=1$}. What has neither is of no kind, whatever its
 * neighbours are: one legacy hash must not take every bare hash out of the cache. Such a fast one is not stored, and that is all.
 *
 * <p>The fastest counts because whatever else takes time (a cold JVM, a collection, a busy core) only adds to it; no real
 * password hash is ever checked faster than its work. Only successes count: a malformed hash is refused in no time by encoders
 * that do not hide that.
 *
 * <p>Safe for use by any number of threads.
 */
final class FastLoads {

    private static final int LONGEST_ID = 32;

    /** A longer field is no cost. */
    private static final int LONGEST_COST = 64;

    /** Kinds come from the user table, not from callers; the bound only keeps a broken table from growing this. */
    private static final int MOST_KINDS = 64;

    private final long threshold;
    private final AtomicReference<String[]> fast = new AtomicReference<>(new String[0]);

    FastLoads(long thresholdNanos) {
        threshold = thresholdNanos;
    }

    /** Whether hashes of this kind were checked faster than the threshold. */
    boolean isFast(String storedHash) {
        return isAmong(fast.get(), storedHash);
    }

    private static boolean isAmong(String[] kinds, String storedHash) {
        if (kinds.length == 0) {
            return false;
        }
        int end = endOfKind(storedHash);
        for (String kind : kinds) {
            if (kind.length() == end && storedHash.startsWith(kind)) {
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
        if (endOfKind(storedHash) > 0) {
            // None is lost to another that is noted at the same time.
            fast.updateAndGet(kinds -> with(kinds, storedHash));
        }
        return false;
    }

    private static String[] with(String[] kinds, String storedHash) {
        if (kinds.length >= MOST_KINDS || isAmong(kinds, storedHash)) {
            return kinds;
        }
        String[] more = Arrays.copyOf(kinds, kinds.length + 1);
        more[kinds.length] = storedHash.substring(0, endOfKind(storedHash));
        return more;
    }

    /** Where what tells the kind ends and what differs from hash to hash begins; 0 for one of no kind. */
    private static int endOfKind(String storedHash) {
        int id = storedHash.startsWith("{") ? storedHash.indexOf('}') : -1;
        int begin = id < 0 || id > LONGEST_ID ? 0 : id + 1;
        if (!storedHash.startsWith("$", begin)) {
            return begin;
        }
        int end = storedHash.indexOf('$', begin + 1) + 1;
        if (end == 0 || end - begin > LONGEST_ID) {
            return begin;
        }
        int next = storedHash.indexOf('$', end);
        while (next >= 0 && isCost(storedHash, end, next)) {
            end = next + 1;
            next = storedHash.indexOf('$', end);
        }
        return end;
    }

    /**
     * A number, or parameters with their names: {@code 10}, {@code rounds=5000}, {@code m=19456,t=2,p=1}. A salt in Base64 ends with one or
     * two of the sign that stands between a name and its value, and is none.
     */
    private static boolean isCost(String storedHash, int begin, int end) {
        if (end - begin > LONGEST_COST) {
            return false;
        }
        boolean number = end > begin;
        for (int i = begin; i < end; i++) {
            char each = storedHash.charAt(i);
            if (each == '=') {
                return i > begin && i + 1 < end && storedHash.charAt(i + 1) != '=';
            }
            number &= each >= '0' && each <= '9';
        }
        return number;
    }
}
