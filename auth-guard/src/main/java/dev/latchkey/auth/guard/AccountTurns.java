package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.HashDemand.Familiarity;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets no more logins of one account into the pool at a time than the pool has threads; its others wait here.
 *
 * <p>Without it, parallel correct logins of one account would fill the pool's queue and be refused as an overload that is
 * only their own doing, and would take the places of everybody else. More of them than threads could not be hashed anyway.
 *
 * <p>Those whose source has logged in to the account before come first, or an attacker's guesses from many sources would be
 * a line for the owner to stand in. Waiting holds no thread, is bounded in number and in time. One lock for all accounts,
 * held for a few map operations.
 */
final class AccountTurns {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /** One that waits for its turn; the future tells it, and is ended by whoever tires of waiting. */
    private record Waiting(BucketKey account, CompletableFuture<BucketKey> turn) {}

    private enum Place {
        IN_POOL,
        IN_LINE,
        NONE
    }

    private static final class Line {
        private int inPool;
        private final Set<Waiting> known = new LinkedHashSet<>();
        private final Set<Waiting> strangers = new LinkedHashSet<>();

        private Set<Waiting> of(Familiarity familiarity) {
            return familiarity == Familiarity.KNOWN ? known : strangers;
        }
    }

    private final int atOnce;
    private final LoginLimits limits;
    private final LoginLimitSettings.Waiting bounds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BucketKey, Line> lines = new HashMap<>();
    private final Turns<Waiting> turns = new Turns<>(this::begin);
    private int waiting;

    /** @param atOnce logins of one account in the pool */
    AccountTurns(int atOnce, LoginLimits limits) {
        this.atOnce = atOnce;
        this.limits = limits;
        this.bounds = limits.settings().waiting();
    }

    /**
     * Waits for a turn of the attempt's account.
     *
     * @return completes with the account, which must then {@link #leave}; exceptionally if the line is full or the wait too
     *     long, which is counted as a refusal by {@link LoginLimit#WAITING}. Cancelling it gives the place up
     */
    CompletableFuture<BucketKey> enter(LoginAttempt attempt, Duration longest) {
        BucketKey account = limits.account(attempt);
        Waiting newcomer = new Waiting(account, new CompletableFuture<>());
        Place place = placeOf(newcomer, limits.familiarity(attempt));
        if (place == Place.IN_POOL) {
            newcomer.turn().complete(account);
        } else if (place == Place.NONE) {
            refuse(newcomer, Duration.ZERO);
        } else {
            WakeUp end = limits.time().after(longest, () -> refuse(newcomer, longest));
            Stages.onEnd(newcomer.turn(), (turn, failure) -> {
                end.cancel();
                remove(newcomer);
            });
        }
        return newcomer.turn();
    }

    private Place placeOf(Waiting newcomer, Familiarity familiarity) {
        lock.lock();
        try {
            Line line = lines.computeIfAbsent(newcomer.account(), any -> new Line());
            if (line.inPool < atOnce) {
                line.inPool++;
                return Place.IN_POOL;
            }
            Set<Waiting> own = line.of(familiarity);
            if (own.size() >= bounds.perBucket() || waiting >= bounds.inAll()) {
                return Place.NONE;
            }
            own.add(newcomer);
            waiting++;
            return Place.IN_LINE;
        } finally {
            lock.unlock();
        }
    }

    /** The turn is over: the next has it. */
    void leave(BucketKey account) {
        Waiting next = next(account);
        if (next != null) {
            turns.give(List.of(next));
        }
    }

    /** Who was chosen and went away in that moment passes its turn on. */
    private void begin(Waiting next) {
        if (!next.turn().complete(next.account())) {
            leave(next.account());
        }
    }

    @Nullable
    private Waiting next(BucketKey account) {
        lock.lock();
        try {
            Line line = lines.get(account);
            if (line == null) {
                return null;
            }
            for (Set<Waiting> each : List.of(line.known, line.strangers)) {
                for (Waiting first : each) {
                    each.remove(first);
                    waiting--;
                    return first;
                }
            }
            line.inPool--;
            if (line.inPool == 0) {
                lines.remove(account);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** How many accounts have logins in the pool or in line; none, when nothing is going on. */
    int accounts() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    private void remove(Waiting gone) {
        lock.lock();
        try {
            Line line = lines.get(gone.account());
            if (line != null && (line.known.remove(gone) || line.strangers.remove(gone))) {
                waiting--;
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuse(Waiting tired, Duration waited) {
        if (tired.turn()
                .completeExceptionally(AuthUnavailableException.throttled(
                        "Too many logins of one account wait for each other", A_MOMENT))) {
            limits.refused(LoginLimit.WAITING, waited);
        }
    }
}
