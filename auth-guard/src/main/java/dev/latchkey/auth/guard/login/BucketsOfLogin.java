package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets before a login at this time. Computed again after each wait, because the client may have logged in
 * meanwhile. A login passes these buckets in turn:
 *
 * <ul>
 *   <li>any client that repeats a wrong password: the bucket of repeats, of the source
 *   <li>a client known for the account: the bucket of the two, and no other
 *   <li>another client with a source: the source, the network around an IPv6 source, the account with each of both, the account
 *   <li>a client without a source: all unknown sources together, the account
 * </ul>
 *
 * <p>Two buckets have another that counts instead if they are empty. A slow bucket admits single logins of an account, with a
 * bucket of its own for sources without failures. Accounts without recent failures have a bucket beside that of all unknown
 * sources.
 */
record BucketsOfLogin(SourceHistory history, WrongPasswords wrong) {

    /** The key of all unknown sources together. */
    private static final BucketKey ALL = new BucketKey(0, 0);

    /** The buckets before the account's look-up, by the presented name. */
    List<BucketOrElse> ofName(ClientKeys client, AccountKeys account, @Nullable BucketKey guess) {
        List<BucketOrElse> buckets = new ArrayList<>();
        if (guess != null && wrong.has(account.narrowest(), guess)) {
            buckets.add(repeats(client, account));
        }
        if (history.knows(account)) {
            buckets.add(knownPair(account));
            return buckets;
        }
        addSource(buckets, client, account);
        addAccount(buckets, client, account);
        return buckets;
    }

    /** The buckets after the account is found. The buckets by source alone were passed before. */
    List<BucketOrElse> ofFound(ClientKeys client, AccountKeys account) {
        List<BucketOrElse> buckets = new ArrayList<>();
        if (history.knows(account)) {
            buckets.add(knownPair(account));
        } else {
            addAccount(buckets, client, account);
        }
        return buckets;
    }

    /** Whether only clients that are not known for the account pass this bucket. */
    static boolean isOfUnknownClients(LoginBucket bucket) {
        return bucket == LoginBucket.ACCOUNT
                || bucket == LoginBucket.SLOW_ATTEMPTS
                || bucket == LoginBucket.FRESH_ATTEMPTS;
    }

    /**
     * A source has one bucket of repeats for all accounts. All unknown sources share one bucket, but each known client
     * has a separate bucket.
     */
    BucketOrElse repeats(ClientKeys client, AccountKeys account) {
        if (client.source() != null) {
            return BucketOrElse.of(LoginBucket.REPEATS, client.source());
        }
        return BucketOrElse.of(LoginBucket.REPEATS, history.knows(account) ? account.narrowest() : ALL);
    }

    static BucketOrElse knownPair(AccountKeys account) {
        return BucketOrElse.of(LoginBucket.KNOWN_CLIENT, account.narrowest());
    }

    private void addSource(List<BucketOrElse> buckets, ClientKeys client, AccountKeys account) {
        if (client.source() == null) {
            BucketOrElse all = BucketOrElse.of(LoginBucket.UNKNOWN_SOURCES, ALL);
            buckets.add(history.isQuiet(account) ? all.orElse(LoginBucket.QUIET_ACCOUNTS, ALL) : all);
            return;
        }
        buckets.add(BucketOrElse.of(LoginBucket.SOURCE, client.source()));
        if (client.wide() != null) {
            buckets.add(BucketOrElse.of(LoginBucket.WIDE_SOURCE, client.wide()));
        }
    }

    private void addAccount(List<BucketOrElse> buckets, ClientKeys client, AccountKeys account) {
        if (client.hasSource() && account.withClient() != null) {
            buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT_AND_SOURCE, account.withClient()));
        }
        if (account.withWideSource() != null) {
            buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, account.withWideSource()));
        }
        // Behind an unknown source, the caller controls the client's fingerprint and could be fresh each time.
        boolean fresh = client.hasSource() && history.isFresh(client);
        buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT, account.account())
                .orElse(fresh ? LoginBucket.FRESH_ATTEMPTS : LoginBucket.SLOW_ATTEMPTS, account.account()));
    }
}
