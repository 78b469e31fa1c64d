package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A shared store in memory, which a test takes down. */
final class UnreliableRevocations implements SharedRevocationStore {

    private final List<Revocation> rows = new ArrayList<>();
    boolean isDown;

    private Revocation add(Revocation revocation) {
        answer();
        rows.add(revocation);
        return revocation;
    }

    private void answer() {
        if (isDown) {
            throw AuthUnavailableException.outage("The store of this test is down");
        }
    }

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        return add(Revocation.ofToken(tokenId, expiresAt));
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        return recordToken(tokenId, expiresAt);
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return add(Revocation.ofSubject(subjectId, notBefore, Duration.ofHours(1)));
    }

    @Override
    public List<Recorded> recordedAfter(long position, int most) {
        answer();
        List<Recorded> page = new ArrayList<>();
        for (int i = (int) position; i < rows.size() && page.size() < most; i++) {
            page.add(new Recorded(i + 1L, rows.get(i)));
        }
        return page;
    }

    @Override
    public void restore(List<Revocation> lost) {
        lost.forEach(this::add);
    }

    @Override
    public Instant notBefore(String subjectId) {
        answer();
        return Instant.MIN;
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        answer();
        return false;
    }
}
