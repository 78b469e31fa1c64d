package dev.latchkey.tests.simulator;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** A node's revocations with a planted fault. */
record FaultyRevocations(RevocationStore store, Fault fault) implements RevocationStore {

    static RevocationStore with(Fault fault, RevocationStore store) {
        return fault == Fault.OUTAGE_ACCEPTS || fault == Fault.REFRESH_ASKS_THE_COPY
                ? new FaultyRevocations(store, fault)
                : store;
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        store.revokeToken(tokenId, expiresAt);
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        store.revokeTokenOf(subjectId, tokenId, expiresAt);
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        store.revokeSubject(subjectId, notBefore);
    }

    @Override
    public Instant notBefore(String subjectId) {
        return answer(() -> store.notBefore(subjectId), Instant.MIN);
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return answer(() -> store.isTokenRevoked(tokenId), false);
    }

    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return fault == Fault.REFRESH_ASKS_THE_COPY
                ? issuedAt.isBefore(notBefore(subjectId))
                : answer(() -> store.isSubjectRevoked(subjectId, issuedAt), false);
    }

    @Override
    public RevocationStore within(Duration longest) {
        return new FaultyRevocations(store.within(longest), fault);
    }

    private <T> T answer(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (AuthUnavailableException e) {
            if (fault == Fault.OUTAGE_ACCEPTS) {
                return otherwise;
            }
            throw e;
        }
    }
}
