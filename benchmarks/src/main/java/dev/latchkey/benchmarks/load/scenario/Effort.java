package dev.latchkey.benchmarks.load.scenario;

import java.time.Duration;

/**
 * The duration of a pass: a quick pass takes at most twelve minutes, a full pass for publication at most an hour. The shortest
 * pass only shows that everything works; its figures mean nothing.
 */
public enum Effort {
    SMOKE,
    QUICK,
    FULL;

    /** The seconds until a service listens. */
    public static final int START = 6;

    /** The seconds for the compilers in a warm-up, beside the load. */
    private static final int COMPILERS = 8;

    /** After eight seconds of load, the compilers of JDK 25 still work, and a token "costs" four times its price. */
    private static boolean isOfSlowCompilers() {
        return Runtime.version().feature() > 17;
    }

    /**
     * The time of load on each service in one pass of a warm-up, for all kinds of requests together. A warm-up has passes until
     * the compilers rest.
     */
    public Duration warmUp() {
        return pick(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /** The longest time of load on each service in a warm-up. */
    public Duration longestWarmUp() {
        return pick(Duration.ofMillis(500), Duration.ofSeconds(isOfSlowCompilers() ? 24 : 8), Duration.ofSeconds(24));
    }

    public Duration measured() {
        return pick(Duration.ofMillis(500), Duration.ofMillis(1_200), Duration.ofSeconds(3));
    }

    /** The time of one reading of the requests' cost in a process. */
    public Duration costed() {
        return pick(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofMillis(1_500));
    }

    /** The number of rounds for a comparison. */
    public int rounds() {
        return pick(2, 3, 9);
    }

    public static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /** The seconds for these numbers of warm-ups, windows of rates, readings of costs, and starts of services. */
    public double seconds(double warmUps, int rates, int costs, int starts) {
        return warmUps * (seconds(longestWarmUp()) + COMPILERS)
                + rates * seconds(measured())
                + costs * seconds(costed())
                + starts * START;
    }

    public <T> T pick(T quick, T full) {
        return this == FULL ? full : quick;
    }

    public <T> T pick(T smoke, T quick, T full) {
        return this == SMOKE ? smoke : pick(quick, full);
    }
}
