package dev.latchkey.auth.guard.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.login.KnownClients.Proof;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the known clients of accounts, and recent failures of sources, accounts and pairs. Bounded.
 *
 * <p>Each kind has a separate map: an attacker with thousands of invented names evicts only names, not sources. An
 * account uses at most a hundredth of the known clients. Otherwise the owner of one account could evict all other
 * clients with logins from many addresses. Safe for use by any number of threads.
 */
final class SourceHistory {

    /** The divisor for one account's share of the known clients: a hundredth. */
    private static final int SHARE_OF_ONE_ACCOUNT = 100;

    /** The share of one account is at least this number of known clients, even with a small limit. */
    private static final int PLACES_AT_LEAST = 10;

    private final GuardTime time;
    private final long clientsForNanos;
    private final int placesOfOneAccount;
    private final Cache<BucketKey, KnownClients> proofs;

    /** The first key of an account, by the keys of its later hashes. The proofs stay under the first key. */
    private final Cache<BucketKey, BucketKey> firstKeys;

    private final Cache<BucketKey, Boolean> failedSources;
    private final Cache<BucketKey, Boolean> failedAccounts;
    private final Cache<BucketKey, Boolean> failedPairs;

    SourceHistory(LoginLimitSettings settings, GuardTime time) {
        LoginLimitSettings.Memory memory = settings.memory();
        Duration failuresFor = settings.failuresCountFor();
        this.time = time;
        clientsForNanos = Durations.saturatedNanos(memory.sourcesFor());
        placesOfOneAccount = Math.min(memory.most(), Math.max(PLACES_AT_LEAST, memory.most() / SHARE_OF_ONE_ACCOUNT));
        proofs = Caffeine.newBuilder()
                .maximumWeight(memory.most())
                .weigher((BucketKey account, KnownClients clients) -> clients.size())
                .expireAfterWrite(memory.sourcesFor())
                .ticker(time::nanoTime)
                .build();
        firstKeys = Caffeine.newBuilder()
                .maximumSize(memory.most())
                .expireAfterAccess(memory.sourcesFor())
                .ticker(time::nanoTime)
                .build();
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

    /** Makes the client known. A client that is known by all steps stays known by all steps. */
    void succeeded(AccountKeys account) {
        prove(account, knowsByAllSteps(account) ? Proof.ALL_STEPS : Proof.ONE_STEP);
    }

    void passedAllSteps(AccountKeys account) {
        prove(account, Proof.ALL_STEPS);
    }

    /**
     * Another step is necessary. A client that has proved only the password is no longer known, even after earlier
     * logins without the step.
     */
    void challenged(AccountKeys account) {
        if (!knowsByAllSteps(account)) {
            prove(account, Proof.PASSWORD);
        }
    }

    /** The password was right, even if the login needs more. */
    void matched(AccountKeys account) {
        if (!knowsPassword(account)) {
            prove(account, Proof.PASSWORD);
        }
    }

    private void prove(AccountKeys account, Proof proof) {
        BucketKey client = account.clientEntry();
        if (client == null) {
            return;
        }
        long now = time.nanoTime();
        // Changes the clients inside {@code compute}, so that Caffeine weighs the account's entry again.
        proofs.asMap().compute(firstKeyOf(account.account()), (key, known) -> {
            KnownClients clients = known == null ? new KnownClients(placesOfOneAccount) : known;
            clients.proved(client, proof, now, now + clientsForNanos);
            return clients;
        });
    }

    /** The account now has one more key. If no store takes the new hash, no login uses this key. */
    void replaced(BucketKey before, BucketKey after) {
        firstKeys.put(after, firstKeyOf(before));
    }

    private BucketKey firstKeyOf(BucketKey account) {
        BucketKey first = firstKeys.getIfPresent(account);
        return first == null ? account : first;
    }

    private @Nullable Proof proofOf(AccountKeys account) {
        BucketKey client = account.clientEntry();
        KnownClients clients = client == null ? null : proofs.getIfPresent(firstKeyOf(account.account()));
        return clients == null || client == null ? null : clients.proofOf(client, time.nanoTime());
    }

    /** Whether this client has shown the account's right password. */
    boolean knowsPassword(AccountKeys account) {
        return proofOf(account) != null;
    }

    void failed(ClientKeys client) {
        put(failedSources, client.source());
        put(failedSources, client.wide());
    }

    void failed(AccountKeys account) {
        put(failedAccounts, account.account());
        put(failedPairs, account.withClient());
    }

    /** Whether this client is known for this account. */
    boolean knows(AccountKeys account) {
        Proof proof = proofOf(account);
        return proof != null && proof != Proof.PASSWORD;
    }

    boolean knowsByAllSteps(AccountKeys account) {
        return proofOf(account) == Proof.ALL_STEPS;
    }

    /** Whether this client has no failure for this account within the time for a full bucket. */
    boolean isClean(AccountKeys account) {
        return !has(failedPairs, account.withClient());
    }

    /** Whether there is no recent failure for this account from any source. */
    boolean isQuiet(AccountKeys account) {
        return !has(failedAccounts, account.account());
    }

    /** Whether there is no recent failure from this source or its wider network, for any account. */
    boolean isFresh(ClientKeys client) {
        return !has(failedSources, client.source()) && !has(failedSources, client.wide());
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
        proofs.cleanUp();
        long remembered =
                proofs.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        return remembered + size(failedSources) + size(failedAccounts) + size(failedPairs);
    }

    private static long size(Cache<BucketKey, ?> cache) {
        cache.cleanUp();
        return cache.estimatedSize();
    }
}
