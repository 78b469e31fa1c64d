package dev.latchkey.auth.guard.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which accounts have logged in from which places, and which sources, accounts and pairs have failed lately. Bounded.
 *
 * <p>Each has a map of its own: whoever makes names up by the thousand pushes out names, and not what sources have done. Safe for use by any number
 * of threads.
 */
final class SourceHistory {

    /** How an account came to be known at a place. */
    private enum Known {
        /** The password was right here, but no login has succeeded yet. */
        BY_PASSWORD,
        /** A login needed the password alone, or a remembered device stood for the rest. */
        BY_ONE_STEP,
        BY_ALL_STEPS
    }

    private final Cache<BucketKey, Known> loggedIn;
    private final Cache<BucketKey, Boolean> failedSources;
    private final Cache<BucketKey, Boolean> failedAccounts;
    private final Cache<BucketKey, Boolean> failedPairs;

    SourceHistory(LoginLimitSettings settings, GuardTime time) {
        LoginLimitSettings.Memory memory = settings.memory();
        Duration failuresFor = settings.failuresCountFor();
        loggedIn = cache(memory.most(), memory.sourcesFor(), time);
        failedSources = cache(memory.most(), failuresFor, time);
        failedAccounts = cache(memory.most(), failuresFor, time);
        failedPairs = cache(memory.most(), failuresFor, time);
    }

    private static <V> Cache<BucketKey, V> cache(int most, Duration since, GuardTime time) {
        return Caffeine.newBuilder()
                .maximumSize(most)
                .expireAfterWrite(since)
                .ticker(time::nanoTime)
                .build();
    }

    void rememberFailuresFor(Duration since) {
        for (Cache<BucketKey, Boolean> each : List.of(failedSources, failedAccounts, failedPairs)) {
            each.policy().expireAfterWrite().orElseThrow().setExpiresAfter(since);
        }
    }

    /** Makes the place known. One that is known by all steps stays so. */
    void succeeded(Who who) {
        BucketKey place = who.atPlace();
        if (place != null) {
            loggedIn.put(place, knowsByAllSteps(who) ? Known.BY_ALL_STEPS : Known.BY_ONE_STEP);
        }
    }

    void passedAllSteps(Who who) {
        BucketKey place = who.atPlace();
        if (place != null) {
            loggedIn.put(place, Known.BY_ALL_STEPS);
        }
    }

    /** Another step is wanted here. Whoever knows the password alone is a stranger, even if he logged in here when it was enough. */
    void challenged(Who who) {
        BucketKey place = who.atPlace();
        if (place != null && !knowsByAllSteps(who)) {
            loggedIn.put(place, Known.BY_PASSWORD);
        }
    }

    /** The password was right here, whatever else is wanted. */
    void matched(Who who) {
        BucketKey place = who.atPlace();
        if (place != null) {
            loggedIn.asMap().putIfAbsent(place, Known.BY_PASSWORD);
        }
    }

    /** Whether the right password of this account was shown here. */
    boolean knowsPassword(Who who) {
        return has(loggedIn, who.atPlace());
    }

    void failed(Where where) {
        put(failedSources, where.source());
        put(failedSources, where.wide());
    }

    void failed(Who who) {
        put(failedAccounts, who.account());
        put(failedPairs, who.atPlace());
    }

    /** Whether this account has logged in from here. */
    boolean knows(Who who) {
        BucketKey place = who.atPlace();
        Known known = place == null ? null : loggedIn.getIfPresent(place);
        return known != null && known != Known.BY_PASSWORD;
    }

    boolean knowsByAllSteps(Who who) {
        BucketKey place = who.atPlace();
        return place != null && loggedIn.getIfPresent(place) == Known.BY_ALL_STEPS;
    }

    /** Whether nothing has failed for this account from here, since its bucket would be full again. */
    boolean isClean(Who who) {
        return !has(failedPairs, who.atPlace());
    }

    /** Whether nothing has failed for this account, from anywhere. */
    boolean isQuiet(Who who) {
        return !has(failedAccounts, who.account());
    }

    /** Whether nothing has failed from this source, nor from the network around it, for any account. */
    boolean isFresh(Where where) {
        return !has(failedSources, where.source()) && !has(failedSources, where.wide());
    }

    private static void put(Cache<BucketKey, Boolean> cache, @Nullable BucketKey key) {
        if (key != null) {
            cache.put(key, Boolean.TRUE);
        }
    }

    private static boolean has(Cache<BucketKey, ?> cache, @Nullable BucketKey key) {
        return key != null && cache.getIfPresent(key) != null;
    }

    long size() {
        return size(loggedIn) + size(failedSources) + size(failedAccounts) + size(failedPairs);
    }

    private static long size(Cache<BucketKey, ?> cache) {
        cache.cleanUp();
        return cache.estimatedSize();
    }
}
