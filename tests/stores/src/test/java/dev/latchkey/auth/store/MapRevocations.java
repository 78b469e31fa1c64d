package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store of a few lines with all rules of the contract. A broken store overrides a step. */
class MapRevocations implements RevocationStore {

    /** What all nodes share. */
    static final class Shared {
        final Map<String, Instant> tokens = new ConcurrentHashMap<>();
        final Map<String, Instant> bounds = new ConcurrentHashMap<>();
    }

    /** The additional time for entries that other nodes may still accept. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(10);

    final Shared shared;
    final InstantSource clock;

    MapRevocations(Shared shared, InstantSource clock) {
        this.shared = shared;
        this.clock = clock;
    }

    String key(String id) {
        return id;
    }

    Duration kept() {
        return CLOCK_DIFFERENCE;
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        Instant now = clock.instant();
        shared.tokens.values().removeIf(end -> end.isBefore(now.minus(kept())));
        if (!expiresAt.isBefore(now.minus(kept()))) {
            shared.tokens.merge(key(tokenId), expiresAt, MapRevocations::later);
        }
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        shared.bounds.merge(key(subjectId), rounded(notBefore), MapRevocations::later);
    }

    @Override
    public Instant notBefore(String subjectId) {
        return shared.bounds.getOrDefault(key(subjectId), Instant.MIN);
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return shared.tokens.containsKey(key(tokenId));
    }

    static Instant rounded(Instant notBefore) {
        Instant second = notBefore.truncatedTo(ChronoUnit.SECONDS);
        return second.isBefore(Instant.MAX.truncatedTo(ChronoUnit.SECONDS)) ? second.plusSeconds(1) : Instant.MAX;
    }

    static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
