package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.guard.WaitingThreads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The second of a revocation of all tokens of an account. A login waits here for the end of the second.
 *
 * <p>Tokens have times in whole seconds, so a revocation covers its whole second. No time is right for a token issued in the rest
 * of the second. With the time of the same second, the token would be revoked at once. With the time of the next second, the
 * token would survive a further revocation in this second.
 *
 * <p>The login waits on its own thread, as for its hash, but takes a separate slot ({@link WaitingThreads}): an account with a
 * revocation in each second must not block logins of another account. If all slots are taken, the client is told to retry after
 * a second. Safe for use by any number of threads.
 */
record RevokedSecond(InstantSource clock, Consumer<Duration> pause) {

    /** A revocation is rounded up to a whole second. A time further in the future is a ban. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private static final int MOST_WAITING = 16;

    /** Takes one of these slots for each waiting login. */
    static RevokedSecond of(WaitingThreads threads, InstantSource clock) {
        return new RevokedSecond(clock, pause -> {
            var unused = threads.await(
                    new CompletableFuture<Boolean>().completeOnTimeout(true, pause.toNanos(), TimeUnit.NANOSECONDS));
        });
    }

    /** A slot for each eighth of these threads: at least 1, at most {@value #MOST_WAITING}. */
    static WaitingThreads waitingThreadsAmong(RequestThreads threads) {
        return WaitingThreads.atMost(Math.max(1, Math.min(MOST_WAITING, threads.number() / 8)));
    }

    /**
     * Decides a login. After a revocation in the second of the decision, waits for the end of the second and decides again.
     *
     * @param notBefore the earliest time of valid tokens for the subject of this decision
     * @param next takes the valid decision and the start of the login
     * @return empty without a decision, for a banned subject, and if {@code next} is empty
     * @throws AuthUnavailableException if too many logins wait already, or the thread is interrupted
     */
    <D, T> Optional<T> decide(
            Supplier<Optional<D>> decision, Function<D, Instant> notBefore, BiFunction<D, Instant, Optional<T>> next) {
        Instant start = clock.instant();
        Optional<D> first = decision.get();
        Instant bound = first.map(notBefore).orElse(Instant.MIN);
        if (!bound.isAfter(start)) {
            return first.flatMap(decided -> next.apply(decided, start));
        }
        return end(bound).flatMap(begun -> decision.get().flatMap(decided -> next.apply(decided, begun)));
    }

    /**
     * Waits for this time, if the time is no more than a second away.
     *
     * @param bound the earliest time of valid tokens for a subject
     * @return the time afterwards: no earlier revocation covers a login from this time on. Empty if the bound is further away
     * @throws AuthUnavailableException if too many logins wait already, or the thread is interrupted
     */
    Optional<Instant> end(Instant bound) {
        Duration left = Duration.between(clock.instant(), bound);
        if (left.compareTo(LONGEST) > 0) {
            return Optional.empty();
        }
        if (left.compareTo(Duration.ZERO) > 0) {
            pause.accept(left);
        }
        // Waits once, and not until the bound: with a stopped clock, as in a test, or a clock set back, the login would
        // wait forever.
        Instant now = clock.instant();
        return Optional.of(now.isBefore(bound) ? bound : now);
    }
}
