package dev.latchkey.tests.simulator;

import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What SECURITY.md promises of several nodes, asked of a history. */
final class Promises {

    /** A revocation is seen by each node after this. */
    private static final long STALE = 2_000_000_000L;

    private final History history;
    private final long window;
    private final long skew;
    private final List<String> broken = new ArrayList<>();

    private Promises(History history) {
        this.history = history;
        this.window = history.setting().window().toNanos();
        this.skew = history.setting().skew().toNanos();
    }

    /** The broken promises of this history, each with an operation as evidence. */
    static List<String> brokenBy(History history) {
        Promises promises = new Promises(history);
        for (Op op : history.ops()) {
            promises.ask(op);
        }
        promises.askForBounds();
        promises.broken.addAll(FactorPromises.brokenBy(history));
        return promises.broken;
    }

    private void ask(Op op) {
        if (op.spentNanos > StoreTime.OF_A_REQUEST.toNanos() && op.kind != Op.Kind.READ) {
            broken.add("waits two seconds for its stores: " + op);
        }
        if (op.kind == Op.Kind.LIST && op.isDone()) {
            askWhose(op);
        }
        if (op.kind == Op.Kind.REFRESH && op.isDone()) {
            askExchanged(op);
        }
        if (op.kind == Op.Kind.REFRESH && op.result == Op.Result.REFUSED && isAtHome(op) && !isCaused(op)) {
            broken.add("who got tokens can refresh: " + op);
        }
        if (op.kind == Op.Kind.CHECK && op.isDone()) {
            askRevoked(op);
        }
    }

    private static boolean isAtHome(Op op) {
        return op.session != null && op.session.service.equals(op.service);
    }

    private void askWhose(Op list) {
        for (Session session : history.sessions()) {
            if (list.ids.contains(session.id)
                    && !(session.service.equals(list.service) && session.subject.equals(list.subject))) {
                broken.add("services and accounts see their own sessions: " + list + " has s" + session.number);
            }
        }
    }

    private void askExchanged(Op op) {
        if (!isAtHome(op)) {
            broken.add("a session belongs to its service: " + op);
            return;
        }
        for (Op earlier : history.ops()) {
            if (earlier != op && isSameExchange(earlier, op)) {
                askTwice(earlier, op);
            }
            if (ends(earlier, op.session) && earlier.isDone() && earlier.isBefore(op) && !mayGoOn(earlier, op)) {
                broken.add("a session that ended stays ended: " + op + " after " + earlier);
            }
        }
    }

    private static boolean isSameExchange(Op one, Op other) {
        return one.kind == Op.Kind.REFRESH
                && one.isDone()
                && one.start < other.start
                && one.token != null
                && one.token.equals(other.token);
    }

    private void askTwice(Op earlier, Op op) {
        int both = Math.max(earlier.end, op.end);
        if (isLostBetween(earlier.start, both, history.lostLogins())) {
            return;
        }
        if (op.startNanos - earlier.endNanos > window + skew) {
            broken.add("a token is exchanged once: " + earlier + " and " + op);
        }
        if (!String.valueOf(earlier.answer).equals(op.answer)
                && !isPresented(earlier.answer, both)
                && !isPresented(op.answer, both)) {
            broken.add("who lost a race gets the winner's token: " + earlier + " and " + op);
        }
    }

    private boolean isPresented(String token, int before) {
        return history.ops().stream()
                .anyMatch(op -> op.kind == Op.Kind.REFRESH && token.equals(op.token) && op.start < before);
    }

    /** Whether this operation ended the session, fully or in part. */
    private boolean ends(Op op, Session session) {
        if (!op.service.equals(session.service)) {
            return false;
        }
        if (op.kind == Op.Kind.REVOKE_ALL) {
            Instant startedAt = issuerOf(session).startedAt;
            return op.subject.equals(session.subject) && startedAt != null && !startedAt.isAfter(op.clock);
        }
        return op.kind != Op.Kind.LIST && op.ids.contains(session.id);
    }

    private Op issuerOf(Session session) {
        return session.access.get(0).issuer();
    }

    /** A lost session may have existed once more, until each node knows the end again. */
    private boolean mayGoOn(Op ending, Op refresh) {
        List<Integer> losses = ending.kind == Op.Kind.REVOKE_ALL ? history.lostRevocations() : history.lostLogins();
        return isLostBetween(ending.start, refresh.end, losses)
                && refresh.startNanos <= knownFrom(ending, refresh) + STALE;
    }

