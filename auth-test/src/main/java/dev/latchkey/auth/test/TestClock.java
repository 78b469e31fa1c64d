package dev.latchkey.auth.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The clock in a test's context, for the expiry of tokens, sessions and limits. The clock stands still until moved.
 *
 * <p>Each test starts at the present, in whole seconds, as in tokens. Moving the clock lets rate limits recover.
 * Requests that wait for a limit still wait in real time, so no wait lasts for ever. Safe for use by any number of
 * threads.
 *
 * <p>The bean {@code latchkeyClock}, of the starter or of the service, shows the time of this clock. This clock is no
 * {@link InstantSource}: otherwise, a service that injects an {@code InstantSource} would start only in its tests.
 */
public final class TestClock {

    private final InstantSource machine;
    private final AtomicReference<Instant> now;
    private final List<Consumer<Duration>> listeners = new CopyOnWriteArrayList<>();

    private TestClock(InstantSource machine) {
        this.machine = machine;
        this.now = new AtomicReference<>(presentOf(machine));
    }

    static TestClock ofThePresent() {
        return new TestClock(InstantSource.system());
    }

    /**
     * The time of this clock.
     *
     * @return the same until the clock is moved
     */
    public Instant instant() {
        return now.get();
    }

    /**
     * Moves the clock forwards.
     *
     * @param time zero or more
     * @throws IllegalArgumentException if the time is negative
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time passes forwards; moveTo goes back, too. Got " + time);
        }
        now.updateAndGet(before -> before.plus(time));
        listeners.forEach(listener -> listener.accept(time));
    }

    /**
     * Sets the clock. Rate limits follow only forwards, because spent permits do not return.
     *
     * @param time may be before the current time of the clock
     */
    public void moveTo(Instant time) {
        Instant before = now.getAndSet(Objects.requireNonNull(time, "time"));
        if (time.isAfter(before)) {
            listeners.forEach(listener -> listener.accept(Duration.between(before, time)));
        }
    }

    /** Sets the clock to the present. */
    void reset() {
        now.set(presentOf(machine));
    }

    /** Calls the listener whenever time passes. */
    void onAdvance(Consumer<Duration> listener) {
        listeners.add(listener);
    }

    private static Instant presentOf(InstantSource machine) {
        return machine.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    @Override
    public String toString() {
        return "TestClock[" + now.get() + "]";
    }
}
