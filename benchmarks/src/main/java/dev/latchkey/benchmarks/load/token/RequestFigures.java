package dev.latchkey.benchmarks.load.token;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.report.Figures;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What was measured of each variant, round by round; in each round all took their turn. */
public final class RequestFigures {

    private final Map<RequestVariant, List<Tally>> tallies = new EnumMap<>(RequestVariant.class);
    private final Map<RequestVariant, Costs> costs = new EnumMap<>(RequestVariant.class);

    /**
     * One more round of this variant.
     *
     * @throws IllegalStateException if a request was not answered with 2xx: then it was another request that was measured
     */
    public void add(RequestVariant variant, Tally tally, Cost cost) {
        if (tally.errors() > 0 || tally.good() == 0) {
            throw new IllegalStateException(
                    tally.errors() + " of " + tally.requests() + " requests failed, " + variant.title());
        }
        tallies.computeIfAbsent(variant, any -> new ArrayList<>()).add(tally);
        costs.computeIfAbsent(variant, any -> new Costs()).add(cost);
    }

    /** Requests per second, the median of the rounds. */
    double rate(RequestVariant variant) {
        return Figures.median(
                tallies.get(variant).stream().map(Tally::perSecond).toList());
    }

    double millisAt(RequestVariant variant, double percentile) {
        return Figures.median(tallies.get(variant).stream()
                .map(tally -> tally.millisAt(percentile))
                .toList());
    }

    /** How many times as many requests per second as the other one answers; the median of the rounds' own. */
    public double times(RequestVariant variant, RequestVariant other) {
        List<Tally> mine = tallies.get(variant);
        List<Tally> its = tallies.get(other);
        return Figures.median(IntStream.range(0, mine.size())
                .mapToObj(round -> mine.get(round).perSecond() / its.get(round).perSecond())
                .toList());
    }

    /** What one request costs. */
    Costs costs(RequestVariant variant) {
        return costs.get(variant);
    }
}
