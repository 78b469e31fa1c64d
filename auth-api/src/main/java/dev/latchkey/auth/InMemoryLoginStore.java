package dev.latchkey.auth;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The logins that this process knows of; when it ends, everybody has to log in again.
 *
 * <p>Bounded twice: by the number of logins, of which the one that was prolonged the longest ago makes room, and by the number for
 * each subject, so that nobody can push out the others by logging in without end. To forget one is safe: it costs a login.
 */
public final class InMemoryLoginStore implements LoginStore {

    private static final int MAX_FOR_EACH_SUBJECT = 50;

    /** Plugins may have accounts of one name, and the one's logins make no room for the other's. */
    private record Owner(String plugin, String subjectId) {
        static Owner of(StoredLogin login) {
            return new Owner(login.plugin(), login.subjectId());
        }
    }

    private final InstantSource clock;
    private final int maxLogins;

    /** In the order in which they were last prolonged. */
    private final Map<String, StoredLogin> logins = new LinkedHashMap<>();

    /** The ids of each subject's logins, the oldest first. */
    private final Map<Owner, Deque<String>> bySubject = new HashMap<>();

    /**
     * A store for this many logins.
     *
     * @throws IllegalArgumentException if that is not positive
     */
    public InMemoryLoginStore(int maxLogins) {
        this(maxLogins, InstantSource.system());
    }

    InMemoryLoginStore(int maxLogins, InstantSource clock) {
        if (maxLogins < 1) {
            throw new IllegalArgumentException("A store must hold at least one login, got " + maxLogins);
        }
        this.maxLogins = maxLogins;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public synchronized void start(StoredLogin login) {
        dropExpired();
        Deque<String> others = bySubject.computeIfAbsent(Owner.of(login), subject -> new ArrayDeque<>());
        others.add(login.id());
        logins.put(login.id(), login);
        if (others.size() > MAX_FOR_EACH_SUBJECT) {
            end(others.getFirst());
        } else if (logins.size() > maxLogins) {
            end(logins.keySet().iterator().next());
        }
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

    /** How many logins are remembered now. */
    public synchronized int size() {
        return logins.size();
    }

    /** The first in order expire first, but for those whose end is near: these go when they get there. */
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
        bySubject.computeIfPresent(Owner.of(login), (subject, ids) -> {
            ids.remove(login.id());
            return ids.isEmpty() ? null : ids;
        });
    }
}
