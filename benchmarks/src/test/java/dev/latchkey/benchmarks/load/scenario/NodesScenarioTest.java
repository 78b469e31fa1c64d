package dev.latchkey.benchmarks.load.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.ReportFile;
import dev.latchkey.benchmarks.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodesScenarioTest {

    private static final List<String> LINES = List.of(
            "What it costs: the command",
            "on a machine.",
            "",
            "| | measured | aim |",
            "| --- | --- | --- |",
            "| verify with shared revocation, beside in memory: time | 1.20 × (990 ns, 938 ns) | 1.15 × at most |",
            "| verify with shared revocation, beside in memory: allocation | 1.00 × (1120 B, 1120 B) | 1.15 × at most |",
            "| a node's start with 1,000,000 revocations, the slowest of 3 | 1.7 s | 3 s |",
            "| a logout seen by the other two nodes, under 1,410 requests/s | median 25 ms, p99 120 ms; refused: 0 | p99 200 ms |",
            "| logins/s of returning users, 3 nodes | 84 % (2389/s, 2762/s) | 85 % |",
            "| refreshes/s of one node with its logins in Redis, PostgreSQL, memory | 1793/s, 934/s, 5200/s |  |");

    @Test
    void rowsWithAnAim_areGoals_andAllAreInTheTable() {
        Section section = NodesScenario.section(new KeptTable(LINES));
        assertThat(section.goals()).extracting(Goal::measured).containsExactly(1.2, 1.0, 1.7, 120.0, 84.0);
        assertThat(section.goals()).extracting(Goal::target).containsExactly(1.15, 1.15, 3.0, 200.0, 85.0);
        assertThat(section.goals()).extracting(Goal::isMet).containsExactly(false, true, true, true, false);
        assertThat(section.goals()).extracting(Goal::unit).containsExactly("×", "×", "s", "ms", "%");
        assertThat(section.tables().get(0).rows()).hasSize(6);
        assertThat(section.notes()).containsExactly("What it costs: the command on a machine.");
    }

    @Test
    void rowThatIsMissing_isSaid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodesScenario.section(new KeptTable(LINES.subList(0, 8))))
                .withMessage("No row begins with 'a logout seen by'");
    }

    @Test
    void keptSection_isMadeOfTheKeptFile() throws IOException {
        List<String> kept = Files.readAllLines(Path.of("results", "several-nodes-jdk17.txt"));
        assertThat(ReportFile.read(Path.of("report", "results.json")).sections())
                .as("write it anew: benchmarks/run page")
                .contains(NodesScenario.section(new KeptTable(kept)));
    }
}
