package dev.latchkey.auth.cache;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The key of this process, a new one each hour, and the one before, under which entries are still found.
 *
 * <p>Whoever finds an entry under the previous key writes it under the current one, so that an entry in use outlives
 * any number of rotations, and a key that is two hours old is worthless to whoever learns it. Rotation happens on the
 * thread that first asks after the hour.
 */
final class RotatingKey {

    static final Duration INTERVAL = Duration.ofHours(1);

    /** The two keys at a time; {@code rotateAt} in the cache's nanoseconds. */
    record Keys(DigestKey current, @Nullable DigestKey previous, long rotateAt) {}

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock rotation = new ReentrantLock();
    private volatile Keys keys;

    RotatingKey(long now) {
        keys = fresh(null, now);
    }

    Keys at(long now) {
        Keys seen = keys;
        return now - seen.rotateAt() < 0 ? seen : rotated(now);
    }

    /** Wipes both keys; whatever was found under them never is again. */
    void wipe(long now) {
        rotation.lock();
        try {
            Keys last = keys;
            keys = fresh(null, now);
            last.current().wipe();
            if (last.previous() != null) {
                last.previous().wipe();
            }
        } finally {
            rotation.unlock();
        }
    }

    private Keys rotated(long now) {
        rotation.lock();
        try {
            Keys seen = keys;
            long late = now - seen.rotateAt();
            if (late >= 0) {
                // Nobody came for a whole interval: the current key is itself too old to be the previous one.
                keys = fresh(late >= INTERVAL.toNanos() ? null : seen.current(), now);
            }
            return keys;
        } finally {
            rotation.unlock();
        }
    }

    private Keys fresh(@Nullable DigestKey previous, long now) {
        return new Keys(DigestKey.random(random), previous, now + INTERVAL.toNanos());
    }
}
