package dev.latchkey.auth;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Revocations that this process knows of; they are gone when it ends, and other nodes do not see them.
 *
 * <p>Bounded: an entry is dropped when no token that it concerns can be valid any more, and when the bound is reached all
 * the same, a new revocation is an outage. Dropping one instead would silently bring a revoked token back to life.
 */
public final class InMemoryRevocationStore implements RevocationStore {

    private static final int DEFAULT_MAX_ENTRIES = 1_000_000;

    /** How often entries that no longer matter are looked for, at most: a sweep visits every entry. */
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    private record SubjectBound(Instant notBefore, Instant forgetAt) {
        SubjectBound later(SubjectBound other) {
            return other.notBefore.isAfter(notBefore) ? other : this;
        }
    }

    private final Map<String, Instant> tokens = new ConcurrentHashMap<>();
    private final Map<String, SubjectBound> subjects = new ConcurrentHashMap<>();
    private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.MIN);
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final int maxEntries;

    /**
     * A store for tokens that are accepted no longer than this after they were issued, their verifier's clock skew
     * included; a subject's revocation is kept for as long.
     *
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public InMemoryRevocationStore(Duration longestLifetime) {
        this(longestLifetime, InstantSource.system(), DEFAULT_MAX_ENTRIES);
    }

    InMemoryRevocationStore(Duration longestLifetime, InstantSource clock, int maxEntries) {
        if (longestLifetime.isNegative() || longestLifetime.isZero()) {
            throw new IllegalArgumentException(
                    "The longest lifetime of a token must be positive, got " + longestLifetime);
        }
        this.longestLifetime = longestLifetime;
        this.clock = clock;
        this.maxEntries = maxEntries;
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        if (!expiresAt.isAfter(clock.instant())) {
            return;
        }
        requireRoomFor(tokenId, tokens);
        tokens.merge(tokenId, expiresAt, (one, other) -> one.isAfter(other) ? one : other);
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        Instant bound = later(notBefore.truncatedTo(ChronoUnit.SECONDS), Duration.ofSeconds(1));
        requireRoomFor(subjectId, subjects);
        subjects.merge(subjectId, new SubjectBound(bound, later(bound, longestLifetime)), SubjectBound::later);
    }

    @Override
    public Instant notBefore(String subjectId) {
        SubjectBound bound = subjects.get(subjectId);
        return bound == null ? Instant.MIN : bound.notBefore();
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return tokens.containsKey(tokenId);
    }

    /** How many revocations are remembered now. */
    public int size() {
        return tokens.size() + subjects.size();
    }

    /** {@link Instant#MAX} where the sum is beyond it: who revokes "for ever" writes that. */
    private static Instant later(Instant time, Duration by) {
        try {
            return time.plus(by);
        } catch (DateTimeException | ArithmeticException e) {
            return Instant.MAX;
        }
    }

    /** What is there already needs no room: an earlier revocation can be extended in a full store. */
    private void requireRoomFor(String id, Map<String, ?> entries) {
        Instant now = clock.instant();
        Instant due = nextSweep.get();
        if (!now.isBefore(due) && nextSweep.compareAndSet(due, now.plus(SWEEP_INTERVAL))) {
            tokens.values().removeIf(expiresAt -> !expiresAt.isAfter(now));
            subjects.values().removeIf(bound -> !bound.forgetAt().isAfter(now));
        }
        if (size() >= maxEntries && !entries.containsKey(id)) {
            throw AuthUnavailableException.outage(
                    "The in-memory revocation store is full (" + maxEntries + " entries); use a shared one");
        }
    }
}
