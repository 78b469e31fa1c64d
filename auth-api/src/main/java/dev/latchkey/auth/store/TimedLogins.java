package dev.latchkey.auth.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Sessions within the time budget of a request. */
record TimedLogins(LoginStore store, StoreTime time) implements LoginStore, Timed {

    @Override
    public void start(StoredLogin login) {
        boolean unused = time.spend(left -> {
            store.within(left).start(login);
            return true;
        });
    }

    @Override
    public List<StoredLogin> ofOwner(StoredLogin.Owner owner) {
        return time.spend(left -> store.within(left).ofOwner(owner));
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return time.spend(left -> store.within(left).find(id));
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        return time.spend(left -> store.within(left).replace(expectedTokenHash, next));
    }

    @Override
    public boolean end(String id) {
        return time.spend(left -> store.within(left).end(id));
    }

    @Override
    public LoginStore within(Duration longest) {
        return new TimedLogins(store.within(longest), time);
    }
}
