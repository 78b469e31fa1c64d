package dev.latchkey.tests.simulator;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An operation of a client at a node, with its result. */
final class Op {

    enum Kind {
        LOGIN,
        REFRESH,
        LOGOUT,
        END,
        REVOKE_ALL,
        CHECK,
        LIST,
        READ,
        ISSUE_KEY,
        USE_KEY,
        REVOKE_KEY,
        LIST_KEYS,
        ENROL,
        USE_CODE,
        REMOVE_CODES
    }

    enum Result {
        PENDING,
        DONE,
        REFUSED,
        OUTAGE
    }

    /** A node at the begin of an operation, with the time of its clock. */
    record At(String node, int incarnation, String service, Instant clock) {}

    final Kind kind;
    final String node;

    /** Counts the starts of the node: a start forgets everything. */
    final int incarnation;

    final String service;
    final String subject;
    final @Nullable Session session;

    /** The name of the presented token, key or code. */
    final @Nullable String token;

    /** The issuer of the presented access token. */
    @Nullable
    Op issuer;

    /** By the node's clock, when it began. */
    final Instant clock;

    final long startNanos;
    final int start;
    long endNanos;
    int end = Integer.MAX_VALUE;
    Result result = Result.PENDING;

    /** The refresh token of the answer, by its name, or the id of an issued key. */
    @Nullable
    String answer;

    @Nullable
    Session started;

    /** The start of the new session, as stored. */
    @Nullable
    Instant startedAt;

    /** The ids of logins that the stores were told to end, revoke or list, of listed keys, or of issued recovery codes. */
    final Set<String> ids = new HashSet<>();

    /** The time of the stores, measured by the caller. */
    long spentNanos;

    /** How long a login waited for the end of a revoked second. */
    long pausedNanos;

    Op(
            Kind kind,
            At at,
            String subject,
            @Nullable Session session,
            @Nullable String token,
            long startNanos,
            int start) {
        this.kind = kind;
        this.node = at.node();
        this.incarnation = at.incarnation();
        this.service = at.service();
        this.clock = at.clock();
        this.subject = subject;
        this.session = session;
        this.token = token;
        this.startNanos = startNanos;
        this.start = start;
    }

    boolean isDone() {
        return result == Result.DONE;
    }

    /** Whether this operation ended before the other began. */
    boolean isBefore(Op other) {
        return end < other.start;
    }

    boolean isSameNodeAs(Op other) {
        return node.equals(other.node) && incarnation == other.incarnation;
    }

    @Override
    public String toString() {
        return "%d-%s %.3f-%.3fs %s %s %s%s%s -> %s%s%s"
                .formatted(
                        start,
                        end == Integer.MAX_VALUE ? "?" : end,
                        startNanos / 1e9,
                        endNanos / 1e9,
                        node,
                        kind,
                        subject,
                        token != null ? " " + token : session != null ? " s" + session.number : "",
                        issuer == null ? "" : " of " + issuer.start,
                        result,
                        answer == null ? "" : " " + answer,
                        started == null ? "" : " s" + started.number);
    }
}
