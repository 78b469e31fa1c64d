package dev.latchkey.auth.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.guard.HashDemand.Familiarity;
import java.time.Duration;

/** Which sources have logged in (at all, and to which account) and which have failed lately; bounded. */
final class SourceHistory {

    private final Cache<BucketKey, Boolean> loggedIn;
    private final Cache<BucketKey, Boolean> failed;

    SourceHistory(LoginLimitSettings.Memory memory, Duration failuresFor, GuardTime time) {
        loggedIn = cache(memory.most(), memory.sourcesFor(), time);
        failed = cache(memory.most(), failuresFor, time);
    }

    private static Cache<BucketKey, Boolean> cache(int most, Duration since, GuardTime time) {
        return Caffeine.newBuilder()
                .maximumSize(most)
                .expireAfterWrite(since)
                .ticker(time::nanoTime)
                .build();
    }

    void rememberFailuresFor(Duration since) {
        failed.policy().expireAfterWrite().orElseThrow().setExpiresAfter(since);
    }

    void succeeded(BucketKey source, BucketKey pair) {
        loggedIn.put(source, Boolean.TRUE);
        loggedIn.put(pair, Boolean.TRUE);
    }

    void failed(BucketKey source) {
        failed.put(source, Boolean.TRUE);
    }

    /** Whether this source, or this source for this account, has logged in. */
    boolean hasLoggedIn(BucketKey sourceOrPair) {
        return loggedIn.getIfPresent(sourceOrPair) != null;
    }

    boolean hasFailed(BucketKey source) {
        return failed.getIfPresent(source) != null;
    }

    Familiarity familiarity(BucketKey source) {
        return hasLoggedIn(source) ? Familiarity.KNOWN : Familiarity.UNKNOWN;
    }

    long size() {
        loggedIn.cleanUp();
        failed.cleanUp();
        return loggedIn.estimatedSize() + failed.estimatedSize();
    }
}
