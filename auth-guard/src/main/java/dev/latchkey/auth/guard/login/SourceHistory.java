package dev.latchkey.auth.guard.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.login.KnownClients.Proof;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which accounts have logged in from which places, and which sources, accounts and pairs have failed lately. Bounded.
 *
 * <p>Each has a map of its own: whoever makes names up by the thousand pushes out names, and not what sources have done. One account fills at most a
 * hundredth of the places. Otherwise its owner would push out those of all others by logging in from everywhere. Safe for use by any number of
 * threads.
 */
final class SourceHistory {

    /** Of the places that are remembered, so small a part is one account's. */
    private static final int ACCOUNTS_AT_LEAST = 100;

    /** An account has room for so many places, however few are remembered. */
    private static final int PLACES_AT_LEAST = 10;

    private final GuardTime time;
    private final long placesForNanos;
    private final int placesOfOneAccount;
    private final Cache<BucketKey, KnownClients> loggedIn;
    private final Cache<BucketKey, Boolean> failedSources;
    private final Cache<BucketKey, Boolean> failedAccounts;
    private final Cache<BucketKey, Boolean> failedPairs;

    SourceHistory(LoginLimitSettings settings, GuardTime time) {
        LoginLimitSettings.Memory memory = settings.memory();
        Duration failuresFor = settings.failuresCountFor();
        this.time = time;
        placesForNanos = Durations.saturatedNanos(memory.sourcesFor());
        placesOfOneAccount = Math.min(memory.most(), Math.max(PLACES_AT_LEAST, memory.most() / ACCOUNTS_AT_LEAST));
        loggedIn = Caffeine.newBuilder()
                .maximumWeight(memory.most())
                .weigher((BucketKey account, KnownClients clients) -> clients.size())
                .expireAfterWrite(memory.sourcesFor())
                .ticker(time::nanoTime)
                .build();
        failedSources = cache(memory.most(), failuresFor, time);
        failedAccounts = cache(memory.most(), failuresFor, time);
        failedPairs = cache(memory.most(), failuresFor, time);
    }

    private static Cache<BucketKey, Boolean> cache(int most, Duration since, GuardTime time) {
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
        prove(who, knowsByAllSteps(who) ? Proof.ALL_STEPS : Proof.ONE_STEP);
    }

    void passedAllSteps(Who who) {
        prove(who, Proof.ALL_STEPS);
    }

    /** Another step is wanted here. Whoever knows the password alone is a stranger, even if he logged in here when it was enough. */
    void challenged(Who who) {
        if (!knowsByAllSteps(who)) {
            prove(who, Proof.PASSWORD);
        }
    }

    /** The password was right here, whatever else is wanted. */
    void matched(Who who) {
        if (!knowsPassword(who)) {
            prove(who, Proof.PASSWORD);
        }
    }

    private void prove(Who who, Proof proof) {
        BucketKey place = who.atPlace();
        if (place == null) {
            return;
        }
        long now = time.nanoTime();
        // Within the map, so that it weighs the account's places anew.
        loggedIn.asMap().compute(who.account(), (account, known) -> {
            KnownClients clients = known == null ? new KnownClients(placesOfOneAccount) : known;
            clients.proved(place, proof, now, now + placesForNanos);
            return clients;
        });
    }

    private @Nullable Proof proofOf(Who who) {
        BucketKey place = who.atPlace();
        KnownClients clients = place == null ? null : loggedIn.getIfPresent(who.account());
        return clients == null || place == null ? null : clients.proofOf(place, time.nanoTime());
    }

    /** Whether the right password of this account was shown here. */
    boolean knowsPassword(Who who) {
        return proofOf(who) != null;
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
        Proof proof = proofOf(who);
        return proof != null && proof != Proof.PASSWORD;
    }

    boolean knowsByAllSteps(Who who) {
        return proofOf(who) == Proof.ALL_STEPS;
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
        loggedIn.cleanUp();
        long places = loggedIn.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        return places + size(failedSources) + size(failedAccounts) + size(failedPairs);
    }

    private static long size(Cache<BucketKey, ?> cache) {
        cache.cleanUp();
        return cache.estimatedSize();
    }
}
