package dev.latchkey.tests.simulator;

import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The server of all nodes: a primary, a replica's data, and earlier states as backups. */
final class Server {

    /** The data of one service. */
    static final class Tables {

        /** In the order of their starts. */
        final Map<String, StoredLogin> logins = new LinkedHashMap<>();

        final TreeMap<Long, Revocation> rows = new TreeMap<>();
        final Map<IdDigest, Long> positions = new HashMap<>();
        final Map<String, Long> traces = new HashMap<>();
        long position;

        Tables copy() {
            Tables copy = new Tables();
            copy.logins.putAll(logins);
            copy.rows.putAll(rows);
            copy.positions.putAll(positions);
            copy.traces.putAll(traces);
            copy.position = position;
            return copy;
        }

        Instant boundOf(IdDigest subject) {
            Long position = positions.get(subject);
            return position == null ? Instant.MIN : rows.get(position).notBefore();
        }

        /** In one step; the later bound and the later end stay. */
        Revocation put(long at, Revocation revocation) {
            Long before = positions.get(revocation.id());
            Revocation kept = revocation;
            if (before != null) {
                Revocation old = rows.get(before);
                kept = new Revocation(
                        revocation.id(),
                        old.notBefore().isAfter(revocation.notBefore()) ? old.notBefore() : revocation.notBefore(),
                        old.until().isAfter(revocation.until()) ? old.until() : revocation.until());
                if (before > at) {
                    rows.put(before, kept);
                    return kept;
                }
                rows.remove(before);
            }
            rows.put(at, kept);
            positions.put(revocation.id(), at);
            return kept;
        }
    }

    private Map<String, Tables> primary = new HashMap<>();
    private Map<String, Tables> replica = new HashMap<>();
    private final List<Map<String, Tables>> backups = new ArrayList<>();
    boolean isDown;
    boolean isFull;
    boolean isReplicaAway;

    Tables of(String service) {
        return primary.computeIfAbsent(service, name -> new Tables());
    }

    Tables ofReplica(String service) {
        return replica.computeIfAbsent(service, name -> new Tables());
    }

    /** The replica has everything. */
    void replicate() {
        replica = copy(primary);
    }

    /** The replica is the primary from now on, and has another replica of its own. */
    void failOver() {
        primary = replica;
        replica = copy(primary);
    }

    void backUp() {
        backups.add(copy(primary));
    }

    boolean hasBackup() {
        return !backups.isEmpty();
    }

    void restore(int number) {
        primary = copy(backups.get(number % backups.size()));
        replica = copy(primary);
    }

    void empty() {
        primary = new HashMap<>();
        replica = new HashMap<>();
    }

    private static Map<String, Tables> copy(Map<String, Tables> tables) {
        Map<String, Tables> copy = new HashMap<>();
        tables.forEach((service, each) -> copy.put(service, each.copy()));
        return copy;
    }
}
