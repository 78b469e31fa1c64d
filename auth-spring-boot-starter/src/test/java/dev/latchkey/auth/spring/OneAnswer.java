package dev.latchkey.auth.spring;

import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Records nothing, and answers each question alike. */
public abstract class OneAnswer implements SharedRevocationStore {

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        return Revocation.ofToken(tokenId, expiresAt);
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        return recordToken(tokenId, expiresAt);
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return Revocation.ofSubject(subjectId, notBefore, Duration.ofHours(1));
    }

    @Override
    public void restore(List<Revocation> lost) {}

    @Override
    public Instant notBefore(String subjectId) {
        return Instant.MIN;
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return false;
    }
}
