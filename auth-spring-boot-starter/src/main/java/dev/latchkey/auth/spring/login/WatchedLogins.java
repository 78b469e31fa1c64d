package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Logs the outages of a session store. Results and exceptions are those of the store. */
record WatchedLogins(LoginStore store, OutageLog outages) implements LoginStore {

    private static final String NAME = "The store of logins";

    @Override
    public LoginStore within(Duration longest) {
        return new WatchedLogins(store.within(longest), outages);
    }

    @Override
    public void start(StoredLogin login) {
        outages.run(NAME, () -> store.start(login));
    }

    @Override
    public List<StoredLogin> ofOwner(StoredLogin.Owner owner) {
        return outages.ask(NAME, () -> store.ofOwner(owner));
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return outages.ask(NAME, () -> store.find(id));
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        return outages.ask(NAME, () -> store.replace(expectedTokenHash, next));
    }

    @Override
    public boolean end(String id) {
        return outages.ask(NAME, () -> store.end(id));
    }
}
