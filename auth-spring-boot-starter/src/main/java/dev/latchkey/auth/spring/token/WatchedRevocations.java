package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;

/** Logs the outages of a revocation store. Results and exceptions are those of the store. Safe for use by any number of threads. */
public final class WatchedRevocations implements RevocationStore {

    private static final String NAME = "The store of revocations";

    private final RevocationStore store;
    private final OutageLog outages;

    /**
     * Watches a store.
     *
     * @param store called each time
     * @param outages logs the start and the end of an outage
     */
    public WatchedRevocations(RevocationStore store, OutageLog outages) {
        this.store = store;
        this.outages = outages;
    }

    @Override
    public RevocationStore within(Duration longest) {
        return new WatchedRevocations(store.within(longest), outages);
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        outages.run(NAME, () -> store.revokeToken(tokenId, expiresAt));
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        outages.run(NAME, () -> store.revokeTokenOf(subjectId, tokenId, expiresAt));
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        outages.run(NAME, () -> store.revokeSubject(subjectId, notBefore));
    }

    @Override
    public Instant notBefore(String subjectId) {
        return outages.ask(NAME, () -> store.notBefore(subjectId));
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return outages.ask(NAME, () -> store.isTokenRevoked(tokenId));
    }

    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return outages.ask(NAME, () -> store.isSubjectRevoked(subjectId, issuedAt));
    }
}
