package dev.latchkey.tests.simulator;

import dev.latchkey.auth.redis.NodeTraces;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Revocations on the simulated server, seen by one node of a service.
 *
 * @param traces null for a database: a database loses nothing while running, and shows positions late
 */
record ServerRevocations(
        Calls calls, String service, String node, @Nullable NodeTraces traces, Fault fault, Duration longest)
        implements SharedRevocationStore {

    private static final Duration LIFETIME = Duration.ofDays(31);

    @Override
    public SharedRevocationStore within(Duration time) {
        return new ServerRevocations(calls, service, node, traces, fault, time);
    }

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        Op op = calls.op();
        if (op != null) {
            op.ids.add(tokenId);
        }
        Revocation revocation = Revocation.ofToken(tokenId, expiresAt);
        if (fault == Fault.RECORDS_NO_TOKEN) {
            return revocation;
        }
        write(List.of(revocation));
        return revocation;
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        return recordToken(tokenId, expiresAt);
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        Revocation revocation = Revocation.ofSubject(subjectId, notBefore, LIFETIME);
        write(List.of(revocation));
        return revocation;
    }

    @Override
    public void restore(List<Revocation> lost) {
        write(lost);
    }

    private void write(List<Revocation> revocations) {
        if (traces == null) {
            revocations.forEach(each -> calls.commit(longest, () -> inserted(each)));
            return;
        }
        traces.leave(() -> calls.write(longest, () -> {
            Server.Tables tables = tables();
            revocations.forEach(each -> put(tables, ++tables.position, each));
            return trace(tables);
        }));
    }

    /** The position is fixed at once, and becomes visible at the end of the transaction. */
    private Supplier<Revocation> inserted(Revocation revocation) {
        Server.Tables tables = tables();
        long position = ++tables.position;
        return () -> {
            if (tables != tables()) {
                throw Calls.outage("the transaction is gone");
            }
            return put(tables, position, revocation);
        };
    }

    private Revocation put(Server.Tables tables, long position, Revocation revocation) {
        if (fault == Fault.BOUND_GOES_BACK) {
            Long before = tables.positions.remove(revocation.id());
            if (before != null) {
                tables.rows.remove(before);
            }
        }
        return tables.put(position, revocation);
    }

    private long trace(Server.Tables tables) {
        return tables.traces.merge(node, 1L, Long::sum);
    }

    @Override
    public Instant notBefore(String subjectId) {
        return calls.read(longest, () -> tables().boundOf(IdDigest.ofSubject(subjectId)));
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return calls.read(longest, () -> tables().positions.containsKey(IdDigest.ofToken(tokenId)));
    }

    @Override
    public List<Recorded> recordedAfter(long position, int most) {
        return calls.read(longest, () -> {
            List<Recorded> page = new ArrayList<>();
            for (Map.Entry<Long, Revocation> row :
                    tables().rows.tailMap(position, false).entrySet()) {
                if (page.size() < most) {
                    page.add(new Recorded(row.getKey(), row.getValue()));
                }
            }
            return page;
        });
    }

    @Override
    public Duration lateness() {
        return traces != null || fault == Fault.COPY_MISSES_LATE_ROWS
                ? Duration.ZERO
                : Duration.ofSeconds(LATEST_SECONDS);
    }

    @Override
    public long leaveTrace() {
        if (traces == null || fault == Fault.COPY_NOTICES_NO_LOSS) {
            return 0;
        }
        traces.leave(() -> calls.read(longest, () -> {
            Server.Tables tables = tables();
            return calls.server.isFull ? -1 - tables.traces.getOrDefault(node, 0L) : trace(tables);
        }));
        return traces.losses();
    }

    private Server.Tables tables() {
        return calls.server.of(service);
    }
}
