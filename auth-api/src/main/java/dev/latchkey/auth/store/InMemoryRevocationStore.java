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
 * Revocations that this process knows of; they are gone when it ends, and other nodes do not see them.
 *
 * <p>Bounded. An entry is dropped once no token that it concerns can be valid any more, and never before: that would silently bring a
 * revoked token back to life. So the bounds are arranged for nobody to use up what others need:
 *
 * <ul>
 *   <li>Tokens and subjects have room of their own. However many tokens are revoked, a subject can be.
 *   <li>A subject has so many places for its tokens. Once they are taken, or there is no room for tokens at all, one revocation of the
 *       subject replaces those of its tokens: it covers all that was issued to it so far. Who logs out a thousand times within the
 *       lifetime of a token has to log in again everywhere, and nobody else notices.
 *   <li>Such replacements take at most half of the subjects' room. The other half is left to those who revoke subjects on purpose,
 *       however many accounts an attacker has.
 * </ul>
 *
 * <p>A revocation that finds no room all the same is an outage. Tokens whose subject is not given ({@link #revokeToken}) have the
 * tokens' room in common. A replacement goes by this process's clock, and covers no token that was dated ahead of it.
 *
 * <p>What is over is so by this process's clock, and by no other. Where that was ahead and is set back, what it took for over is forgotten, and good again until it is over in
 * truth: a store that is shared has another clock to ask.
 *
 * <p>Reading takes no lock. Safe for use by any number of threads.
 */
public final class InMemoryRevocationStore implements RevocationStore {

    /** How often entries that no longer matter are looked for, at most: a sweep visits every entry. */
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    /**
     * How many entries there may be.
     *
     * @param tokensOfOne of a single subject
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

    /** The ids of each subject's tokens; read and written under this object's lock, as the others are written. */
    private final Map<String, Set<String>> tokensOf = new HashMap<>();

    private Instant lastSweep = Instant.MIN;
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final Room room;

    /**
     * A store for tokens that are accepted no longer than this after they were issued, their verifier's clock skew
     * included; a subject's revocation is kept for as long.
     *
     * @param longestLifetime positive
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public InMemoryRevocationStore(Duration longestLifetime) {
        this(longestLifetime, InstantSource.system());
    }

    /**
     * The same, by this clock.
     *
     * @param longestLifetime positive
     * @param clock when a revocation is over
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
     * How many revocations are remembered now.
     *
     * @return tokens and subjects together, some of which may be over
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
            // What is there already needs no room: it can be extended in a full store.
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

    /** The subject first, then its tokens: somebody may be reading. */
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

    /** Ten seconds after the last one, and where the clock was set back since. */
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
                forgetPlace(entry.getValue().subjectId(), entry.getKey());
            }
            return isOver;
        });
    }

    private void forgetPlace(@Nullable String subjectId, String tokenId) {
        if (subjectId != null) {
            tokensOf.computeIfPresent(subjectId, (id, ids) -> {
                ids.remove(tokenId);
                return ids.isEmpty() ? null : ids;
            });
        }
    }

    private static AuthUnavailableException full(String what, int most) {
        return AuthUnavailableException.outage(
                "The in-memory revocation store has no room for more " + what + " (" + most + "); use a shared one");
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** {@link Instant#MAX} where the sum is beyond it: who revokes "for ever" writes that. */
    private static Instant sum(Instant time, Duration by) {
        try {
            return time.plus(by);
        } catch (DateTimeException | ArithmeticException e) {
            return Instant.MAX;
        }
    }
}
