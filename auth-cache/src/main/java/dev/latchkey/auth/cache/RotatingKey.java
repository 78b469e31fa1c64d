package dev.latchkey.auth.cache;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The current key of this process and the previous key. The current key is replaced each hour, and entries are still
 * found under the previous key.
 *
 * <p>An entry found under the previous key is written under the current key. Therefore an entry in use outlives any
 * number of rotations, and an old key is worthless after two hours. The first thread after the hour rotates the key.
 */
final class RotatingKey {

    static final Duration INTERVAL = Duration.ofHours(1);

    /** Both keys at one time; {@code rotateAt} in the cache's nanoseconds. */
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

    /** Wipes both keys. Entries under the wiped keys are never found again. */
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
                // No caller came for a whole interval: the current key is too old to become the previous key.
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
