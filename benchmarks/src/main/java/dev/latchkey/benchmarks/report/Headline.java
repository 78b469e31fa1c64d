package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of the README as Markdown, from a report alone: some chosen goals, and each missed goal. */
public final class Headline {

    private static final List<String> GOALS = List.of(
            "basic-share-own",
            "basic-gain-own",
            "arrivals-answered",
            "tokens-login",
            "capacity-returning",
            "throttle-mean",
            "peers-verify",
            "peers-verify-jjwt");

    private Headline() {}

    /**
     * A line with the source of the figures, and their table.
     *
     * @throws NoSuchElementException if the report is not of a whole run
     */
    public static String of(Report report) {
        Stream<String> chosen = GOALS.stream().map(report::goal).map(goal -> row(goal.text(), goal));
        Stream<String> missed = report.sections().stream()
                .flatMap(section -> section.goals().stream()
                        .filter(goal -> !goal.isMet() && !GOALS.contains(goal.id()))
                        .map(goal -> row(section.name() + ": " + goal.text(), goal)));
        String rows = Stream.concat(chosen, missed).collect(Collectors.joining());
        return "Measured " + origin(report) + ", with " + report.machine().get("cores")
                + " cores that the generator shares:\n\n| | measured | goal |\n| --- | --- | --- |\n"
                + rows;
    }

    private static String row(String text, Goal goal) {
        return "| " + text + " | " + figure(goal.measured(), goal) + " | " + bound(goal) + figure(goal.target(), goal)
                + (goal.isMet() ? "" : ", **missed**") + " |\n";
    }

    /** A single run needs no list of its scenarios. */
    private static String origin(Report report) {
        boolean several = report.runs().size() > 1;
        return report.runs().stream()
                .map(run -> "on " + run.date() + " by `" + run.command() + "`"
                        + (several ? " (" + String.join(", ", run.sections()) + ")" : ""))
                .collect(Collectors.joining(", "));
    }

    private static String bound(Goal goal) {
        return goal.bound() == Goal.Bound.AT_LEAST ? "at least " : "at most ";
    }

    private static String figure(double value, Goal goal) {
        return (Figures.show(value) + " " + goal.unit()).trim();
    }
}
