package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * A throttle with this time waits half a minute for the shared store in place of {@value #DEADLINE_MILLIS} milliseconds,
 * because a busy machine is slow.
 */
public final class PatientTime implements GuardTime {

    private static final int DEADLINE_MILLIS = 200;
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
