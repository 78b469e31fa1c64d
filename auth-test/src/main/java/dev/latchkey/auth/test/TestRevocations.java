package dev.latchkey.auth.test;

import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Revocations in memory, with a method to clear them. A service's store must not have such a method. */
final class TestRevocations implements RevocationStore {

    /** Longer than the lifetime of any token. */
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(3_650);

    private final InstantSource clock;
    private volatile RevocationStore present;

    TestRevocations(InstantSource clock) {
        this.clock = clock;
        this.present = new InMemoryRevocationStore(LONGEST_LIFETIME, clock);
    }

    void forget() {
        present = new InMemoryRevocationStore(LONGEST_LIFETIME, clock);
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        present.revokeToken(tokenId, expiresAt);
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        present.revokeTokenOf(subjectId, tokenId, expiresAt);
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        present.revokeSubject(subjectId, notBefore);
    }

    @Override
    public Instant notBefore(String subjectId) {
        return present.notBefore(subjectId);
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return present.isTokenRevoked(tokenId);
    }
}
