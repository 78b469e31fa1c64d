package dev.latchkey.tests.simulator;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Sessions on the simulated server, seen by one node of a service. */
record ServerLogins(Calls calls, String service, InstantSource clock, boolean waits, Fault fault, Duration longest)
        implements LoginStore {

    @Override
    public LoginStore within(Duration time) {
        return new ServerLogins(calls, service, clock, waits, fault, time);
    }

    @Override
    public void start(StoredLogin login) {
        Op op = calls.op();
        if (op != null) {
            op.startedAt = login.startedAt();
        }
        boolean isSo = calls.writeAndWait(
                longest,
                () -> {
                    tables().logins.remove(login.id());
                    tables().logins.put(login.id(), login);
                    return true;
                },
                waits ? () -> hasToken(login.id(), login.tokenHash()) : null);
        if (!isSo) {
            throw Calls.outage("another state than was written");
        }
    }

    @Override
    public List<StoredLogin> ofOwner(String subjectId) {
        return calls.read(longest, () -> {
            Instant now = clock.instant();
            Server.Tables read = fault == Fault.LISTS_FROM_THE_REPLICA ? calls.server.ofReplica(service) : tables();
            List<StoredLogin> logins = new ArrayList<>(read.logins.values());
            Collections.reverse(logins);
            logins.removeIf(login -> !login.subjectId().equals(subjectId) || !now.isBefore(login.expiresAt()));
            return logins;
        });
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return calls.read(longest, () -> {
            Server.Tables read = fault == Fault.READS_FROM_THE_REPLICA ? calls.server.ofReplica(service) : tables();
            return Optional.ofNullable(read.logins.get(id));
        });
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin login) {
        StoredLogin next = fault == Fault.FORGETS_THE_SEED ? withoutReplaced(login) : login;
        boolean isReplaced = calls.writeAndWait(
                longest,
                () -> put(expectedTokenHash, next),
                waits && fault != Fault.WAITS_FOR_NO_REPLICA
                        ? () -> hasToken(next.id(), next.tokenHash()) || hadToken(next.id(), next.tokenHash())
                        : null);
        return isReplaced || (fault == Fault.LOST_RACE_IS_TOLD && expectedTokenHash.equals(next.tokenHash()));
    }

    private boolean put(String expectedTokenHash, StoredLogin next) {
        StoredLogin present = tables().logins.get(next.id());
        boolean isExpected = present == null
                ? fault == Fault.REPLACES_WHAT_HAS_ENDED
                : fault == Fault.REPLACES_WITHOUT_COMPARING
                        || present.tokenHash().equals(expectedTokenHash);
        if (isExpected) {
            tables().logins.put(next.id(), next);
        }
        return isExpected;
    }

    @Override
    public boolean end(String id) {
        Op op = calls.op();
        if (op != null) {
            op.ids.add(id);
        }
        boolean[] wasThere = new boolean[1];
        boolean isSo = calls.writeAndWait(
                longest,
                () -> {
                    wasThere[0] = tables().logins.remove(id) != null;
                    return true;
                },
                waits ? () -> !tables().logins.containsKey(id) : null);
        if (!isSo) {
            throw Calls.outage("another state than was written");
        }
        return wasThere[0];
    }

    private Server.Tables tables() {
        return calls.server.of(service);
    }

    private boolean hasToken(String id, String hash) {
        StoredLogin present = tables().logins.get(id);
        return present != null && present.tokenHash().equals(hash);
    }

    private boolean hadToken(String id, String hash) {
        StoredLogin present = tables().logins.get(id);
        return present != null
                && present.replaced() != null
                && present.replaced().tokenHash().equals(hash);
    }

    private static StoredLogin withoutReplaced(StoredLogin login) {
        return new StoredLogin(
                login.id(),
                login.plugin(),
                login.subjectId(),
                login.tokenHash(),
                login.stamp(),
                login.methods(),
                login.startedAt(),
                login.endsAt(),
                login.expiresAt(),
                null,
                login.device());
    }
}