    private void askRevoked(Op check) {
        for (Op ending : history.ops()) {
            if (!ending.isDone() || !ending.isBefore(check) || !revokes(ending, check)) {
                continue;
            }
            if (ending.isSameNodeAs(check) || check.startNanos > knownFrom(ending, check) + STALE) {
                broken.add("what was revoked is refused: " + check + " after " + ending);
            }
        }
    }

    private boolean revokes(Op ending, Op check) {
        Session session = check.session;
        Op issuer = check.issuer;
        if (session == null || issuer == null || !check.service.equals(session.service)) {
            return false;
        }
        return ends(ending, session)
                && (ending.kind != Op.Kind.REVOKE_ALL
                        || issuer.kind == Op.Kind.LOGIN
                        || !issuer.clock.isAfter(ending.clock));
    }

    /** The time from which the store keeps the end for good: a node restores lost entries. */
    private long knownFrom(Op ending, Op check) {
        int loss = -1;
        for (int each : history.lostRevocations()) {
            if (each > ending.start && each < check.end) {
                loss = each;
            }
        }
        if (loss < 0) {
            return ending.endNanos;
        }
        for (Op read : history.ops()) {
            if (read.kind == Op.Kind.READ && read.isDone() && read.isSameNodeAs(ending) && read.start > loss) {
                return Math.max(read.endNanos, ending.endNanos);
            }
        }
        return Long.MAX_VALUE - STALE;
    }

    private static boolean isLostBetween(int from, int to, List<Integer> losses) {
        return losses.stream().anyMatch(each -> each > from && each < to);
    }

    /** Whether the rejection of this refresh has a reason. */
    private boolean isCaused(Op refused) {
        Session session = refused.session;
        if (isLostBetween(issuerOf(session).start, refused.end, history.lostLogins())) {
            return true;
        }
        for (Op op : history.ops()) {
            if (op != refused && op.start < refused.end && (mayEnd(op, session) || isReused(op, session, refused))) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayEnd(Op op, Session session) {
        return op.service.equals(session.service)
                && (op.kind == Op.Kind.REVOKE_ALL
                        ? op.subject.equals(session.subject)
                        : op.kind != Op.Kind.REFRESH && op.kind != Op.Kind.LIST && op.ids.contains(session.id));
    }

    /** Whether a client repeated the token of this operation too late, or after the use of its successor. */
    private boolean isReused(Op first, Session session, Op refused) {
        if (first.kind != Op.Kind.REFRESH || first.session != session || !first.service.equals(session.service)) {
            return false;
        }
        for (Op again : history.ops()) {
            if (again != first
                    && again.kind == Op.Kind.REFRESH
                    && again.session == session
                    && again.start <= refused.start
                    && String.valueOf(first.token).equals(again.token)
                    && again.service.equals(session.service)
                    && (Math.max(first.endNanos, again.endNanos) - Math.min(first.startNanos, again.startNanos) + skew
                                    >= window
                            || isPassedOn(first.token, Math.max(first.end, again.end)))) {
                return true;
            }
        }
        return isPassedOn(first.token, first.end);
    }

    /** Whether a client came with the successor of this token by then. */
    private boolean isPassedOn(String token, int by) {
        Set<String> successors = new TreeSet<>();
        for (Op op : history.ops()) {
            if (op.kind == Op.Kind.REFRESH && token.equals(op.token) && op.answer != null) {
                successors.add(op.answer);
            }
        }
        return history.ops().stream()
                .anyMatch(op -> op.kind == Op.Kind.REFRESH
                        && op.token != null
                        && successors.contains(op.token)
                        && op.start < by);
    }

    private void askForBounds() {
        int most = history.setting().most();
        if (most == 0
                || !history.lostRevocations().isEmpty()
                || !history.lostLogins().isEmpty()) {
            return;
        }
        Map<String, Integer> live = new HashMap<>();
        for (Session session : history.sessions()) {
            if (history.isLive().test(session)
                    && live.merge(session.service + " " + session.subject, 1, Integer::sum) > most) {
                broken.add("an account has no more than " + most + ": " + session.subject);
            }
        }
    }
}
