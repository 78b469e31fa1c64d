package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Figures;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What became of one service in a flood of logins.
 *
 * @param mostHeld request threads that computed or awaited a hash at the same time, in the worst thread dump
 */
record FloodOutcome(List<FloodRound> rounds, int mostHeld) {

    FloodOutcome {
        rounds = List.copyOf(rounds);
    }

    double median(ToDoubleFunction<FloodRound> figure) {
        return Figures.median(rounds.stream().mapToDouble(figure).boxed().toList());
    }

    long sum(ToLongFunction<Tally> count) {
        return rounds.stream().map(FloodRound::logins).mapToLong(count).sum();
    }

    @Override
    public String toString() {
        return "others keep " + show(median(FloodRound::throughput)) + "% (control "
                + show(median(FloodRound::throughputOfControl)) + "%), p99 × " + show(median(FloodRound::slower))
                + " of the control's, logins " + show(median(FloodRound::loginsBesideBare)) + "% of the control's, "
                + sum(Tally::overloaded) + " told to come back, " + sum(Tally::refused) + " refused, at most "
                + mostHeld + " request threads held";
    }
}
