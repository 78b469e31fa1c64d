package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.List;

/**
 * Lets a {@link KnownPair} admit logins without tokens, and takes the tokens of open logins when the pair retires.
 *
 * <p>Safe for use by any number of threads.
 */
final class PairAdmission {

    /** After this time a known client passes the buckets again, which renews its entry in the history. */
    private static final Duration PAIR_LIVES_FOR = Duration.ofHours(1);

    private final LoginLedger ledger;

    PairAdmission(LoginLedger ledger) {
        this.ledger = ledger;
    }

    /** Admits the next logins of this pair without a token, if there were no failures. */
    void remember(long spelling, long fingerprint, ClientKeys client, List<AccountKeys> accounts) {
        KnownPairs pairs = ledger.pairs();
        int failures = pairs.failuresOf(accounts);
        long now = ledger.time().nanoTime();
        KnownPair present = pairs.find(spelling);
        if (client.client() == null
                || (present != null && present.holds(now))
                || !accounts.stream().allMatch(ledger.history()::isClean)) {
            return;
        }
        pairs.retireAt(accounts);
        int atATime = tokensLeft(accounts);
        if (atATime < 1) {
            return;
        }
        long livesFor = Math.min(
                PAIR_LIVES_FOR.toNanos(),
                Durations.saturatedNanos(ledger.settings().memory().sourcesFor()));
        pairs.put(new KnownPair(ledger, spelling, fingerprint, client, accounts, failures, atATime, now + livesFor));
    }

    /** The tokens in the pair's full bucket minus those of current logins. */
    private int tokensLeft(List<AccountKeys> accounts) {
        long full = ledger.settings().policy(LoginBucket.KNOWN_CLIENT).atOnce();
        int held = accounts.stream()
                .mapToInt(account -> ledger.queue()
                        .openAt(BucketsOfLogin.ofKnownClient(account).bucket()))
                .max()
                .orElse(0);
        return (int) Math.min(full - held, Integer.MAX_VALUE);
    }

    /** Takes the tokens of a login that was admitted without any. */
    BucketedLogin adopt(ClientKeys client, List<AccountKeys> accounts) {
        BucketedLogin login = new BucketedLogin(ledger, client, accounts, null, 0);
        for (AccountKeys account : accounts) {
            KeyedBucket bucket = BucketsOfLogin.ofKnownClient(account).bucket();
            ledger.queue().open(bucket);
            Futures.onEnd(ledger.take(bucket), (take, failure) -> {
                if (take != null && take.taken()) {
                    login.add(bucket);
                } else {
                    ledger.close(bucket);
                }
            });
        }
        return login;
    }
}
