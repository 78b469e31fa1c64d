package dev.latchkey.auth.test;

import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Sessions in memory, with a method to clear all of them. */
final class TestLogins implements LoginStore {

    private static final int MOST = 10_000;

    private final InstantSource clock;
    private volatile LoginStore present;

    TestLogins(InstantSource clock) {
        this.clock = clock;
        this.present = new InMemoryLoginStore(MOST, clock);
    }

    void forget() {
        present = new InMemoryLoginStore(MOST, clock);
    }

    @Override
    public void start(StoredLogin login) {
        present.start(login);
    }

    @Override
    public List<StoredLogin> ofOwner(StoredLogin.Owner owner) {
        return present.ofOwner(owner);
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return present.find(id);
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        return present.replace(expectedTokenHash, next);
    }

    @Override
    public boolean end(String id) {
        return present.end(id);
    }
}
