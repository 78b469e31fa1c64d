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
 * The clock by which tokens, logins and limits end in a test's context. It stands still until it is moved.
 *
 * <p>It tells the present of the moment at which each test begins, in whole seconds, as tokens count. Limits on logins and requests
 * recover as it is moved, and for a request that waits for that: no wait lasts for ever. Safe for use by any number of threads.
 */
public final class TestClock implements InstantSource {

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

    @Override
    public Instant instant() {
        return now.get();
    }

    /**
     * Lets this much time pass.
     *
     * @param time zero or more
     * @throws IllegalArgumentException if it is negative
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time passes forwards; moveTo goes back, too. Got " + time);
        }
        now.updateAndGet(before -> before.plus(time));
        listeners.forEach(listener -> listener.accept(time));
    }

    /**
     * Goes to this time. Limits on logins and requests follow forwards only: back is no way for what was spent.
     *
     * @param time may lie before the present one
     */
    public void moveTo(Instant time) {
        Instant before = now.getAndSet(Objects.requireNonNull(time, "time"));
        if (time.isAfter(before)) {
            listeners.forEach(listener -> listener.accept(Duration.between(before, time)));
        }
    }

    /** Tells the present again. */
    void reset() {
        now.set(presentOf(machine));
    }

    /** This is told of all time that passes. */
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
