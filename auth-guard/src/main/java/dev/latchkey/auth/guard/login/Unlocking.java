package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Fills the buckets of an account and of a source again, by request of an operator. Stateless. */
record Unlocking(LoginLedger ledger) {

    /** No address: the account is then meant alone. */
    private static final ClientKeys FROM_ANYWHERE = new ClientKeys(null, null, null);

    CompletableFuture<Set<LoginBucket>> unlock(
            String account, Collection<String> storedHashes, @Nullable ClientSource source) {
        ClientKeys client = source == null ? FROM_ANYWHERE : ledger.keys().client(source);
        List<KeyedBucket> buckets = new ArrayList<>();
        add(buckets, LoginBucket.SOURCE, client.source());
        add(buckets, LoginBucket.WIDE_SOURCE, client.wide());
        add(buckets, LoginBucket.REPEATS, client.source());
        addAccount(buckets, ledger.keys().named(account, account, client));
        storedHashes.forEach(hash -> addAccount(buckets, ledger.keys().found(hash, client)));
        CompletableFuture<Set<LoginBucket>> empty =
                CompletableFuture.completedFuture(EnumSet.noneOf(LoginBucket.class));
        for (KeyedBucket bucket : buckets) {
            empty = empty.thenCombine(ledger.fill(bucket), (found, wasEmpty) -> {
                if (wasEmpty) {
                    found.add(bucket.kind());
                }
                return found;
            });
        }
        return empty;
    }

    private static void addAccount(List<KeyedBucket> buckets, AccountKeys account) {
        add(buckets, LoginBucket.KNOWN_CLIENT, account.withClient());
        add(buckets, LoginBucket.ACCOUNT_AND_SOURCE, account.withClient());
        add(buckets, LoginBucket.ACCOUNT_AND_WIDE_SOURCE, account.withWideSource());
        add(buckets, LoginBucket.ACCOUNT, account.account());
        add(buckets, LoginBucket.SLOW_ATTEMPTS, account.account());
        add(buckets, LoginBucket.FRESH_ATTEMPTS, account.account());
    }

    private static void add(List<KeyedBucket> buckets, LoginBucket kind, @Nullable BucketKey key) {
        if (key != null) {
            buckets.add(new KeyedBucket(kind, key));
        }
    }
}
