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
public final class InMemoryRefreshTokenStore implements RefreshTokenStore {

    private static final int MAX_FOR_EACH_SUBJECT = 50;

    /** Plugins may have accounts of one name, and the one's logins make no room for the other's. */
    private record Owner(String plugin, String subjectId) {
        static Owner of(RefreshFamily family) {
            return new Owner(family.plugin(), family.subjectId());
        }
    }

    private final InstantSource clock;
    private final int maxFamilies;

    /** In the order in which they were last prolonged. */
    private final Map<String, RefreshFamily> families = new LinkedHashMap<>();

    /** The ids of each subject's families, the oldest login first. */
    private final Map<Owner, Deque<String>> bySubject = new HashMap<>();

    /**
     * A store for this many logins.
     *
     * @throws IllegalArgumentException if that is not positive
     */
    public InMemoryRefreshTokenStore(int maxFamilies) {
        this(maxFamilies, InstantSource.system());
    }

    InMemoryRefreshTokenStore(int maxFamilies, InstantSource clock) {
        if (maxFamilies < 1) {
            throw new IllegalArgumentException("A store must hold at least one login, got " + maxFamilies);
        }
        this.maxFamilies = maxFamilies;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public synchronized void start(RefreshFamily family) {
        dropExpired();
        Deque<String> others = bySubject.computeIfAbsent(Owner.of(family), subject -> new ArrayDeque<>());
        others.add(family.id());
        families.put(family.id(), family);
        if (others.size() > MAX_FOR_EACH_SUBJECT) {
            end(others.getFirst());
        } else if (families.size() > maxFamilies) {
            end(families.keySet().iterator().next());
        }
    }

    @Override
    public synchronized Optional<RefreshFamily> find(String id) {
        return Optional.ofNullable(families.get(id));
    }

    @Override
    public synchronized boolean replace(String expectedTokenHash, RefreshFamily next) {
        RefreshFamily present = families.get(next.id());
        if (present == null || !present.tokenHash().equals(expectedTokenHash)) {
            return false;
        }
        families.remove(next.id());
        families.put(next.id(), next);
        return true;
    }

    @Override
    public synchronized boolean end(String id) {
        RefreshFamily ended = families.remove(id);
        if (ended != null) {
            forgetOf(ended);
        }
        return ended != null;
    }

    /** How many logins are remembered now. */
    public synchronized int size() {
        return families.size();
    }

    /** The first in order expire first, but for those whose end is near: these go when they get there. */
    private void dropExpired() {
        Instant now = clock.instant();
        Iterator<RefreshFamily> oldestFirst = families.values().iterator();
        while (oldestFirst.hasNext()) {
            RefreshFamily family = oldestFirst.next();
            if (now.isBefore(family.expiresAt())) {
                return;
            }
            oldestFirst.remove();
            forgetOf(family);
        }
    }

    private void forgetOf(RefreshFamily family) {
        bySubject.computeIfPresent(Owner.of(family), (subject, ids) -> {
            ids.remove(family.id());
            return ids.isEmpty() ? null : ids;
        });
    }
}
