package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The costs of a variant for each round. Two variants are compared round by round: both were measured within seconds, with the
 * same load on the machine. The result is the median.
 */
public final class Costs {

    private final List<Cost> rounds = new ArrayList<>();

    public void add(Cost round) {
        rounds.add(round);
    }

    public double median(ToDoubleFunction<Cost> figure) {
        return Figures.median(rounds.stream().mapToDouble(figure).boxed().toList());
    }

    /** The costs of the least disturbed round: disturbances of a machine only add. */
    public double least(ToDoubleFunction<Cost> figure) {
        return rounds.stream().mapToDouble(figure).min().orElseThrow();
    }

    /** How many times as much as the other. */
    public double times(Costs other, ToDoubleFunction<Cost> figure) {
        return paired(other, figure, (mine, its) -> mine / its);
    }

    /** How much more than the other. */
    public double more(Costs other, ToDoubleFunction<Cost> figure) {
        return paired(other, figure, (mine, its) -> mine - its);
    }

    private double paired(Costs other, ToDoubleFunction<Cost> figure, DoubleBinaryOperator comparison) {
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
