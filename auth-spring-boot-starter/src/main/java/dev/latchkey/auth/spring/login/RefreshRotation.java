package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.StoredLogin;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rotation of refresh tokens: each refresh replaces the token of its session (RFC 9700 section 4.14.2).
 *
 * <p><b>The race window.</b> Two tabs of a browser may refresh at once, or a client may retry after a lost answer. Within a few
 * seconds, the previous token gets the same new token again. Older tokens do not. The store keeps only a seed for this purpose
 * ({@link RefreshToken#next}). {@code race-window=0} turns the window off.
 *
 * <p>The cost: within the window, a stolen token is not detected. A second use gives the thief no more than the first use.
 * Latchkey detects the theft when the thief and the owner both use the next token, at times further apart than the window.
 *
 * <p>An outage during the replacement also loses the answer. A retry within the window gets the token. A later retry gets the
 * token only if the store knows that no client has the token yet.
 */
record RefreshRotation(LatchkeyProperties.Refresh settings, InstantSource clock, SecureRandom random) {

    /** A database may round the creation of an account up. Clocks of one login may differ by less. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    /** A session, and its present token. */
    record Rotated(RefreshToken token, StoredLogin session) {}

    /**
     * A new session of this login.
     *
     * @param begun the start of the login. A login may create its account later; then the session starts with the account
     */
    Rotated first(Authenticated login, Secret stamp, Instant begun, StoredLogin.Device device, TokenOptions options) {
        Instant startedAt = startOf(login, begun);
        RefreshToken token = RefreshToken.first(random);
        Instant latest = startedAt.plus(settings.lifetime());
        Instant wanted = options.sessionLifetime()
                .filter(lifetime -> lifetime.compareTo(settings.lifetime()) < 0)
                .map(startedAt::plus)
                .orElse(latest);
        Instant endsAt = AccessTokens.earliest(latest, wanted, login.validUntil());
        return new Rotated(
                token,
                new StoredLogin(
                        token.sessionId(),
                        login.plugin(),
                        login.subject().id(),
                        token.hash(),
                        token.stampOf(stamp, options.client()),
                        methodsOf(login, startedAt),
                        startedAt,
                        endsAt,
                        AccessTokens.earliest(startedAt.plus(settings.idleLifetime()), endsAt),
                        null,
                        device));
    }

    private Instant startOf(Authenticated login, Instant begun) {
        Instant created = login.created();
        if (created == null
                || !created.isAfter(begun)
                || created.isAfter(clock.instant().plus(ROUNDING))) {
            return begun;
        }
        return created;
    }

    /** A session keeps the time of its start alone. With this time, the proof of an older login would be fresh. */
    private static Set<String> methodsOf(Authenticated login, Instant startedAt) {
        return login.factors().at().isBefore(startedAt.minus(ROUNDING))
                ? Set.of()
                : login.factors().methods();
    }

    /** The session with the next token in place of this token. */
    Rotated next(RefreshToken token, StoredLogin session, Secret stamp, String client) {
        Instant now = clock.instant();
        String seed = RefreshToken.seed(random);
        RefreshToken next = token.next(seed);
        return new Rotated(
                next,
                new StoredLogin(
                        session.id(),
                        session.plugin(),
                        session.subjectId(),
                        next.hash(),
                        next.stampOf(stamp, client),
                        session.methods(),
                        session.startedAt(),
                        session.endsAt(),
                        AccessTokens.earliest(now.plus(settings.idleLifetime()), session.endsAt()),
                        new StoredLogin.Replaced(token.hash(), seed, now),
                        session.device()));
    }

    /**
     * The present token of this session: the presented token, or its replacement within the race window. Null for any other
     * presented token, such as a token that was replaced earlier.
     */
    @Nullable
    RefreshToken presentOf(RefreshToken presented, StoredLogin session) {
        if (presented.hasHash(session.tokenHash())) {
            return presented;
        }
        StoredLogin.Replaced last = session.replaced();
        if (last == null || !presented.hasHash(last.tokenHash()) || !isWithinTheWindow(last.at())) {
            return null;
        }
        RefreshToken replacement = presented.next(last.seed());
        return replacement.hasHash(session.tokenHash()) ? replacement : null;
    }

    /**
     * The window covers the time before and after the instant. Otherwise a clock set back, or a slow clock of another node, would
     * lengthen the window.
     */
    private boolean isWithinTheWindow(Instant used) {
        return Duration.between(used, clock.instant()).abs().compareTo(settings.raceWindow()) < 0;
    }
}
