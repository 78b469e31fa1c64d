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
        List<LimitLevel> levels = new ArrayList<>();
        add(levels, LoginBucket.SOURCE, client.source());
        add(levels, LoginBucket.WIDE_SOURCE, client.wide());
        add(levels, LoginBucket.REPEATS, client.source());
        addAccount(levels, ledger.keys().named(account, account, client));
        storedHashes.forEach(hash -> addAccount(levels, ledger.keys().found(hash, client)));
        CompletableFuture<Set<LoginBucket>> empty =
                CompletableFuture.completedFuture(EnumSet.noneOf(LoginBucket.class));
        for (LimitLevel level : levels) {
            empty = empty.thenCombine(ledger.fill(level), (found, wasEmpty) -> {
                if (wasEmpty) {
                    found.add(level.bucket());
                }
                return found;
            });
        }
        return empty;
    }

    private static void addAccount(List<LimitLevel> levels, AccountKeys account) {
        add(levels, LoginBucket.KNOWN_CLIENT, account.withClient());
        add(levels, LoginBucket.ACCOUNT_AND_SOURCE, account.withClient());
        add(levels, LoginBucket.ACCOUNT_AND_WIDE_SOURCE, account.withWideSource());
        add(levels, LoginBucket.ACCOUNT, account.account());
        add(levels, LoginBucket.SLOW_ATTEMPTS, account.account());
        add(levels, LoginBucket.FRESH_ATTEMPTS, account.account());
    }

    private static void add(List<LimitLevel> levels, LoginBucket bucket, @Nullable BucketKey key) {
        if (key != null) {
            levels.add(new LimitLevel(bucket, key));
        }
    }
}
