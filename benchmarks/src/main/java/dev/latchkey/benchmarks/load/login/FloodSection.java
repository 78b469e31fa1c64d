package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the report says about the flood of logins. */
final class FloodSection {

    private final String id;
    private final Map<String, FloodOutcome> outcomes;
    private final double alone;

    private FloodSection(String id, Map<String, FloodOutcome> outcomes, double alone) {
        this.id = id;
        this.outcomes = outcomes;
        this.alone = alone;
    }

    /**
     * The section.
     *
     * @param outcomes by the title of their service, in the order in which they are shown
     * @param alone what bare threads hash in a second on the idle machine
     */
    static Section of(String id, Map<String, FloodOutcome> outcomes, double alone) {
        return new FloodSection(id, outcomes, alone).section();
    }

    private Section section() {
        List<Goal> goals = new ArrayList<>(goals(FloodScenario.FEW, ""));
        goals.addAll(goals(FloodScenario.MANY, "-" + FloodScenario.MANY));
        long refused = Stream.of(FloodScenario.MANY, FloodScenario.FEW)
                .mapToLong(threads ->
                        outcomes.get(FloodScenario.titleOfOurs(threads)).sum(Tally::refused))
                .sum();
        goals.add(Goal.atMost(
                "flood-401", "Logins refused as wrong (4xx) instead of overloaded (503)", (double) refused, 0, ""));
        return new Section(
                id,
                "Login flood",
                "A flood of logins: a hundred connections, each login the first of its account",
                "BCrypt 10, with as many request threads as a server has by default and with ten. A second client asks for something"
                        + " that needs no login: alone; beside a thread of another process that hashes, and a hundred plain requests"
                        + " a second, which is the control; and during the flood. A hash runs on the request's own thread, half of"
                        + " the cores hash at a time, and a quarter of the request threads may wait for it.",
                goals,
                List.of(Chart.bars(
                        "Requests of the others per second (more is better)",
                        "requests per second",
                        Scale.LINEAR,
                        List.copyOf(outcomes.keySet()),
                        List.of(
                                others("alone", round -> round.before().perSecond()),
                                others(
                                        "beside the control",
                                        round -> round.beside().perSecond()),
                                others(
                                        "during the flood",
                                        round -> round.during().perSecond())))),
                List.of(table()),
                notes());
    }

    private List<Goal> goals(int threads, String suffix) {
        FloodOutcome ours = outcomes.get(FloodScenario.titleOfOurs(threads));
        String with = ", " + threads + " request threads";
        int permits = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return List.of(
                Goal.atLeast(
                        "flood-throughput" + suffix,
                        "In a flood of logins, others keep of their throughput" + with,
                        ours.median(FloodRound::throughput),
                        60,
                        "%"),
                Goal.atMost(
                        "flood-p99" + suffix,
                        "Their 99th percentile beside that of the control without logins" + with,
                        ours.median(FloodRound::slower),
                        3,
                        "×"),
                Goal.atLeast(
                        "flood-logins-beside" + suffix,
                        "Logins beside what the control's thread hashes next to the same second client" + with,
                        ours.median(FloodRound::loginsBesideBare),
                        90,
                        "%"),
                Goal.atMost(
                        "flood-held" + suffix,
                        "Most request threads that computed or awaited a hash" + with,
                        ours.mostHeld(),
                        permits + Math.max(1, threads / 4),
                        ""));
    }

    private Series others(String name, ToDoubleFunction<FloodRound> perSecond) {
        return Series.of(
                name,
                outcomes.values().stream()
                        .map(outcome -> outcome.median(perSecond))
                        .toList());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "A refused client that comes back at once is itself a load: each refusal costs the server a request. So a"
                        + " refusal is held for a second, without a thread.",
                "A second client that never pauses takes a part of the hashing thread's core, too, as every thread may that"
                        + " the scheduler is fair to. Hence the control: on the idle machine as many threads as there are permits"
                        + " hash " + show(alone) + " times a second."));
        if (outcomes.containsKey(FloodScenario.BUSY)) {
            notes.add(
                    "Eight connections that never pause have as many threads that want a core as there are connections, and a"
                            + " scheduler that is fair to threads leaves the one that hashes its share, not a core.");
        }
        return notes;
    }

    private Table table() {
        List<List<String>> rows = new ArrayList<>();
        outcomes.forEach((title, outcome) -> rows.add(List.of(
                title,
                show(outcome.median(FloodRound::throughputOfControl)),
                show(outcome.median(FloodRound::throughput)),
                show(outcome.median(round -> round.before().millisAt(99))),
                show(outcome.median(round -> round.beside().millisAt(99))),
                show(outcome.median(round -> round.during().millisAt(99))),
                show(outcome.median(FloodRound::bareHashes)),
                show(outcome.median(round -> round.logins().perSecond())),
                show(outcome.sum(Tally::overloaded)),
                show(outcome.sum(Tally::refused)),
                show((long) outcome.mostHeld()))));
        return new Table(
                "Others and logins",
                List.of(
                        "",
                        "others keep beside the control, %",
                        "during the flood, %",
                        "their p99 alone, ms",
                        "beside the control",
                        "during the flood",
                        "control's hashes/s",
                        "logins/s",
                        "503",
                        "4xx",
                        "threads held"),
                rows);
    }
}
