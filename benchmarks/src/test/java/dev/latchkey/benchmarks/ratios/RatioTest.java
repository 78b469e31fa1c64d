package dev.latchkey.benchmarks.ratios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;

class RatioTest {

    private static final String LINE = "verify | V.verify a=1 b=2 | F.floor | at most 1.5";

    @Test
    void line_isRead() {
        assertThat(Ratio.parse(LINE))
                .isEqualTo(new Ratio(
                        "verify",
                        new Side("V.verify", Map.of("a", "1", "b", "2")),
                        new Side("F.floor", Map.of()),
                        Ratio.Bound.AT_MOST,
                        1.5));
    }

    @Test
    void atMost_holdsUpToFifteenPercentMore() {
        Ratio ratio = Ratio.parse(LINE);
        assertThat(ratio.holds(1.724)).isTrue();
        assertThat(ratio.holds(1.726)).isFalse();
    }

    @Test
    void atLeast_holdsDownToFifteenPercentLess() {
        Ratio ratio = Ratio.parse("verify | V.verify | F.floor | at least 4");
        assertThat(ratio.holds(3.401)).isTrue();
        assertThat(ratio.holds(3.399)).isFalse();
    }

    @Test
    void noNumber_doesNotHold() {
        assertThat(Ratio.parse(LINE).holds(Double.NaN)).isFalse();
    }

    @Test
    void commentsAndEmptyLines_areSkipped() {
        assertThat(Ratio.parseAll(List.of("# no ratio", "", LINE))).hasSize(1);
    }

    @Test
    void malformedLines_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Ratio.parse("verify | V.verify | at most 1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Ratio.parse("v | V.verify | F.floor | below 1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Ratio.parse("v | verify | F.floor | at most 1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Ratio.parse("v | V.verify a | F.floor | at most 1"));
    }

    /** A benchmark that was renamed must not wait for somebody to run the check. */
    @Test
    void everySideOfTheFile_isABenchmark() throws IOException {
        Set<String> benchmarks = BenchmarkList.defaultList().getAll(Silent.FORMAT, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .map(name -> name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1))
                .collect(Collectors.toSet());
        List<Ratio> ratios = Ratio.parseAll(Files.readAllLines(Path.of("ratios.txt")));
        assertThat(ratios).hasSizeGreaterThan(10);
        assertThat(ratios.stream()
                        .flatMap(ratio -> Stream.of(ratio.numerator(), ratio.denominator()))
                        .map(Side::benchmark))
                .isSubsetOf(benchmarks);
    }
}
