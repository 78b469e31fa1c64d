package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The revocations of this process. The revocations are lost at the end of the process, and other nodes do not see them.
 *
 * <p>Bounded. An entry is removed after the end of all its tokens, and never before: otherwise a revoked token would
 * silently become valid again. Because of these limits, one user cannot take the room of other users:
 *
 * <ul>
 *   <li>Tokens and subjects have separate room. A subject can be revoked after any number of revoked tokens.
 *   <li>Each subject has a limited number of token entries. Beyond the limit, or without room for further tokens, a
 *       revocation of the subject replaces its token entries. This revocation covers all tokens issued to the subject
 *       so far. An account with more than a thousand logouts within the lifetime of a token has to log in again
 *       everywhere. No other account is affected.
 *   <li>Such replacements take at most half of the subjects' room. The other half is left for intended revocations of
 *       subjects, however many accounts an attacker has.
 * </ul>
 *
 * <p>A revocation without room is an outage. Tokens without a given subject ({@link #revokeToken}) share the tokens'
 * room. A replacement uses this process's clock, and does not cover a token with an issue time in the future.
 *
 * <p>Only this process's clock decides about expiry. While the clock is ahead, the store may remove entries too early.
 * If the clock is then set back, the tokens of these entries are valid until they expire by the corrected clock. A
 * shared store has a second clock to compare.
 *
 * <p>Reads take no lock. Safe for use by any number of threads.
 */
public final class InMemoryRevocationStore implements RevocationStore {

    /** The shortest time between two sweeps, because a sweep visits every entry. */
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    /**
     * The limits for entries.
     *
     * @param tokensOfOne the limit for the tokens of a single subject
     */
    record Room(int tokens, int tokensOfOne, int subjects) {

        private static final Room DEFAULT = new Room(500_000, 1_000, 500_000);
    }

    private record Token(@Nullable String subjectId, Instant expiresAt) {}

    private record SubjectBound(Instant notBefore, Instant forgetAt) {
        SubjectBound later(SubjectBound other) {
            return other.notBefore.isAfter(notBefore) ? other : this;
        }
    }

    private final Map<String, Token> tokens = new ConcurrentHashMap<>();
    private final Map<String, SubjectBound> subjects = new ConcurrentHashMap<>();

    /**
     * The ids of each subject's tokens. This object's lock guards all reads and writes of this map, and all writes of
     * the other maps.
     */
    private final Map<String, Set<String>> tokensOf = new HashMap<>();

    private Instant lastSweep = Instant.MIN;
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final Room room;

    /**
     * A store for tokens with this longest lifetime, including the clock skew of their verifier. A subject's revocation
     * is kept for the same time.
     *
     * @param longestLifetime positive
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public InMemoryRevocationStore(Duration longestLifetime) {
        this(longestLifetime, InstantSource.system());
    }

    /**
     * A store for tokens with this longest lifetime, with this clock.
     *
     * @param longestLifetime positive, including the clock skew of the verifier
     * @param clock decides whether a revocation has expired
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public InMemoryRevocationStore(Duration longestLifetime, InstantSource clock) {
        this(longestLifetime, clock, Room.DEFAULT);
    }

    InMemoryRevocationStore(Duration longestLifetime, InstantSource clock, Room room) {
        if (longestLifetime.isNegative() || longestLifetime.isZero()) {
            throw new IllegalArgumentException(
                    "The longest lifetime of a token must be positive, got " + longestLifetime);
        }
        this.longestLifetime = longestLifetime;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.room = room;
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        revoke(tokenId, new Token(null, expiresAt));
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        revoke(tokenId, new Token(Objects.requireNonNull(subjectId, "subjectId"), expiresAt));
    }

    @Override
    public synchronized void revokeSubject(String subjectId, Instant notBefore) {
        sweepIfDue();
        revokeSubject(subjectId, notBefore, room.subjects());
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

    /**
     * The number of revocations in the store.
     *
     * @return tokens and subjects together; some may have expired
     */
    public int size() {
        return tokens.size() + subjects.size();
    }

    private synchronized void revoke(String tokenId, Token token) {
        if (!token.expiresAt().isAfter(clock.instant())) {
            return;
        }
        sweepIfDue();
        Token present = tokens.get(tokenId);
        if (present != null) {
            // An existing entry needs no new room, so a full store can extend the entry.
            tokens.put(tokenId, new Token(present.subjectId(), later(present.expiresAt(), token.expiresAt())));
            return;
        }
        String subjectId = token.subjectId();
        if (subjectId == null) {
            if (isFull()) {
                throw full("tokens", room.tokens());
            }
            tokens.put(tokenId, token);
            return;
        }
        if (isFull() || tokensOf.getOrDefault(subjectId, Set.of()).size() >= room.tokensOfOne()) {
            replaceTokensOf(subjectId);
        }
        if (!isFull()) {
            tokens.put(tokenId, token);
            tokensOf.computeIfAbsent(subjectId, id -> new HashSet<>()).add(tokenId);
        }
    }

    private boolean isFull() {
        return tokens.size() >= room.tokens();
    }

    /** Adds the subject's bound before removing its token entries: a concurrent reader finds at least one of the two. */
    private void replaceTokensOf(String subjectId) {
        revokeSubject(subjectId, clock.instant(), room.subjects() / 2);
        Set<String> replaced = tokensOf.remove(subjectId);
        if (replaced != null) {
            replaced.forEach(tokens::remove);
        }
    }

    private void revokeSubject(String subjectId, Instant notBefore, int mostSubjects) {
        if (subjects.size() >= mostSubjects && !subjects.containsKey(subjectId)) {
            throw full("subjects", mostSubjects);
        }
        Instant bound = sum(notBefore.truncatedTo(ChronoUnit.SECONDS), Duration.ofSeconds(1));
        subjects.merge(subjectId, new SubjectBound(bound, sum(bound, longestLifetime)), SubjectBound::later);
    }

    /** Sweeps ten seconds after the last sweep, and if the clock was set back by ten seconds or more. */
    private void sweepIfDue() {
        Instant now = clock.instant();
        if (Duration.between(lastSweep, now).abs().compareTo(SWEEP_INTERVAL) < 0) {
            return;
        }
        lastSweep = now;
        subjects.values().removeIf(bound -> !bound.forgetAt().isAfter(now));
        tokens.entrySet().removeIf(entry -> {
            boolean isOver = !entry.getValue().expiresAt().isAfter(now);
            if (isOver) {
                forgetToken(entry.getValue().subjectId(), entry.getKey());
            }
            return isOver;
        });
    }

    private void forgetToken(@Nullable String subjectId, String tokenId) {
        if (subjectId != null) {
            tokensOf.computeIfPresent(subjectId, (id, ids) -> {
                ids.remove(tokenId);
                return ids.isEmpty() ? null : ids;
            });
        }
    }

    private static AuthUnavailableException full(String kind, int most) {
        return AuthUnavailableException.outage(
                "The in-memory revocation store has no room for more " + kind + " (" + most + "); use a shared one");
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** {@link Instant#MAX} if the sum is later: callers revoke "for ever" with this value. */
    private static Instant sum(Instant time, Duration by) {
        try {
            return time.plus(by);
        } catch (DateTimeException | ArithmeticException e) {
            return Instant.MAX;
        }
    }
}
