package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.load.token.TokenCosts.Operation;
import dev.latchkey.benchmarks.ratios.Jmh;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series.Point;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/** Tokens and the cache by themselves, by JMH: beside the other libraries, and as they grow. */
public final class PeerScenario implements Scenario {

    @Override
    public String id() {
        return "peers";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        Jmh jmh = effort.pick(Jmh.quick(), Jmh.full());
        TokenCosts tokens = new TokenCosts(jmh, progress);
        tokens.measure(effort);
        Map<String, Double> verify = tokens.byLibrary(Operation.VERIFY);
        progress.step("verify, ns: " + show(verify.get("latchkey")) + " beside " + show(PeerSection.fastest(verify))
                + " to " + show(PeerSection.slowest(verify)));
        List<Point> keys = points(jmh.run("KeysBenchmark.verify", Map.of()), "keys");
        progress.step("JMH: cache hits by number of entries");
        List<Point> entries = points(jmh.run("EntriesBenchmark.hit", Map.of()), "entries");
        return PeerSection.of(id(), tokens, keys, entries);
    }

    private static List<Point> points(Collection<RunResult> results, String parameter) {
        return results.stream()
                .map(result -> new Point(Double.parseDouble(Jmh.parameter(result, parameter)), Jmh.score(result)))
                .sorted(Comparator.comparingDouble(Point::x))
                .toList();
    }
}
