package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.benchmarks.report.Chart.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {

    private static final Report REPORT = Report.on(Map.of("cores", "2"))
            .with(
                    new Section(
                            "basic",
                            "Basic",
                            "HTTP Basic",
                            "text",
                            List.of(Goal.atLeast("share", "Beside no hash", 99.5, 95, "%")),
                            List.of(new Chart(
                                    "c",
                                    "u",
                                    Scale.LINEAR,
                                    List.of("a"),
                                    List.of(new Chart.Series("s", List.of(1.5))))),
                            List.of(new Table("t", List.of("", "b"), List.of(List.of("c", "d")))),
                            List.of("note")),
                    "benchmarks/run quick",
                    "2026-11-21");

    @Test
    void writtenReport_isReadBack(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("results.json");
        ReportFile.write(REPORT, file);
        assertThat(ReportFile.read(file)).isEqualTo(REPORT);
        assertThat(Files.readString(file)).contains("99.5").doesNotContain("\"met\"");
    }

    @Test
    void goal_isFoundByItsId() {
        assertThat(REPORT.goal("share").measured()).isEqualTo(99.5);
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> REPORT.goal("other"));
    }
}
