package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * Time by which a throttle waits half a minute for a store that nodes share, in place of {@value #DEADLINE_MILLIS} milliseconds: on a machine that has other work no
 * store answers in time.
 */
public final class PatientTime implements GuardTime {

    private static final int DEADLINE_MILLIS = 50;
    private static final Duration DEADLINE = Duration.ofMillis(DEADLINE_MILLIS);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final GuardTime real;

    private PatientTime(GuardTime real) {
        this.real = real;
    }

    public static PatientTime start() {
        return new PatientTime(GuardTime.start());
    }

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public WakeUp after(Duration delay, Runnable action) {
        return real.after(delay.equals(DEADLINE) ? PATIENCE : delay, action);
    }

    @Override
    public void close() {
        real.close();
    }
}
