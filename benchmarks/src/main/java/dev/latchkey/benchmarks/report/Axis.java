package dev.latchkey.benchmarks.report;

import dev.latchkey.benchmarks.report.Chart.Scale;
import java.util.ArrayList;
import java.util.List;

/** Where values are between two edges of a picture, and the round numbers to write beside them. */
record Axis(double low, double high, Scale scale, double from, double to) {

    private static final int MOST_TICKS = 6;

    /** An axis that shows all these values, from zero or from a power of ten, up to a round number. */
    static Axis around(List<Double> values, Scale scale, double from, double to) {
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        if (scale == Scale.LINEAR) {
            double step = step(Math.max(most, 1e-9));
            return new Axis(0, step * Math.ceil(Math.max(most, 1e-9) / step), scale, from, to);
        }
        double least = values.stream()
                .filter(value -> value > 0)
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(1);
        double low = Math.floor(Math.log10(least) + 1e-9);
        double high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, least)) - 1e-9));
        return new Axis(Math.pow(10, low), Math.pow(10, high), scale, from, to);
    }

    /** A tenth, fifth or half of a power of ten, so that few enough of them make up the range. */
    private static double step(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(range / MOST_TICKS)));
        for (double factor : new double[] {1, 2, 5}) {
            if (range / (power * factor) <= MOST_TICKS) {
                return power * factor;
            }
        }
        return power * 10;
    }

    /** Values beyond the edges are drawn at the edge. */
    double at(double value) {
        double share = scale == Scale.LINEAR
                ? (value - low) / (high - low)
                : Math.log(Math.max(value, low) / low) / Math.log(high / low);
        return from + Math.max(0, Math.min(1, share)) * (to - from);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (scale == Scale.LINEAR) {
            double step = step(high - low);
            for (int i = 0; low + i * step <= high * (1 + 1e-9); i++) {
                ticks.add(low + i * step);
            }
            return ticks;
        }
        int decades = (int) Math.round(Math.log10(high / low));
        int every = 1 + decades / MOST_TICKS;
        for (int i = 0; i <= decades; i += every) {
            ticks.add(low * Math.pow(10, i));
        }
        return ticks;
    }

    /** A tick's number, short: 0.5, 20, 10k, 2M. */
    static String label(double value) {
        if (value >= 1e6) {
            return trim(value / 1e6) + "M";
        }
        return value >= 1e4 ? trim(value / 1e3) + "k" : trim(value);
    }

    private static String trim(double value) {
        return java.math.BigDecimal.valueOf(value)
                .round(new java.math.MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
