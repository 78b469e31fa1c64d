package dev.latchkey.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The readings of a variant, one for each round. Two variants are compared round by round: both were measured within seconds, with
 * the same load on the machine. The result is the median.
 */
public final class Readings<T> {

    private final List<T> rounds = new ArrayList<>();

    public void add(T round) {
        rounds.add(round);
    }

    public T last() {
        return rounds.get(rounds.size() - 1);
    }

    public double median(ToDoubleFunction<T> figure) {
        return Figures.median(rounds.stream().mapToDouble(figure).boxed().toList());
    }

    /** The figure of the least disturbed round: disturbances of a machine only add. */
    public double least(ToDoubleFunction<T> figure) {
        return rounds.stream().mapToDouble(figure).min().orElseThrow();
    }

    /** How many times as much as the other. */
    public double times(Readings<T> other, ToDoubleFunction<T> figure) {
        return paired(other, figure, (mine, its) -> mine / its);
    }

    /** How much more than the other. */
    public double more(Readings<T> other, ToDoubleFunction<T> figure) {
        return paired(other, figure, (mine, its) -> mine - its);
    }

    private double paired(Readings<T> other, ToDoubleFunction<T> figure, DoubleBinaryOperator comparison) {
        if (rounds.size() != other.rounds.size()) {
            throw new IllegalStateException(
                    rounds.size() + " rounds cannot be compared with " + other.rounds.size() + " one by one");
        }
        return Figures.median(IntStream.range(0, rounds.size())
                .mapToObj(i -> comparison.applyAsDouble(
                        figure.applyAsDouble(rounds.get(i)), figure.applyAsDouble(other.rounds.get(i))))
                .toList());
    }
}
