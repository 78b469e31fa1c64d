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

    private static final class Line {
        private int inPool;
        private final Set<Waiting> known = new LinkedHashSet<>();
        private final Set<Waiting> strangers = new LinkedHashSet<>();

        private Set<Waiting> of(Familiarity familiarity) {
            return familiarity == Familiarity.KNOWN ? known : strangers;
        }
    }

    private final int atOnce;
    private final LoginLimitSettings.Waiting bounds;
    private final GuardTime time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BucketKey, Line> lines = new HashMap<>();
    private final Turns<Waiting> turns = new Turns<>(this::begin);
    private int waiting;

    /** @param atOnce logins of one account in the pool */
    AccountTurns(int atOnce, LoginLimitSettings.Waiting bounds, GuardTime time) {
        this.atOnce = atOnce;
        this.bounds = bounds;
        this.time = time;
    }

    /**
     * Waits for a turn.
     *
     * @param familiarity of the source to this account
     * @return completes with the account, which must then {@link #leave}; exceptionally if the line is full or the wait too
     *     long. Cancelling it gives the place up
     */
    CompletableFuture<BucketKey> enter(BucketKey account, Familiarity familiarity, Duration longest) {
        Waiting newcomer = new Waiting(account, new CompletableFuture<>());
        lock.lock();
        try {
            Line line = lines.computeIfAbsent(account, any -> new Line());
            if (line.inPool < atOnce) {
                line.inPool++;
                return CompletableFuture.completedFuture(account);
            }
            Set<Waiting> own = line.of(familiarity);
            if (own.size() >= bounds.perBucket() || waiting >= bounds.inAll()) {
                return CompletableFuture.failedFuture(refusal());
            }
            own.add(newcomer);
            waiting++;
        } finally {
            lock.unlock();
        }
        WakeUp end = time.after(longest, () -> newcomer.turn().completeExceptionally(refusal()));
        Stages.onEnd(newcomer.turn(), (turn, failure) -> {
            end.cancel();
            remove(newcomer);
        });
        return newcomer.turn();
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

    private static AuthUnavailableException refusal() {
        return AuthUnavailableException.throttled("Too many logins of one account wait for each other", A_MOMENT);
    }
}
