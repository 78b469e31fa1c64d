package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Does not answer. */
final class DownStore implements PasskeyStore {

    private static AuthUnavailableException down() {
        return AuthUnavailableException.outage("The store is down");
    }

    @Override
    public Optional<StoredPasskey> find(String id) {
        throw down();
    }

    @Override
    public List<StoredPasskey> ofAccount(String account) {
        throw down();
    }

    @Override
    public boolean insert(StoredPasskey key, int most) {
        throw down();
    }

    @Override
    public boolean used(String id, long before, long now, Instant at) {
        throw down();
    }

    @Override
    public boolean delete(String account, String id) {
        throw down();
    }

    @Override
    public int deleteAll(String account) {
        throw down();
    }

    @Override
    public boolean spend(String digest, Instant until, Instant now) {
        throw down();
    }
}
