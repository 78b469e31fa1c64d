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
 * Remembers the known clients of accounts, and recent failures of sources, accounts and pairs. Bounded.
 *
 * <p>Each kind has a separate map: an attacker with thousands of invented names evicts only names, not sources. An
 * account uses at most a hundredth of the known clients. Otherwise one account's owner could evict all other clients by
 * logins from everywhere. Safe for use by any number of threads.
 */
final class SourceHistory {

    /** The divisor for one account's share of the known clients: a hundredth. */
    private static final int ACCOUNTS_AT_LEAST = 100;

    /** An account has at least this many known clients, even with a small limit. */
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

    /** Makes the client known. A client known by all steps stays so. */
    void succeeded(Who who) {
        prove(who, knowsByAllSteps(who) ? Proof.ALL_STEPS : Proof.ONE_STEP);
    }

    void passedAllSteps(Who who) {
        prove(who, Proof.ALL_STEPS);
    }

    /**
     * Another step is necessary. A client that has proved only the password is no longer known, even after earlier
     * logins without the step.
     */
    void challenged(Who who) {
        if (!knowsByAllSteps(who)) {
            prove(who, Proof.PASSWORD);
        }
    }

    /** The password was right, even if the login needs more. */
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
        // Within the map, so that Caffeine weighs the account's clients again.
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

    /** Whether this client has shown the account's right password. */
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

    /** Whether this client is known for this account. */
    boolean knows(Who who) {
        Proof proof = proofOf(who);
        return proof != null && proof != Proof.PASSWORD;
    }

    boolean knowsByAllSteps(Who who) {
        return proofOf(who) == Proof.ALL_STEPS;
    }

    /** Whether this client has no failure for this account within the time for a full bucket. */
    boolean isClean(Who who) {
        return !has(failedPairs, who.atPlace());
    }

    /** Whether there is no recent failure for this account from anywhere. */
    boolean isQuiet(Who who) {
        return !has(failedAccounts, who.account());
    }

    /** Whether there is no recent failure from this source or its wider network, for any account. */
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
