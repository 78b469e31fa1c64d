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
 * One token for all threads, and one login under way at most.
 *
 * <p>A token that is good is taken without a lock. Who finds none joins the flight that is under way, or begins one. A token that grows old is fetched anew behind the requests that still
 * show it, so a failure then is felt by nobody until the token has ended.
 *
 * <p>A refused token is given up once, however many requests were refused with it. A flight that was under way then may bring a token that the server has forgotten as well: it is not
 * kept, and another flight follows it.
 *
 * <p>After a failure no login is begun until the back-off is over. A flight may be begun before, and waits for that.
 */
final class SharedToken {

    private final LoginEndpoint endpoint;
    private final TokenGrants grants;
    private final Duration longestBackOff;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Function<Duration, Executor> pause;
    private final ToldEvents told;

    /** Held while the fields below are written, and never while anybody is asked or told. */
    private final ReentrantLock lock = new ReentrantLock();

    @Nullable
    private volatile KeptToken kept;

    @Nullable
    private volatile LoginFlight flight;

    private volatile BackOff backOff = BackOff.NONE;

    /** Guarded by the lock. */
    private final RenewalBudget renewals = new RenewalBudget();

    /** @param pause an executor that runs what it is given after so long */
    SharedToken(
            LoginEndpoint endpoint,
            ClientSettings settings,
            RandomGenerator random,
            Function<Duration, Executor> pause,
            ToldEvents told) {
        this.endpoint = endpoint;
        this.grants = new TokenGrants(endpoint, settings, told);
        this.longestBackOff = settings.longestBackOff();
        this.clock = settings.clock();
        this.random = random;
        this.pause = pause;
        this.told = told;
    }

    /** The token, where there is one that is good; begins to fetch the next one where it is time. */
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
     * The landing of the flight that is under way, or of one that begins now. Fails at once with a {@link LoginFailedException} where the back-off is longer than
     * the caller's patience, or after a refusal.
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

    /** Whether there is, or will be, something else to show than this, which was refused. */
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
        told.tell(new ClientEvent.TokenRefused());
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what comes of it ends in the landing
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

    /** A flight that did not end would be joined for ever, so it ends whatever fails here: a clock is somebody else's code. */
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
        told.succeeded(issued.event(), endpoint);
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
        told.failed(known);
        crashed.landing().completeExceptionally(known);
    }

    private void clear(LoginFlight over) {
        if (flight == over) {
            flight = null;
        }
    }
}
