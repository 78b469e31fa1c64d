package dev.latchkey.benchmarks.load.scenario;

import java.time.Duration;

/**
 * The duration of a pass: a quick pass takes twelve minutes, a full pass for publication nearly an hour. The shortest pass
 * only shows that everything works; its figures mean nothing.
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

    /** The time until the compiler has finished a new path, while the path itself uses the processors. */
    public Duration settling() {
        return pick(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    public Duration measured() {
        return measured;
    }

    /** A reading of what requests cost a process. */
    public Duration costed() {
        return pick(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofMillis(1_500));
    }

    /** The number of rounds for a comparison. */
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
