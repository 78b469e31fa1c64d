package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.Flight.Landing;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * One load per credential at a time: who comes while it runs waits for its verdict.
 *
 * <p>Per credential, not per account: a wrong password is another credential than the right one, so it waits for nobody
 * and delays nobody. Outside Caffeine's loader, which would hold a lock of the map while the hash is computed.
 *
 * <p>The first asks on its own thread; the map is left and the flight lands on every way out, thrown errors included.
 * A flight that ends without a verdict is nobody's: each waiter asks for itself, as it would without a cache, because
 * what went wrong (its deadline, its stack, its interrupt) was the first one's. Only an outage is passed on, since
 * asking again would only meet it again.
 *
 * <p><b>A refusal is never sooner.</b> Whoever joined a flight that ends in a refusal is held until the time has
 * passed, from its own arrival, that the load took. Otherwise two equal guesses, one shortly after the other, would
 * be answered together, and whoever sends them could see from the second that they met in one flight.
 */
final class Flights {

    private final ConcurrentHashMap<CredentialDigest, Flight<?>> running = new ConcurrentHashMap<>();
    private final LongSupplier nanos;
    private final LongConsumer pause;
    private final Counters counters;

    /** @param pause parks the thread for about so many nanoseconds; it may return early, and does if interrupted */
    Flights(LongSupplier nanos, LongConsumer pause, Counters counters) {
        this.nanos = nanos;
        this.pause = pause;
        this.counters = counters;
    }

    <V> V verdict(CredentialDigest credential, long tag, CredentialLoad<V> load) {
        long arrival = nanos.getAsLong();
        StackRoom.require();
        Flight<V> mine = new Flight<>(tag);
        // A digest is of one owner, whose loads all have verdicts of one type.
        @SuppressWarnings("unchecked")
        Flight<V> other = (Flight<V>) running.putIfAbsent(credential, mine);
        if (other == null) {
            return lead(credential, mine, load, arrival);
        }
        return other.isLedByThisThread() ? load.ask() : follow(other, load, arrival);
    }

    /** Loads that run now and have such a tag store nothing, and nobody joins them any more. */
    void detach(LongPredicate tags) {
        running.forEach((credential, flight) -> {
            if (tags.test(flight.tag())) {
                flight.forbidStore();
                running.remove(credential, flight);
            }
        });
    }

    int running() {
        return running.size();
    }

    private <V> V lead(CredentialDigest credential, Flight<V> flight, CredentialLoad<V> load, long start) {
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
                load.store(verdict, flight, took);
            }
            return verdict;
        } catch (AuthUnavailableException e) {
            end = e.kind() == AuthUnavailableException.Kind.OUTAGE ? new Landing<>(null, e, 0) : end;
            throw e;
        } finally {
            if (end.verdict() == null) {
                counters.failedLoads.increment();
            }
            try {
                running.remove(credential, flight);
            } finally {
                flight.land(end);
            }
        }
    }

    private <V> V follow(Flight<V> flight, CredentialLoad<V> load, long arrival) {
        counters.waiters.increment();
        Landing<V> end = flight.await();
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
