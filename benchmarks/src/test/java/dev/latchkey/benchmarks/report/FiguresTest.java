package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void medianOfAnOddNumber_isTheMiddleOne() {
        assertThat(Figures.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    }

    @Test
    void medianOfAnEvenNumber_isBetweenTheTwoInTheMiddle() {
        assertThat(Figures.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
    }

    @Test
    void medianOfNothing_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Figures.median(List.of()));
    }

    @Test
    void numbers_areShownWithAboutThreeDigits() {
        assertThat(List.of(1234.4, 100.0, 56.78, 8.901, 0.1234, 0.0).stream().map(Figures::show))
                .containsExactly("1,234", "100", "56.8", "8.90", "0.123", "0");
        assertThat(Figures.show(Double.NaN)).isEqualTo("–");
        assertThat(Figures.show(1_000_000L)).isEqualTo("1,000,000");
    }
}
