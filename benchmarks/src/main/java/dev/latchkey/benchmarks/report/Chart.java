package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Bars of figures, a bar for each label and series.
 *
 * @param title names the figures, and says whether less or more is better
 * @param unit of all values
 */
public record Chart(String title, String unit, Scale scale, List<String> labels, List<Series> series) {

    /** How long a bar is beside another. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /** Bars of one colour, a value for each label. */
    public record Series(String name, List<Double> values) {

        public Series {
            values = List.copyOf(values);
        }

        /** The figures of these things. */
        public static <T> Series of(String name, List<T> things, ToDoubleFunction<T> figure) {
            return new Series(name, things.stream().mapToDouble(figure).boxed().toList());
        }
    }

    /** @throws IllegalArgumentException if a series has more or fewer values than there are labels */
    public Chart {
        labels = List.copyOf(labels);
        series = List.copyOf(series);
        for (Series each : series) {
            if (each.values().size() != labels.size()) {
                throw new IllegalArgumentException("The chart '" + title + "' has " + labels.size() + " labels, but "
                        + each.values().size() + " bars in '" + each.name() + "'");
            }
        }
    }

    /** The length of this value's bar beside the longest, 1. A logarithmic bar begins at the power of ten below all values. */
    double share(double value) {
        double most = values().max().orElse(0);
        if (value <= 0 || most <= 0) {
            return 0;
        }
        if (scale == Scale.LINEAR) {
            return value / most;
        }
        double least = values().filter(each -> each > 0).min().orElse(most);
        double begin = Math.pow(10, Math.ceil(Math.log10(least)) - 1);
        return Math.log(value / begin) / Math.log(most / begin);
    }

    private java.util.stream.DoubleStream values() {
        return series.stream().flatMap(each -> each.values().stream()).mapToDouble(Double::doubleValue);
    }
}
