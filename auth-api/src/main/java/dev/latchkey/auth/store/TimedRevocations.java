package dev.latchkey.auth.store;

import dev.latchkey.auth.engine.OutageLog;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Revocations within the time budget of each request.
 *
 * @param outages logs the outages of the store; null for no log
 */
record TimedRevocations(RevocationStore store, @Nullable OutageLog outages) implements RevocationStore {

    private static final String NAME = "The store of revocations";

    private <T> T ask(Function<RevocationStore, T> question) {
        return StoreTime.ofARequest().spend(left -> {
            RevocationStore inTime = store.within(left);
            return outages == null ? question.apply(inTime) : outages.ask(NAME, () -> question.apply(inTime));
        });
    }

    private void run(Consumer<RevocationStore> command) {
        boolean unused = ask(inTime -> {
            command.accept(inTime);
            return true;
        });
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        run(inTime -> inTime.revokeToken(tokenId, expiresAt));
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        run(inTime -> inTime.revokeTokenOf(subjectId, tokenId, expiresAt));
    }

    /** A command of the service. One request may revoke many accounts, so each call has its own budget. */
    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        boolean unused = StoreTime.forEachCall(() -> {
            run(inTime -> inTime.revokeSubject(subjectId, notBefore));
            return true;
        });
    }

    @Override
    public Instant notBefore(String subjectId) {
        return ask(inTime -> inTime.notBefore(subjectId));
    }

    @Override
    public Instant currentNotBefore(String subjectId) {
        return ask(inTime -> inTime.currentNotBefore(subjectId));
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return ask(inTime -> inTime.isTokenRevoked(tokenId));
    }

    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return ask(inTime -> inTime.isSubjectRevoked(subjectId, issuedAt));
    }
}
