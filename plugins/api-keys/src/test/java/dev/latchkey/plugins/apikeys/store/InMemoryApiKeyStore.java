package dev.latchkey.plugins.apikeys.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** For tests: the keys of this process. */
public final class InMemoryApiKeyStore implements ApiKeyStore {

    private final ConcurrentMap<String, StoredKey> keys = new ConcurrentHashMap<>();

    @Override
    public Optional<StoredKey> find(String id) {
        return Optional.ofNullable(keys.get(id));
    }

    @Override
    public List<StoredKey> ofAccount(String account) {
        return keys.values().stream()
                .filter(isOf(account))
                .sorted(Comparator.comparing(StoredKey::created).thenComparing(StoredKey::id))
                .toList();
    }

    /** One at a time, so that the number of keys does not change before the insertion. */
    @Override
    public synchronized Insertion insert(StoredKey key, int most) {
        if (ofAccount(key.owner().account()).size() >= most) {
            return Insertion.NO_ROOM;
        }
        return keys.putIfAbsent(key.id(), key) == null ? Insertion.DONE : Insertion.ID_EXISTS;
    }

    @Override
    public boolean rename(String account, String id, String name) {
        return change(id, isOf(account), key -> key.withName(name));
    }

    @Override
    public boolean replaceSecrets(StoredKey before, StoredKey after) {
        return change(
                before.id(),
                isOf(before.owner().account()).and(key -> key.digest().equals(before.digest())),
                key -> new StoredKey(
                        key.id(),
                        key.owner(),
                        key.name(),
                        key.scopes(),
                        after.digest(),
                        after.formerDigest(),
                        after.formerUntil(),
                        key.created(),
                        after.expires(),
                        key.lastUsed()));
    }

    @Override
    public void undoReplacement(StoredKey before, StoredKey after) {
        replaceSecrets(after, before);
    }

    @Override
    public void redigest(String id, String before, String after) {
        change(id, key -> key.digest().equals(before), key -> key.withDigest(after));
    }

    @Override
    public void used(String id, Instant at, Instant unlessSince) {
        change(id, key -> key.lastUsed() == null || !key.lastUsed().isAfter(unlessSince), key -> key.usedAt(at));
    }

    @Override
    public boolean delete(String account, String id) {
        StoredKey key = keys.get(id);
        return key != null && isOf(account).test(key) && keys.remove(id) != null;
    }

    @Override
    public int deleteIssuedUntil(String account, Instant last) {
        List<StoredKey> issued = ofAccount(account).stream()
                .filter(key -> !key.created().isAfter(last))
                .toList();
        issued.forEach(key -> keys.remove(key.id()));
        return issued.size();
    }

    private static Predicate<StoredKey> isOf(String account) {
        return key -> key.owner().account().equals(account);
    }

    private boolean change(String id, Predicate<StoredKey> mayChange, UnaryOperator<StoredKey> change) {
        AtomicBoolean isChanged = new AtomicBoolean();
        keys.computeIfPresent(id, (same, key) -> {
            isChanged.set(mayChange.test(key));
            return isChanged.get() ? change.apply(key) : key;
        });
        return isChanged.get();
    }
}
