package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.List;

/**
 * Has a {@link KnownPair} admit logins without a token, and takes the tokens of those that are open when it retires.
 *
 * <p>Safe for use by any number of threads.
 */
final class PairAdmission {

    /** After so long a known pair passes the buckets again, which renews what is remembered of its place. */
    private static final Duration PAIR_LIVES_FOR = Duration.ofHours(1);

    private final LoginLedger ledger;
    private final SourceHistory history;

    PairAdmission(LoginLedger ledger, SourceHistory history) {
        this.ledger = ledger;
        this.history = history;
    }

    /** Admits the next logins of this pair without a token, if nothing has failed there. */
    void remember(long spelling, long fingerprint, Where where, List<Who> accounts) {
        KnownPairs pairs = ledger.pairs();
        int failures = pairs.failuresOf(accounts);
        long now = ledger.time().nanoTime();
        KnownPair present = pairs.find(spelling);
        if (where.place() == null
                || (present != null && present.holds(now))
                || !accounts.stream().allMatch(history::isClean)) {
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
        pairs.put(new KnownPair(ledger, spelling, fingerprint, where, accounts, failures, atATime, now + livesFor));
    }

    /** How many tokens the pair's full bucket has beside those that logins hold now. */
    private int tokensLeft(List<Who> accounts) {
        long full = ledger.settings().policy(LoginBucket.KNOWN_PAIR).atOnce();
        int held = accounts.stream()
                .mapToInt(who -> ledger.queue().openAt(LoginSteps.knownPair(who).level()))
                .max()
                .orElse(0);
        return (int) Math.min(full - held, Integer.MAX_VALUE);
    }

    /** Takes the tokens of a login that was admitted without any. */
    HeldTokens adopt(Where where, List<Who> accounts) {
        HeldTokens login = new HeldTokens(ledger, where, accounts, null, 0);
        for (Who who : accounts) {
            LimitLevel level = LoginSteps.knownPair(who).level();
            ledger.queue().open(level);
            Futures.onEnd(ledger.take(level), (take, failure) -> {
                if (take != null && take.taken()) {
                    login.add(level);
                } else {
                    ledger.spend(level);
                }
            });
        }
        return login;
    }
}
