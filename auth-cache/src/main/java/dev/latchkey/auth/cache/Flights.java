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
 * Runs one load per credential at a time. Later callers with the same credential wait for the verdict.
 *
 * <p>A flight is per credential, not per account: a wrong password is another credential than the right password.
 * Therefore a login with the right password and a login with a wrong password never wait for each other. Flights do not
 * use Caffeine's loader, which would hold a lock of the map during the hash.
 *
 * <p>The first caller asks on its own thread. The flight lands on every way out, also after a thrown error. The landing
 * is an assignment in the outermost frame, because the stack may overflow in any call. The overflow may also hit the
 * call that removes the flight from the map. Therefore the map may contain a landed flight, and the next caller removes
 * such a flight.
 *
 * <p>If a flight ends without a verdict, each waiter asks by itself, as without a cache. The failure (a deadline, a
 * stack, an interrupt) belongs to the first caller. Only an outage is shared, because a new question would meet the
 * same outage.
 *
 * <p><b>No rejection comes early.</b> If a joined flight ends in a rejection, each waiter is held for the load's whole
 * duration from its own arrival, or until an interrupt. Otherwise two equal guesses would be answered together. From the
 * second answer, the sender could then see that both guesses shared one flight.
 */
final class Flights {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final ConcurrentMap<CredentialDigest, Flight<?>> running;
    private final LongSupplier nanos;
    private final LongConsumer pause;
    private final Counters counters;
    private final WaitBound bound;

    /**
     * @param pause parks the thread for about this many nanoseconds; may return early, and does so after an interrupt
     */
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
            // Neither call has to succeed: a flight left in the map has landed, and waiters check by themselves.
            try {
                running.remove(credential, mine);
            } finally {
                mine.wakeWaiters();
            }
        }
    }

    /** The running flight for this credential, or null after registering the caller's flight. */
    private <V> @Nullable Flight<V> joinOrRegister(CredentialDigest credential, Flight<V> mine) {
        while (true) {
            // A digest belongs to one owner, and all loads of an owner have the same verdict type.
            @SuppressWarnings("unchecked")
            Flight<V> other = (Flight<V>) running.putIfAbsent(credential, mine);
            if (other == null || !other.isOver()) {
                return other;
            }
            running.remove(credential, other);
        }
    }

    /**
     * Forbids running loads with such a tag to store, and lets no more callers join these loads.
     *
     * @param storing called with the tag of each such load; waits for a concurrent store
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

    /** The number of running flights. */
    int running() {
        running.values().removeIf(Flight::isOver);
        // Counted one by one: if a stack overflowed during a registration, the map's own count is too low.
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

    /** A failure here, also in a log or a clock, does not change the reached verdict. */
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
