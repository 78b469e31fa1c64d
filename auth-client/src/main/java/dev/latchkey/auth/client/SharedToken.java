package dev.latchkey.auth.client;

import dev.latchkey.auth.client.TokenGrants.Issued;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One token for all threads, with at most one running login.
 *
 * <p>Threads read a valid token without a lock. A thread without a token joins the running flight or starts one. An old
 * token is renewed in the background while requests still use the old token. A failed renewal affects no request until
 * the old token expires.
 *
 * <p>A rejected token is dropped once, even if many requests were rejected. A {@link RenewalBudget} limits how often. A
 * login that was running at the time may return a token that the server no longer knows. Such a token is not kept, and
 * another flight follows.
 *
 * <p>After a failure no login starts until the end of the pause. A flight may start earlier, and then waits for the end
 * of the pause.
 */
final class SharedToken {

    private final LoginEndpoint endpoint;
    private final TokenGrants grants;
    private final Duration longestBackOff;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Function<Duration, Executor> pause;
    private final ListenerEvents events;

    /** Held for writes of the fields below, and never while a server or a listener is called. */
    private final ReentrantLock lock = new ReentrantLock();

    @Nullable
    private volatile KeptToken kept;

    @Nullable
    private volatile LoginFlight flight;

    private volatile BackOff backOff = BackOff.NONE;

    /** Guarded by the lock. */
    private final RenewalBudget renewals = new RenewalBudget();

    /** @param pause returns an executor that runs its task after this time */
    SharedToken(
            LoginEndpoint endpoint,
            ClientSettings settings,
            RandomGenerator random,
            Function<Duration, Executor> pause,
            ListenerEvents events) {
        this.endpoint = endpoint;
        this.grants = new TokenGrants(endpoint, settings, events);
        this.longestBackOff = settings.longestBackOff();
        this.clock = settings.clock();
        this.random = random;
        this.pause = pause;
        this.events = events;
    }

    /** The kept token, if valid. After the refresh time, starts a flight for the next token, but not during a pause. */
    Optional<Authorization> ready() {
        KeptToken known = kept;
        Instant now = clock.instant();
        if (known == null || !known.isGoodAt(now)) {
            return Optional.empty();
        }
        if (known.isToBeRefreshedAt(now)
                && flight == null
                && backOff.leftAt(now).isZero()) {
            refresh(known);
        }
        return Optional.of(known.authorization());
    }

    private void refresh(KeptToken old) {
        LoginFlight begun = new LoginFlight();
        lock.lock();
        try {
            KeptToken known = kept;
            if (flight != null || known == null || known.authorization() != old.authorization()) {
                return;
            }
            flight = begun;
        } finally {
            lock.unlock();
        }
        launch(begun, null);
    }

    /**
     * The kept token, or the result of the running flight or of a new flight. During a pause, fails at once with a
     * {@link LoginFailedException}, if the pause is longer than the caller's patience or waiting cannot help.
     */
    CompletableFuture<Authorization> join(Duration patience) {
        LoginFlight begun = new LoginFlight();
        LoginFlight before;
        lock.lock();
        try {
            Instant now = clock.instant();
            KeptToken known = kept;
            if (known != null && known.isGoodAt(now)) {
                return CompletableFuture.completedFuture(known.authorization());
            }
            before = flight;
            if (before != null && !before.isOutdated()) {
                return before.landing();
            }
            BackOff present = backOff;
            if (present.outlasts(patience, now)) {
                return CompletableFuture.failedFuture(present.failureAt(now));
            }
            flight = begun;
        } finally {
            lock.unlock();
        }
        launch(begun, before);
        return begun.landing();
    }

    /** Whether other credentials than the rejected token exist or will exist. */
    boolean giveUp(Authorization refused) {
        lock.lock();
        try {
            KeptToken known = kept;
            if (known == null || known.authorization() != refused) {
                return true;
            }
            if (!renewals.take(clock.instant())) {
                return false;
            }
            kept = null;
            LoginFlight under = flight;
            if (under != null) {
                under.outdate();
            }
        } finally {
            lock.unlock();
        }
        events.tell(new ClientEvent.TokenRefused());
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result ends in the landing
    private void launch(LoginFlight begun, @Nullable LoginFlight before) {
        CompletableFuture<?> runway = before == null
                ? CompletableFuture.completedFuture(before)
                : before.landing().handle((token, failure) -> before);
        runway.thenCompose(landed -> afterBackOff())
                .thenCompose(waited -> grants.next())
                .whenComplete((issued, failure) -> end(begun, issued, failure));
    }

    private CompletableFuture<?> afterBackOff() {
        Duration left = backOff.leftAt(clock.instant());
        return left.isZero()
                ? CompletableFuture.completedFuture(left)
                : CompletableFuture.runAsync(() -> {}, pause.apply(left));
    }

    /**
     * Ends a flight in every case: otherwise callers would join a dead flight for ever. The clock is foreign code and
     * may throw.
     */
    private void end(LoginFlight over, @Nullable Issued issued, @Nullable Throwable failure) {
        try {
            if (issued != null) {
                land(over, issued);
            } else {
                crash(over, LoginExchange.failureOf(Objects.requireNonNull(failure)));
            }
        } catch (RuntimeException | Error e) {
            lock.lock();
            try {
                clear(over);
            } finally {
                lock.unlock();
            }
            over.landing().completeExceptionally(e);
        }
    }

    private void land(LoginFlight landed, Issued issued) {
        lock.lock();
        try {
            if (!landed.isOutdated()) {
                kept = KeptToken.of(issued.answer(), issued.asked(), random);
            }
            backOff = BackOff.NONE;
            clear(landed);
        } finally {
            lock.unlock();
        }
        events.succeeded(issued.event(), endpoint);
        landed.landing().complete(issued.answer().authorization());
    }

    private void crash(LoginFlight crashed, LoginFailedException failure) {
        LoginFailedException known;
        lock.lock();
        try {
            BackOff longer = backOff.after(failure, clock.instant(), longestBackOff, random);
            backOff = longer;
            known = longer.failure();
            clear(crashed);
        } finally {
            lock.unlock();
        }
        events.failed(known);
        crashed.landing().completeExceptionally(known);
    }

    private void clear(LoginFlight over) {
        if (flight == over) {
            flight = null;
        }
    }
}
