package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.Instant;

/** Revocations within the time budget of a request. */
record TimedRevocations(RevocationStore store, StoreTime time) implements RevocationStore, Timed {

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        boolean unused = time.spend(left -> {
            store.within(left).revokeToken(tokenId, expiresAt);
            return true;
        });
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        boolean unused = time.spend(left -> {
            store.within(left).revokeTokenOf(subjectId, tokenId, expiresAt);
            return true;
        });
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        boolean unused = time.spend(left -> {
            store.within(left).revokeSubject(subjectId, notBefore);
            return true;
        });
    }

    @Override
    public Instant notBefore(String subjectId) {
        return time.spend(left -> store.within(left).notBefore(subjectId));
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return time.spend(left -> store.within(left).isTokenRevoked(tokenId));
    }

    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return time.spend(left -> store.within(left).isSubjectRevoked(subjectId, issuedAt));
    }

    @Override
    public RevocationStore within(Duration longest) {
        return new TimedRevocations(store.within(longest), time);
    }
}
