package dev.latchkey.benchmarks.load;

import java.time.Duration;

/** How long a pass takes: a quick one stays under ten minutes, a full one is for publication, and takes an hour. */
enum Effort {
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

    Duration warmUp() {
        return warmUp;
    }

    /** Until the compiler is done with a path that is new to it, while the path itself wants the processors. */
    Duration settling() {
        return pick(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    Duration measured() {
        return measured;
    }

    /** How often what is compared is measured in turn. */
    int rounds() {
        return rounds;
    }

    <T> T pick(T quick, T full) {
        return this == QUICK ? quick : full;
    }
}
