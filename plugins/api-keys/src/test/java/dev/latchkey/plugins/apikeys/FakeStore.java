package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that counts how often it is read, and that is down when a test says so. */
public final class FakeStore implements ApiKeyStore {

    final AtomicInteger finds = new AtomicInteger();
    final AtomicInteger uses = new AtomicInteger();
    final AtomicInteger renewals = new AtomicInteger();
    volatile boolean isDown;
    volatile boolean failsToNoteUses;
    volatile boolean failsToRenew;
    int idsThatExist;
    volatile Runnable beforeItAnswers = () -> {};
    volatile Runnable beforeItWrites = () -> {};

    private final ApiKeyStore store;

    FakeStore(ApiKeyStore store) {
        this.store = store;
    }

    private ApiKeyStore up() {
        if (isDown) {
            throw AuthUnavailableException.outage("down");
        }
        return store;
    }

    @Override
    public Optional<StoredKey> find(String id) {
        finds.incrementAndGet();
        Optional<StoredKey> found = up().find(id);
        beforeItAnswers.run();
        return found;
    }

    @Override
    public List<StoredKey> ofAccount(String account) {
        return up().ofAccount(account);
    }

    @Override
    public Insertion insert(StoredKey key, int most) {
        beforeItWrites.run();
        if (idsThatExist > 0) {
            idsThatExist--;
            return Insertion.ID_EXISTS;
        }
        return up().insert(key, most);
    }

    @Override
    public boolean rename(String account, String id, String name) {
        return up().rename(account, id, name);
    }

    @Override
    public boolean replaceSecrets(StoredKey before, StoredKey after) {
        beforeItWrites.run();
        return up().replaceSecrets(before, after);
    }

    @Override
    public void undoReplacement(StoredKey before, StoredKey after) {
        beforeItWrites.run();
        up().undoReplacement(before, after);
    }

    @Override
    public void redigest(String id, String before, String after) {
        renewals.incrementAndGet();
        if (failsToRenew) {
            throw AuthUnavailableException.outage("down for renewals");
        }
        up().redigest(id, before, after);
    }

    @Override
    public void used(String id, Instant at, Instant unlessSince) {
        uses.incrementAndGet();
        if (failsToNoteUses) {
            throw AuthUnavailableException.outage("down for uses");
        }
        up().used(id, at, unlessSince);
    }

    @Override
    public boolean delete(String account, String id) {
        return up().delete(account, id);
    }

    @Override
    public int deleteIssuedUntil(String account, Instant last) {
        return up().deleteIssuedUntil(account, last);
    }
}
