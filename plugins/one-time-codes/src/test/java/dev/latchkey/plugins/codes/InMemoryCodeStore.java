package dev.latchkey.plugins.codes;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** For tests: the codes of all accounts in this process. */
public final class InMemoryCodeStore implements CodeStore {

    private final ConcurrentMap<String, StoredCodes> entries = new ConcurrentHashMap<>();

    @Override
    public Optional<StoredCodes> find(String account) {
        return Optional.ofNullable(entries.get(account));
    }

    @Override
    public boolean insert(String account, StoredCodes codes) {
        return entries.putIfAbsent(account, codes) == null;
    }

    @Override
    public boolean update(String account, String revision, StoredCodes codes) {
        StoredCodes before = entries.get(account);
        return before != null && before.revision().equals(revision) && entries.replace(account, before, codes);
    }

    @Override
    public boolean delete(String account) {
        return entries.remove(account) != null;
    }
}
