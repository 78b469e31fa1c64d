package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.OutageLog;
import dev.latchkey.auth.RefreshFamily;
import dev.latchkey.auth.RefreshTokenStore;
import java.util.Optional;

/** A store of logins whose outages are in the log. */
final class WatchedLogins implements RefreshTokenStore {

    private static final String NAME = "The store of logins";

    private final RefreshTokenStore store;
    private final OutageLog outages;

    WatchedLogins(RefreshTokenStore store, OutageLog outages) {
        this.store = store;
        this.outages = outages;
    }

    @Override
    public void start(RefreshFamily family) {
        outages.run(NAME, () -> store.start(family));
    }

    @Override
    public Optional<RefreshFamily> find(String id) {
        return outages.ask(NAME, () -> store.find(id));
    }

    @Override
    public boolean replace(String expectedTokenHash, RefreshFamily next) {
        return outages.ask(NAME, () -> store.replace(expectedTokenHash, next));
    }

    @Override
    public boolean end(String id) {
        return outages.ask(NAME, () -> store.end(id));
    }
}
