package dev.latchkey.benchmarks.load.scenario;

import java.time.Duration;

/**
 * How long a pass takes: a quick one some twenty minutes, a full one, for publication, nearly an hour and a half. The shortest shows that
 * everything works, and its figures mean nothing.
 */
public enum Effort {
    SMOKE(Duration.ofMillis(500), Duration.ofMillis(500), 2),
    QUICK(Duration.ofMillis(2_500), Duration.ofMillis(1_500), 3),
    FULL(Duration.ofSeconds(10), Duration.ofSeconds(4), 7);

    private final Duration warmUp;
    private final Duration measured;
    private final int rounds;

    Effort(Duration warmUp, Duration measured, int rounds) {
        this.warmUp = warmUp;
        this.measured = measured;
        this.rounds = rounds;
    }

    public Duration warmUp() {
        return warmUp;
    }

    /** Until the compiler is done with a path that is new to it, while the path itself wants the processors. */
    public Duration settling() {
        return pick(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    public Duration measured() {
        return measured;
    }

    /** How often what is compared is measured in turn. */
    public int rounds() {
        return rounds;
    }

    public <T> T pick(T quick, T full) {
        return this == FULL ? full : quick;
    }

    public <T> T pick(T smoke, T quick, T full) {
        return this == SMOKE ? smoke : pick(quick, full);
    }
}
