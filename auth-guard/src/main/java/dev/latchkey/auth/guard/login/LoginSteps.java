package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which buckets stand before a login now. Asked anew each time that a login has waited, since its place may have logged in meanwhile.
 *
 * <p>A pair of account and place that has logged in has a bucket of its own, and no other counts for it. A stranger passes three: of the source, of
 * the account from there, and of the account from everywhere. Where the source is not known, two: of all unknown sources together, and of the
 * account. Where the last of these is empty, a lane lets strangers pass one by one.
 */
record LoginSteps(SourceHistory history, WrongPasswords wrong) {

    /** The key of all unknown sources together. */
    private static final BucketKey ALL = new BucketKey(0, 0);

    /** The steps before the account is looked up, by the name that was sent. */
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

    /** The steps when the account was found. What counts by the source alone has been passed by name. */
    List<LimitStep> ofFound(Where where, Who who) {
        List<LimitStep> steps = new ArrayList<>();
        if (history.knows(who)) {
            steps.add(knownPair(who));
        } else {
            addAccount(steps, where, who);
        }
        return steps;
    }

    /** Whether a login passes this bucket only where its place is not known for the account. */
    static boolean isOfStrangers(LoginBucket bucket) {
        return bucket == LoginBucket.ACCOUNT || bucket == LoginBucket.SLOW_LANE || bucket == LoginBucket.FRESH_LANE;
    }

    /** A source has one bucket of repeats for all accounts. All unknown sources share one, but for places that have logged in: each has its own. */
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
        // A place behind an unknown source is what the caller sends: one caller could be fresh each time.
        boolean fresh = where.isKnown() && history.isFresh(where);
        steps.add(LimitStep.of(LoginBucket.ACCOUNT, who.account())
                .orElse(fresh ? LoginBucket.FRESH_LANE : LoginBucket.SLOW_LANE, who.account()));
    }
}
