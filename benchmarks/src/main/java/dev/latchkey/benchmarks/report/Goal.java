package dev.latchkey.benchmarks.report;

/**
 * A figure that was promised, and what was measured.
 *
 * @param id stable, for whoever quotes it
 * @param text what is measured, in a sentence
 * @param bound which side of the target is good
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

    /** Whether it is met; a figure that is no number meets nothing. */
    public boolean isMet() {
        return bound == Bound.AT_LEAST ? measured >= target : measured <= target;
    }
}
