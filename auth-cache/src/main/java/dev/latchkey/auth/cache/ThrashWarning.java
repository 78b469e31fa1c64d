package dev.latchkey.auth.cache;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns if the cache is too small for the active accounts: if a tenth of the maximum size was evicted within a minute.
 *
 * <p>The check runs after an entry was stored, on the thread that computed the hash, outside any update of the map. At
 * most one warning in ten minutes.
 */
final class ThrashWarning {

    static final Duration WINDOW = Duration.ofMinutes(1);
    static final Duration SILENCE = Duration.ofMinutes(10);
    private static final int SHARE = 10;

    private static final Logger LOG = LoggerFactory.getLogger(CredentialCache.class);

    private final CredentialCacheSettings settings;
    private final LongAdder evictedBySize;
    private final ReentrantLock checking = new ReentrantLock();
    private long windowStart;
    private long countAtStart;
    private long quietUntil;

    ThrashWarning(CredentialCacheSettings settings, LongAdder evictedBySize, long now) {
        this.settings = settings;
        this.evictedBySize = evictedBySize;
        windowStart = now;
        quietUntil = now;
    }

    /** Checks, unless another thread is checking now. */
    void check(long now) {
        if (checking.tryLock()) {
            long evicted;
            try {
                evicted = excess(now);
            } finally {
                checking.unlock();
            }
            if (evicted > 0) {
                warn(evicted);
            }
        }
    }

    /** The number of entries evicted in this window if a warning is due; else 0. */
    private long excess(long now) {
        long count = evictedBySize.sum();
        long evicted = count - countAtStart;
        boolean thrashing = evicted * SHARE >= settings.maximumSize();
        boolean warned = thrashing && now - quietUntil >= 0;
        if (warned) {
            quietUntil = now + SILENCE.toNanos();
        }
        if (warned || now - windowStart >= WINDOW.toNanos()) {
            windowStart = now;
            countAtStart = count;
        }
        return warned ? evicted : 0;
    }

    private void warn(long evicted) {
        LOG.warn(
                "The credential cache is too small for the accounts that are active: {} entries made room for others in"
                        + " about a minute, and each is a password hash that will be paid again. Its maximum size is {};"
                        + " an entry takes about 200 bytes",
                evicted,
                settings.maximumSize());
    }
}
