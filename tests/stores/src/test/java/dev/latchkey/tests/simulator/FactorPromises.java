package dev.latchkey.tests.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The promises about API keys and one-time codes of several nodes. */
final class FactorPromises {

    private final History history;
    private final long seenWithin;
    private final List<String> broken = new ArrayList<>();

    private FactorPromises(History history) {
        this.history = history;
        this.seenWithin = history.setting().window().toNanos();
    }

    /** The setting's bound is the bound of keys, and its window the delay of a revocation at another node. */
    static List<String> brokenBy(History history) {
        FactorPromises promises = new FactorPromises(history);
        history.ops().forEach(promises::ask);
        return promises.broken;
    }

    private void ask(Op op) {
        switch (op.kind) {
            case ISSUE_KEY -> askIssued(op);
            case LIST_KEYS -> askListed(op);
            case USE_KEY -> askUsed(op);
            case USE_CODE -> askCode(op);
            default -> {}
        }
    }

    private Stream<Op> ops(Op.Kind kind, Predicate<Op> condition) {
        return history.ops().stream().filter(op -> op.kind == kind).filter(condition);
    }

    private void askIssued(Op issue) {
        int most = history.setting().most();
        if (issue.isDone() && presentAt(issue) > most) {
            broken.add("an account has no more than " + most + " keys: " + issue);
        }
        if (issue.result == Op.Result.REFUSED && maybeThere(issue) < most) {
            broken.add("an account may have " + most + " keys: " + issue);
        }
    }

    /** The account's keys that were issued by the end of this operation and revoked later. */
    private long presentAt(Op end) {
        return ops(
                        Op.Kind.ISSUE_KEY,
                        op -> op.isDone()
                                && op.subject.equals(end.subject)
                                && op.end <= end.end
                                && revocations(op).noneMatch(revocation -> revocation.start < end.end))
                .count();
    }

    /** The keys that may have existed during this operation, if every uncertain call had an effect. */
    private long maybeThere(Op refused) {
        return ops(
                        Op.Kind.ISSUE_KEY,
                        op -> op != refused
                                && op.subject.equals(refused.subject)
                                && op.start < refused.end
                                && op.result != Op.Result.REFUSED
                                && revocations(op).noneMatch(each -> each.isDone() && each.isBefore(refused)))
                .count();
    }

    private Stream<Op> revocations(Op issue) {
        return ops(Op.Kind.REVOKE_KEY, op -> op.token != null && op.token.equals(issue.answer));
    }

    private void askListed(Op list) {
        int most = history.setting().most();
        if (list.isDone() && list.ids.size() > most) {
            broken.add("an account has no more than " + most + " keys: " + list + " has " + list.ids);
        }
    }

    private void askUsed(Op use) {
        List<Op> revocations = ops(
                        Op.Kind.REVOKE_KEY, op -> String.valueOf(use.token).equals(op.token))
                .toList();
        if (use.isDone()) {
            revocations.stream()
                    .filter(op -> op.isDone() && op.isBefore(use))
                    .filter(op -> op.isSameNodeAs(use) || use.startNanos - op.endNanos > seenWithin)
                    .forEach(op -> broken.add("a revoked key is refused: " + use + " after " + op));
        }
        if (use.result == Op.Result.REFUSED && revocations.stream().noneMatch(op -> op.start < use.end)) {
            broken.add("an issued key works: " + use);
        }
    }

    private void askCode(Op use) {
        List<Op> others =
                ops(Op.Kind.USE_CODE, op -> op != use && isSameCode(op, use)).toList();
        if (use.isDone()) {
            others.stream()
                    .filter(op -> op.isDone() && op.start < use.start)
                    .forEach(op -> broken.add("a code works once: " + op + " and " + use));
        }
        if (isRecovery(use)) {
            askRecovery(use, others);
        }
    }

    /** Codes of apps also end with their time, and another enrolment has other codes. */
    private static boolean isRecovery(Op use) {
        return String.valueOf(use.token).startsWith("r");
    }

    private void askRecovery(Op use, List<Op> others) {
        Optional<Op> enrolment = ops(Op.Kind.ENROL, op -> op.ids.contains(String.valueOf(use.token)))
                .findFirst();
        int begun = enrolment.map(op -> op.start).orElse(0);
        int enrolled = enrolment.map(op -> op.end).orElse(0);
        List<Op> removals =
                ops(Op.Kind.REMOVE_CODES, op -> op.subject.equals(use.subject)).toList();
        if (use.isDone()) {
            removals.stream()
                    .filter(op -> op.isDone() && op.start > enrolled && op.isBefore(use))
                    .forEach(op -> broken.add("a code of a removed enrolment is refused: " + use + " after " + op));
        }
        if (use.result == Op.Result.REFUSED
                && others.stream().noneMatch(op -> op.result != Op.Result.REFUSED && op.start < use.end)
                && removals.stream().noneMatch(op -> op.end > begun && op.start < use.end)) {
            broken.add("an unused recovery code works: " + use);
        }
    }

    private static boolean isSameCode(Op one, Op other) {
        return one.subject.equals(other.subject) && String.valueOf(one.token).equals(other.token);
    }
}
