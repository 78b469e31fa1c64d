package dev.latchkey.auth.cache;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds the kinds of stored hashes with checks so fast that a cache saves no time. The fastest success of a kind
 * decides.
 *
 * <p>A kind is an algorithm and its cost: the {@code {id}} of {@code DelegatingPasswordEncoder}, and the first fields
 * of the modular crypt format, {@code $2a$10$} or {@code $argon2id$v=19$m=19456,t=2,p=1}. A hash without an id and
 * without such fields has no kind. One fast legacy hash must not disable the cache for every bare hash. A fast hash
 * without a kind is only not stored.
 *
 * <p>The fastest success decides, because all disturbances (a cold JVM, a collection, a busy core) only add time. No
 * check of a real password hash is faster than its work. Only successes count: some encoders reject a malformed hash in
 * no time.
 *
 * <p>Safe for use by any number of threads.
 */
final class FastLoads {

    private static final int LONGEST_ID = 32;

    /** A longer field is not a cost. */
    private static final int LONGEST_COST = 64;

    /** Kinds come from the user table, not from callers. The limit keeps this array small if the table is broken. */
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

    /** Notes the time of a success, and returns whether an entry is worth storing. */
    boolean isWorthStoring(String storedHash, long nanos) {
        if (nanos >= threshold) {
            return true;
        }
        if (endOfKind(storedHash) > 0) {
            // Atomic, so that a concurrent update loses no kind.
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

    /** The end of the kind's prefix: the rest differs from hash to hash. Returns 0 for a hash without a kind. */
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
     * Whether a field is a number or named parameters: {@code 10}, {@code rounds=5000}, {@code m=19456,t=2,p=1}. A
     * Base64 salt may end with one or two equals signs and is not a cost.
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
