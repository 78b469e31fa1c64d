package dev.latchkey.plugins.passkeys.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * For tests, and for a service of one node with accounts in memory too. A restart loses all passkeys. Safe for use by any number
 * of threads.
 */
public final class InMemoryPasskeyStore implements PasskeyStore {

    private final Map<String, StoredPasskey> keys = new LinkedHashMap<>();
    private final Map<String, Instant> spent = new HashMap<>();

    /** An empty store. */
    public InMemoryPasskeyStore() {}

    @Override
    public synchronized Optional<StoredPasskey> find(String id) {
        return Optional.ofNullable(keys.get(id));
    }

    @Override
    public synchronized List<StoredPasskey> ofAccount(String account) {
        return keys.values().stream()
                .filter(key -> key.account().equals(account))
                .sorted(Comparator.comparing(StoredPasskey::created).thenComparing(StoredPasskey::id))
                .toList();
    }

    @Override
    public synchronized boolean insert(StoredPasskey key, int most) {
        return ofAccount(key.account()).size() < most && keys.putIfAbsent(key.id(), key) == null;
    }

    @Override
    public synchronized boolean used(String id, long before, long now, Instant at) {
        StoredPasskey key = keys.get(id);
        if (key == null || key.counter() != before) {
            return false;
        }
        keys.put(id, key.used(now, at));
        return true;
    }

    @Override
    public synchronized boolean delete(String account, String id) {
        StoredPasskey key = keys.get(id);
        return key != null && key.account().equals(account) && keys.remove(id, key);
    }

    @Override
    public synchronized int deleteAll(String account) {
        List<StoredPasskey> all = ofAccount(account);
        all.forEach(key -> keys.remove(key.id()));
        return all.size();
    }

    @Override
    public synchronized boolean spend(String digest, Instant until, Instant now) {
        spent.values().removeIf(end -> end.isBefore(now));
        return spent.putIfAbsent(digest, until) == null;
    }
}
