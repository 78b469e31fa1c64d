package dev.latchkey.benchmarks.report;

/**
 * A promised figure beside its measurement.
 *
 * @param id stable, for quotations
 * @param text the measurement, in a sentence
 * @param bound the good side of the target
 */
public record Goal(String id, String text, double measured, Bound bound, double target, String unit) {

    /** The good side of a target. */
    public enum Bound {
        AT_LEAST,
        AT_MOST
    }

    public static Goal atLeast(String id, String text, double measured, double target, String unit) {
        return new Goal(id, text, measured, Bound.AT_LEAST, target, unit);
    }

    public static Goal atMost(String id, String text, double measured, double target, String unit) {
        return new Goal(id, text, measured, Bound.AT_MOST, target, unit);
    }

    /** Whether the goal is met. A figure that is no number meets nothing, such as a ratio to a yardstick of zero. */
    public boolean isMet() {
        return Double.isFinite(measured) && (bound == Bound.AT_LEAST ? measured >= target : measured <= target);
    }
}
