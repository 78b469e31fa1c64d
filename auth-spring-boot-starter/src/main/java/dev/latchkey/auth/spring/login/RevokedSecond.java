package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.spring.settings.RequestThreads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The second in which all tokens of an account were revoked. A login waits here until it is over.
 *
 * <p>Tokens are dated in whole seconds, so a revocation covers the whole of its own. There is no date for a token that is issued in the rest of that
 * second. Dated by it, the token would be dead on arrival. Dated by the next one, it would outlive another revocation in this second, of somebody who
 * ends the logins of a thief say.
 *
 * <p>The login waits on its own thread, as it does for its hash, but not in the same places: who has one account and revokes it each second must not
 * keep others from logging in. One more than may wait is told to come back in a second. Safe for use by any number of threads.
 */
final class RevokedSecond {

    /** A revocation is rounded up to a whole second; one that reaches further into the future is meant as a ban. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private static final int MOST_WAITING = 16;

    private final InstantSource clock;
    private final Consumer<Duration> pause;

    RevokedSecond(InstantSource clock, Consumer<Duration> pause) {
        this.clock = clock;
        this.pause = pause;
    }

    /** Logins wait in these places. */
    static RevokedSecond of(WaitingThreads places, InstantSource clock) {
        return new RevokedSecond(clock, pause -> {
            var unused = places.await(
                    new CompletableFuture<Boolean>().completeOnTimeout(true, pause.toNanos(), TimeUnit.NANOSECONDS));
        });
    }

    /** Places for an eighth of these threads, and for {@value #MOST_WAITING} at most. */
    static WaitingThreads placesAmong(RequestThreads threads) {
        return WaitingThreads.atMost(Math.max(1, Math.min(MOST_WAITING, threads.number() / 8)));
    }

    /**
     * Waits until this bound of a subject is reached, where it is no more than a second away.
     *
     * @return the time then: a login that begins now is covered by no revocation of before. Empty where it is further away
     * @throws AuthUnavailableException if too many wait already, or the thread is interrupted
     */
    Optional<Instant> end(Instant bound) {
        Duration left = Duration.between(clock.instant(), bound);
        if (left.compareTo(LONGEST) > 0) {
            return Optional.empty();
        }
        if (left.compareTo(Duration.ZERO) > 0) {
            pause.accept(left);
        }
        // A clock that stands still, as in a test, or was set back meanwhile would have the login wait for ever.
        Instant now = clock.instant();
        return Optional.of(now.isBefore(bound) ? bound : now);
    }
}
