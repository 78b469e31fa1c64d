package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The goals in the README's table. */
class HeadlineTest {

    private final Report kept;

    HeadlineTest() throws Exception {
        kept = ReportFile.read(Path.of("report", "results.json"));
    }

    @Test
    void missedGoalOfAnySection_isInTheTable() {
        Report report = kept.with(
                section(Goal.atLeast("a", "Figure <a>", 1, 2, "×"), Goal.atLeast("b", "Figure <b>", 2, 2, "×")));
        assertThat(Headline.of(report))
                .contains("| Name: Figure <a> | 1.00 × | at least 2.00 ×, **missed** |\n")
                .doesNotContain("Figure <b>");
    }

    @Test
    void missedGoalThatIsAlwaysInTheTable_isThereOnce() {
        Goal throttle = kept.goal("throttle-mean");
        Report report = kept.with(new Section(
                "throttle",
                "Throttle",
                "",
                "",
                List.of(Goal.atMost(throttle.id(), throttle.text(), 6, 5, "%")),
                List.of(),
                List.of(),
                List.of()));
        assertThat(Stream.of(Headline.of(report).split("\n")).filter(line -> line.contains(throttle.text())))
                .containsExactly("| " + throttle.text() + " | 6.00 % | at most 5.00 %, **missed** |");
    }

    private static Section section(Goal... goals) {
        return new Section("other", "Name", "", "", List.of(goals), List.of(), List.of(), List.of());
    }
}
