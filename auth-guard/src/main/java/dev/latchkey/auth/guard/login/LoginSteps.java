package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets before a login at this time. Computed again after each wait, because the client may have logged in
 * meanwhile.
 *
 * <p>A known client has one separate bucket for the account, and no other bucket counts. Other clients pass three: of
 * the source, of the account from this source, and of the account from everywhere. With an unknown source there are
 * two: of all unknown sources together, and of the account. If the last bucket is empty, a lane admits such clients one
 * by one.
 */
record LoginSteps(SourceHistory history, WrongPasswords wrong) {

    /** The key of all unknown sources together. */
    private static final BucketKey ALL = new BucketKey(0, 0);

    /** The steps before the account's look-up, by the presented name. */
    List<LimitStep> ofName(Where where, Who who, @Nullable BucketKey guess) {
        List<LimitStep> steps = new ArrayList<>();
        if (guess != null && wrong.has(who.atPlaceOrAnywhere(), guess)) {
            steps.add(repeats(where, who));
        }
        if (history.knows(who)) {
            steps.add(knownPair(who));
            return steps;
        }
        addSource(steps, where, who);
        addAccount(steps, where, who);
        return steps;
    }

    /** The steps after the account is found. The buckets by source alone were passed before. */
    List<LimitStep> ofFound(Where where, Who who) {
        List<LimitStep> steps = new ArrayList<>();
        if (history.knows(who)) {
            steps.add(knownPair(who));
        } else {
            addAccount(steps, where, who);
        }
        return steps;
    }

    /** Whether only clients that are not known for the account pass this bucket. */
    static boolean isOfStrangers(LoginBucket bucket) {
        return bucket == LoginBucket.ACCOUNT || bucket == LoginBucket.SLOW_LANE || bucket == LoginBucket.FRESH_LANE;
    }

    /**
     * A source has one bucket of repeats for all accounts. All unknown sources share one bucket, but each known client
     * has a separate bucket.
     */
    LimitStep repeats(Where where, Who who) {
        if (where.source() != null) {
            return LimitStep.of(LoginBucket.REPEATS, where.source());
        }
        return LimitStep.of(LoginBucket.REPEATS, history.knows(who) ? who.atPlaceOrAnywhere() : ALL);
    }

    static LimitStep knownPair(Who who) {
        return LimitStep.of(LoginBucket.KNOWN_PAIR, who.atPlaceOrAnywhere());
    }

    private void addSource(List<LimitStep> steps, Where where, Who who) {
        if (where.source() == null) {
            LimitStep all = LimitStep.of(LoginBucket.UNKNOWN_SOURCES, ALL);
            steps.add(history.isQuiet(who) ? all.orElse(LoginBucket.QUIET_ACCOUNTS, ALL) : all);
            return;
        }
        steps.add(LimitStep.of(LoginBucket.SOURCE, where.source()));
        if (where.wide() != null) {
            steps.add(LimitStep.of(LoginBucket.WIDE_SOURCE, where.wide()));
        }
    }

    private void addAccount(List<LimitStep> steps, Where where, Who who) {
        if (where.isKnown() && who.atPlace() != null) {
            steps.add(LimitStep.of(LoginBucket.ACCOUNT_AND_SOURCE, who.atPlace()));
        }
        if (who.atWideSource() != null) {
            steps.add(LimitStep.of(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, who.atWideSource()));
        }
        // Behind an unknown source, the caller controls the client's fingerprint and could be fresh each time.
        boolean fresh = where.isKnown() && history.isFresh(where);
        steps.add(LimitStep.of(LoginBucket.ACCOUNT, who.account())
                .orElse(fresh ? LoginBucket.FRESH_LANE : LoginBucket.SLOW_LANE, who.account()));
    }
}
