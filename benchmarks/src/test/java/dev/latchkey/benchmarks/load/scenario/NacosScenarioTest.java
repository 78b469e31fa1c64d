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

class NacosScenarioTest {

    private static final List<String> LINES = List.of(
            "Either plugin by turns:",
            "the command.",
            "",
            "| a second; and 99 of 100 within | threads | default plugin | Latchkey | ratio | `hashing.at.once`: half | ratio |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            "| first login of an account | 10 | 20.0; 462 ms | 21.0; 757 ms | 1.05 | 13.8; 858 ms | 0.55 |",
            "| first login of an account | 50 | 25.0; 2,640 ms | 20.0; 2,168 ms, 69 errors | 0.80 | 14.3; 2,016 ms, 87 errors | 0.53 |",
            "| login of a returning account | 10 | 25.5; 472 ms | 1,443.4; 28 ms | 56.58 | 0.0; 0 ms |  |",
            "| read over HTTP, before the flood | 10 | 1,169.7; 31 ms | 1,500.0; 22 ms | 1.29 | 699.2; 44 ms | 0.60 |",
            "| read over HTTP, while 1,000 accounts a second log in for the first time | 10 | 0.3; 67,731 ms | 900.0; 160 ms | 3000.00 | 35.2; 1,650 ms | 124.02 |",
            "",
            "| | threads | plugin | requests/s | mean ms | p90 | p95 | p99 | errors |",
            "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            "| first login of an account | 10 | default plugin | 24.9 | 396.6 | 433.5 | 443.7 | 462.3 | 0 |",
            "",
            "- The flood of Latchkey: 40,008 sent; 60 % of the reads are left");

    @Test
    void lowestRatioOfFirstLogins_andWhatIsLeftOfReads_areGoals() {
        Section section = NacosScenario.section(new KeptTable(LINES));
        assertThat(section.goals()).extracting(Goal::measured).containsExactly(0.8, 60.0);
        assertThat(section.goals()).extracting(Goal::target).containsExactly(0.85, 50.0);
        assertThat(section.goals()).extracting(Goal::isMet).containsExactly(false, true);
    }

    @Test
    void comparedRows_areInTheTable_andDetailsAreNot() {
        Section section = NacosScenario.section(new KeptTable(LINES));
        assertThat(section.tables().get(0).columns()).startsWith("a second; and 99 of 100 within", "threads");
        assertThat(section.tables().get(0).rows()).hasSize(5);
        assertThat(section.notes())
                .startsWith(
                        "Either plugin by turns: the command.",
                        "The flood of Latchkey: 40,008 sent; 60 % of the reads are left")
                .hasSize(3)
                .last()
                .asString()
                .startsWith("The goal of first logins is the floor");
    }

    @Test
    void rowThatIsMissing_isSaid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NacosScenario.section(new KeptTable(LINES.subList(0, 8))))
                .withMessage(
                        "No row begins with 'read over HTTP, while 1,000 accounts a second log in for the first time'");
    }

    @Test
    void keptSection_isMadeOfTheKeptFile() throws IOException {
        List<String> kept = Files.readAllLines(Path.of("results", "nacos-server-jdk17.txt"));
        assertThat(ReportFile.read(Path.of("report", "results.json")).sections())
                .as("write it anew: benchmarks/run page")
                .contains(NacosScenario.section(new KeptTable(kept)));
    }
}
