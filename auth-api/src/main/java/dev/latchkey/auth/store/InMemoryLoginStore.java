package dev.latchkey.auth.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The sessions of this process. When the process ends, all users must log in again.
 *
 * <p>Two limits apply. If there are too many sessions in all, the session with the oldest refresh is removed. Each
 * account also has its own limit, so an account with endless logins cannot remove the sessions of other accounts. A
 * removed session is safe: the user logs in again.
 */
public final class InMemoryLoginStore implements LoginStore {

    private final InstantSource clock;
    private final int maxLogins;

    /** The sessions by id, in the order of their last refresh. */
    private final Map<String, StoredLogin> logins = new LinkedHashMap<>();

    /** The ids of each account's sessions, newest first. */
    private final Map<String, Deque<String>> byOwner = new HashMap<>();

    /**
     * A store for this many sessions.
     *
     * @param maxLogins the limit for all accounts together; positive
     * @throws IllegalArgumentException if the limit is not positive
     */
    public InMemoryLoginStore(int maxLogins) {
        this(maxLogins, InstantSource.system());
    }

    /**
     * A store for this many sessions, with this clock.
     *
     * @param maxLogins the limit for all accounts together; positive
     * @param clock decides whether a session has expired
     * @throws IllegalArgumentException if the limit is not positive
     */
    public InMemoryLoginStore(int maxLogins, InstantSource clock) {
        if (maxLogins < 1) {
            throw new IllegalArgumentException("A store must hold at least one login, got " + maxLogins);
        }
        this.maxLogins = maxLogins;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public synchronized void start(StoredLogin login) {
        dropExpired();
        end(login.id());
        Deque<String> ids = byOwner.computeIfAbsent(login.subjectId(), owner -> new ArrayDeque<>());
        ids.addFirst(login.id());
        logins.put(login.id(), login);
        if (ids.size() > MOST_OF_OWNER) {
            end(ids.getLast());
        } else if (logins.size() > maxLogins) {
            end(logins.keySet().iterator().next());
        }
    }

    @Override
    public synchronized List<StoredLogin> ofOwner(String subjectId) {
        Instant now = clock.instant();
        return byOwner.getOrDefault(subjectId, new ArrayDeque<>()).stream()
                .flatMap(id -> find(id).stream())
                .filter(login -> now.isBefore(login.expiresAt()))
                .toList();
    }

    @Override
    public synchronized Optional<StoredLogin> find(String id) {
        return Optional.ofNullable(logins.get(id));
    }

    @Override
    public synchronized boolean replace(String expectedTokenHash, StoredLogin next) {
        StoredLogin present = logins.get(next.id());
        if (present == null || !present.tokenHash().equals(expectedTokenHash)) {
            return false;
        }
        logins.remove(next.id());
        logins.put(next.id(), next);
        return true;
    }

    @Override
    public synchronized boolean end(String id) {
        StoredLogin ended = logins.remove(id);
        if (ended != null) {
            forgetOf(ended);
        }
        return ended != null;
    }

    /**
     * The number of sessions in the store.
     *
     * @return sessions of all accounts; some may have expired
     */
    public synchronized int size() {
        return logins.size();
    }

    /**
     * Removes expired sessions, in the order of the last refresh. The first sessions in this order expire first, except
     * sessions near their end. Such a session is removed when the session becomes the first.
     */
    private void dropExpired() {
        Instant now = clock.instant();
        Iterator<StoredLogin> oldestFirst = logins.values().iterator();
        while (oldestFirst.hasNext()) {
            StoredLogin login = oldestFirst.next();
            if (now.isBefore(login.expiresAt())) {
                return;
            }
            oldestFirst.remove();
            forgetOf(login);
        }
    }

    private void forgetOf(StoredLogin login) {
        byOwner.computeIfPresent(login.subjectId(), (owner, ids) -> {
            ids.remove(login.id());
            return ids.isEmpty() ? null : ids;
        });
    }
}
