package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.Flight.Landing;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One load per credential at a time: who comes while it runs waits for its verdict.
 *
 * <p>Per credential, not per account: a wrong password is another credential than the right one, so it waits for nobody
 * and delays nobody. Outside Caffeine's loader, which would hold a lock of the map while the hash is computed.
 *
 * <p>The first asks on its own thread, and its flight lands on every way out, thrown errors included: by an assignment in the
 * outermost frame, since a stack may end in any call, also in that which removes the flight from the map. So a flight that
 * landed may still be in the map, and whoever meets it there removes it.
 *
 * <p>A flight that ends without a verdict is nobody's: each waiter asks for itself, as it would without a cache, because
 * what went wrong (its deadline, its stack, its interrupt) was the first one's. Only an outage is passed on, since
 * asking again would only meet it again.
 *
 * <p><b>A refusal is never sooner.</b> Whoever joined a flight that ends in a refusal is held until the time has
 * passed, from its own arrival, that the load took. Otherwise two equal guesses, one shortly after the other, would
 * be answered together, and whoever sends them could see from the second that they met in one flight.
 */
final class Flights {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final ConcurrentMap<CredentialDigest, Flight<?>> running;
    private final LongSupplier nanos;
    private final LongConsumer pause;
    private final Counters counters;
    private final WaitBound bound;

    /** @param pause parks the thread for about so many nanoseconds; it may return early, and does if interrupted */
    Flights(LongSupplier nanos, LongConsumer pause, Counters counters, WaitBound bound) {
        this(new ConcurrentHashMap<>(), nanos, pause, counters, bound);
    }

    /** @param running empty */
    Flights(
            ConcurrentMap<CredentialDigest, Flight<?>> running,
            LongSupplier nanos,
            LongConsumer pause,
            Counters counters,
            WaitBound bound) {
        this.running = running;
        this.nanos = nanos;
        this.pause = pause;
        this.counters = counters;
        this.bound = bound;
    }

    <V> V verdict(CredentialDigest credential, long tag, CredentialLoad<V> load) {
        long arrival = nanos.getAsLong();
        StackRoom.require();
        Flight<V> mine = new Flight<>(tag);
        Landing<V> nothing = Flight.nothing();
        try {
            Flight<V> other = joinOrRegister(credential, mine);
            if (other == null) {
                return lead(mine, load, arrival);
            }
            return other.isLedByThisThread() ? load.ask() : follow(other, load, arrival);
        } finally {
            if (mine.landing == null) {
                mine.landing = nothing;
            }
            // No call has to succeed: a flight that stays in the map is over, and waiters look for themselves.
            try {
                running.remove(credential, mine);
            } finally {
                mine.wakeWaiters();
            }
        }
    }

    /** The flight that runs for this credential; null where there was none, and this one is registered. */
    private <V> @Nullable Flight<V> joinOrRegister(CredentialDigest credential, Flight<V> mine) {
        while (true) {
            // A digest is of one owner, whose loads all have verdicts of one type.
            @SuppressWarnings("unchecked")
            Flight<V> other = (Flight<V>) running.putIfAbsent(credential, mine);
            if (other == null || !other.isOver()) {
                return other;
            }
            running.remove(credential, other);
        }
    }

    /**
     * Loads that run now and have such a tag store nothing, and nobody joins them any more.
     *
     * @param storing is given the tag of each, to wait for what it may be storing at this moment
     */
    void detach(LongPredicate tags, LongConsumer storing) {
        running.forEach((credential, flight) -> {
            if (tags.test(flight.tag())) {
                flight.forbidStore();
                running.remove(credential, flight);
                storing.accept(flight.tag());
            }
        });
    }

    /** How many run now. */
    int running() {
        running.values().removeIf(Flight::isOver);
        // One by one: the map's own count misses an entry at whose registration a stack ended.
        int count = 0;
        for (Flight<?> flight : running.values()) {
            count += flight.isOver() ? 0 : 1;
        }
        return count;
    }

    private <V> V lead(Flight<V> flight, CredentialLoad<V> load, long start) {
        Landing<V> end = Flight.nothing();
        try {
            V stored = load.stored();
            if (stored != null) {
                end = new Landing<>(stored, null, 0);
                return stored;
            }
            counters.flights.increment();
            V verdict = load.ask();
            long took = nanos.getAsLong() - start;
            end = new Landing<>(verdict, null, took);
            if (load.accepts(verdict)) {
                counters.succeeded(took);
                store(flight, load, verdict, took);
            }
            return verdict;
        } catch (AuthUnavailableException e) {
            end = e.kind() == AuthUnavailableException.Kind.OUTAGE ? new Landing<>(null, e, 0) : end;
            throw e;
        } finally {
            flight.landing = end;
            if (end.verdict() == null) {
                counters.failedLoads.increment();
            }
        }
    }

    /** What fails here, also an error below a log or in a clock, makes no verdict of a verdict that was reached. */
    private <V> void store(Flight<V> flight, CredentialLoad<V> load, V verdict, long took) {
        try {
            load.store(verdict, flight, took);
        } catch (RuntimeException | Error e) {
            counters.notStored.increment();
        }
    }

    private <V> V follow(Flight<V> flight, CredentialLoad<V> load, long arrival) {
        if (!bound.enter()) {
            throw AuthUnavailableException.overload("Too many threads wait for logins", A_MOMENT);
        }
        counters.waiters.increment();
        try {
            return follow(flight.await(), load, arrival);
        } finally {
            bound.leave();
        }
    }

    private <V> V follow(Landing<V> end, CredentialLoad<V> load, long arrival) {
        if (end.outage() != null) {
            throw end.outage();
        }
        V verdict = end.verdict();
        if (verdict == null) {
            return load.ask();
        }
        if (!load.accepts(verdict)) {
            holdUntil(arrival + end.nanos());
        }
        return verdict;
    }

    private void holdUntil(long time) {
        long left = time - nanos.getAsLong();
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            pause.accept(left);
            left = time - nanos.getAsLong();
        }
    }
}
