package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets before a login at this time. Computed again after each wait, because the client may have logged in
 * meanwhile.
 *
 * <p>A known client has one separate bucket for the account, and no other bucket counts. Other clients pass three: of
 * the source, of the account from this source, and of the account from everywhere. With an unknown source there are
 * two: of all unknown sources together, and of the account. If the last bucket is empty, a slow bucket admits such clients one
 * by one.
 */
record LoginSteps(SourceHistory history, WrongPasswords wrong) {

    /** The key of all unknown sources together. */
    private static final BucketKey ALL = new BucketKey(0, 0);

    /** The steps before the account's look-up, by the presented name. */
    List<LimitStep> ofName(ClientKeys client, AccountKeys account, @Nullable BucketKey guess) {
        List<LimitStep> steps = new ArrayList<>();
        if (guess != null && wrong.has(account.narrowest(), guess)) {
            steps.add(repeats(client, account));
        }
        if (history.knows(account)) {
            steps.add(knownPair(account));
            return steps;
        }
        addSource(steps, client, account);
        addAccount(steps, client, account);
        return steps;
    }

    /** The steps after the account is found. The buckets by source alone were passed before. */
    List<LimitStep> ofFound(ClientKeys client, AccountKeys account) {
        List<LimitStep> steps = new ArrayList<>();
        if (history.knows(account)) {
            steps.add(knownPair(account));
        } else {
            addAccount(steps, client, account);
        }
        return steps;
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
    LimitStep repeats(ClientKeys client, AccountKeys account) {
        if (client.source() != null) {
            return LimitStep.of(LoginBucket.REPEATS, client.source());
        }
        return LimitStep.of(LoginBucket.REPEATS, history.knows(account) ? account.narrowest() : ALL);
    }

    static LimitStep knownPair(AccountKeys account) {
        return LimitStep.of(LoginBucket.KNOWN_CLIENT, account.narrowest());
    }

    private void addSource(List<LimitStep> steps, ClientKeys client, AccountKeys account) {
        if (client.source() == null) {
            LimitStep all = LimitStep.of(LoginBucket.UNKNOWN_SOURCES, ALL);
            steps.add(history.isQuiet(account) ? all.orElse(LoginBucket.QUIET_ACCOUNTS, ALL) : all);
            return;
        }
        steps.add(LimitStep.of(LoginBucket.SOURCE, client.source()));
        if (client.wide() != null) {
            steps.add(LimitStep.of(LoginBucket.WIDE_SOURCE, client.wide()));
        }
    }

    private void addAccount(List<LimitStep> steps, ClientKeys client, AccountKeys account) {
        if (client.source() != null && account.withClient() != null) {
            steps.add(LimitStep.of(LoginBucket.ACCOUNT_AND_SOURCE, account.withClient()));
        }
        if (account.withWideSource() != null) {
            steps.add(LimitStep.of(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, account.withWideSource()));
        }
        // Behind an unknown source, the caller controls the client's fingerprint and could be fresh each time.
        boolean fresh = client.source() != null && history.isFresh(client);
        steps.add(LimitStep.of(LoginBucket.ACCOUNT, account.account())
                .orElse(fresh ? LoginBucket.FRESH_ATTEMPTS : LoginBucket.SLOW_ATTEMPTS, account.account()));
    }
}
