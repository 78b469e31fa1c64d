package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which run each section is of. */
class ReportTest {

    private final Report whole = Report.on(Map.of("cores", "2"))
            .with(section("basic", "first"), "benchmarks/run full", "2026-11-21")
            .with(section("hits", "first"), "benchmarks/run full", "2026-11-21");

    @Test
    void sectionsOfOneRun_areToldAsOne() {
        assertThat(whole.runs())
                .containsExactly(new Run("benchmarks/run full", "2026-11-21", List.of("basic", "hits")));
        assertThat(Page.of(whole)).contains("<code>benchmarks/run full</code>. The services");
    }

    @Test
    void aSectionMeasuredAnew_isOfTheLaterRunAlone() {
        Report later = whole.with(section("basic", "second"), "benchmarks/run quick", "2026-11-23")
                .inOrder(List.of("basic", "hits"));
        assertThat(later.runs())
                .containsExactly(
                        new Run("benchmarks/run full", "2026-11-21", List.of("hits")),
                        new Run("benchmarks/run quick", "2026-11-23", List.of("basic")));
        assertThat(later.sections()).extracting(Section::text).containsExactly("second", "first");
        assertThat(Page.of(later)).contains("<code>benchmarks/run quick</code> (basic)");
    }

    @Test
    void aRunOfWhichNothingIsLeft_isNotNamed() {
        assertThat(whole.with(section("hits", "second"), "benchmarks/run full", "2026-11-23")
                        .with(section("basic", "second"), "benchmarks/run full", "2026-11-23")
                        .runs())
                .containsExactly(new Run("benchmarks/run full", "2026-11-23", List.of("hits", "basic")));
    }

    @Test
    void partMeasuredOnAnotherProcessorOrOtherCores_isRefused() {
        Report kept = Report.on(Map.of("processor", "A", "cores", "2", "Java", "17.0.15"));
        Map<String, String> newer = Map.of("processor", "A", "cores", "2", "Java", "17.0.16");
        assertThat(kept.continuedOn(newer).machine()).isEqualTo(newer);
        assertThatIllegalStateException()
                .isThrownBy(() -> kept.continuedOn(Map.of("processor", "A", "cores", "4", "Java", "17.0.15")))
                .withMessageContaining("cores");
        assertThatIllegalStateException()
                .isThrownBy(() -> kept.continuedOn(Map.of("processor", "B", "cores", "2", "Java", "17.0.15")))
                .withMessageContaining("processor");
    }

    private static Section section(String id, String text) {
        return new Section(id, id, id, text, List.of(), List.of(), List.of(), List.of());
    }
}
