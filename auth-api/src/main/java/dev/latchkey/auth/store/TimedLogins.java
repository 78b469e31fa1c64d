package dev.latchkey.auth.store;

import dev.latchkey.auth.engine.OutageLog;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sessions within the time budget of each request.
 *
 * @param outages logs the outages of the store; null for no log
 */
record TimedLogins(LoginStore store, @Nullable OutageLog outages) implements LoginStore {

    private static final String NAME = "The store of logins";

    private <T> T ask(Function<LoginStore, T> question) {
        return StoreTime.ofARequest().spend(left -> {
            LoginStore inTime = store.within(left);
            return outages == null ? question.apply(inTime) : outages.ask(NAME, () -> question.apply(inTime));
        });
    }

    @Override
    public void start(StoredLogin login) {
        boolean unused = ask(inTime -> {
            inTime.start(login);
            return true;
        });
    }

    @Override
    public List<StoredLogin> ofOwner(String subjectId) {
        return ask(inTime -> inTime.ofOwner(subjectId));
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return ask(inTime -> inTime.find(id));
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        return ask(inTime -> inTime.replace(expectedTokenHash, next));
    }

    @Override
    public boolean end(String id) {
        return ask(inTime -> inTime.end(id));
    }
}
