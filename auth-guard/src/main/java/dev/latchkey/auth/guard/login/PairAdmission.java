package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
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
    private final SourceHistory history;

    PairAdmission(LoginLedger ledger, SourceHistory history) {
        this.ledger = ledger;
        this.history = history;
    }

    /** Admits the next logins of this pair without a token, if there were no failures. */
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

    /** The tokens in the pair's full bucket minus those of current logins. */
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
