package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that a login has to pass now, in the order of the questions. The list is made again after each wait,
 * because the client may have logged in meanwhile.
 *
 * <pre>
 * bucket                                       asked for                                     instead, if empty
 * REPEATS                                      a repeated wrong password, by name            -
 * KNOWN_CLIENT                                 a client that is known for the account        -
 * the others: clients that are not known for the account
 *   UNKNOWN_SOURCES                            an unknown source, by name                    QUIET_ACCOUNTS, if quiet
 *   SOURCE, WIDE_SOURCE                        a known source, by name                       -
 *   ACCOUNT_AND_SOURCE, ACCOUNT_AND_WIDE_...   a known source                                -
 *   ACCOUNT                                    every client                                  FRESH_ or SLOW_ATTEMPTS
 * </pre>
 *
 * <p>Only IPv6 sources have a wide source. After the look-up, only the rows without "by name" apply, for the found
 * account.
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
            buckets.add(ofKnownClient(account));
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
            buckets.add(ofKnownClient(account));
        } else {
            addAccount(buckets, client, account);
        }
        return buckets;
    }

    /** Whether this is the account's bucket for all clients that are not known, or a bucket instead of that bucket. */
    static boolean isOfUnknownClients(LoginBucket kind) {
        return kind == LoginBucket.ACCOUNT || kind == LoginBucket.SLOW_ATTEMPTS || kind == LoginBucket.FRESH_ATTEMPTS;
    }

    /**
     * A source has one bucket of repeats for all accounts. All unknown sources share one bucket, but a client that is
     * known for the account has a separate bucket.
     */
    BucketOrElse repeats(ClientKeys client, AccountKeys account) {
        if (client.source() != null) {
            return BucketOrElse.of(LoginBucket.REPEATS, client.source());
        }
        return BucketOrElse.of(LoginBucket.REPEATS, history.knows(account) ? account.narrowest() : ALL);
    }

    static BucketOrElse ofKnownClient(AccountKeys account) {
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
        if (client.source() != null && account.withClient() != null) {
            buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT_AND_SOURCE, account.withClient()));
        }
        if (account.withWideSource() != null) {
            buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, account.withWideSource()));
        }
        // With an unknown source, the caller controls the fingerprint of the client, and could be a fresh client each
        // time.
        boolean fresh = client.source() != null && history.isFresh(client);
        buckets.add(BucketOrElse.of(LoginBucket.ACCOUNT, account.account())
                .orElse(fresh ? LoginBucket.FRESH_ATTEMPTS : LoginBucket.SLOW_ATTEMPTS, account.account()));
    }
}
