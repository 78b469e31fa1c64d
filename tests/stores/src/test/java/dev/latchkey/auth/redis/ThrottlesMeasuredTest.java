package dev.latchkey.auth.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.redis.MeasuredAnswers.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short form of the comparison: its figures mean nothing. */
@Timeout(120)
class ThrottlesMeasuredTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path folder;

    @Test
    void eachSystem_letsRequestsPass_byCallsToRedis() throws Exception {
        List<String> lines = new ThrottlesMeasured(folder, Duration.ofSeconds(1))
                .rates(List.of(MeasuredRule.rejecting(200), MeasuredRule.bodies(1_000_000)), List.of(2));
        List<String> rows = lines.stream()
                .filter(line -> line.matches("\\| (rejected|bodies) .*"))
                .toList();
        assertThat(rows).hasSize(2 * MeasuredSystem.values().length);
        assertThat(rows).allSatisfy(row -> {
            String[] cells = row.split("\\|", -1);
            assertThat(cells[5]).doesNotStartWith(" 0.0 %");
            assertThat(cells[8].strip()).isNotEqualTo("0.000");
        });
    }

    @Test
    void clockOfANode_isNoMatterOfPortions() throws Exception {
        List<String> lines = new ThrottlesMeasured(folder, Duration.ofSeconds(1)).clocks();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("| Latchkey |"))
                .singleElement()
                .satisfies(row -> assertThat(row).doesNotContain("| 0.0 %"));
        assertThat(lines).contains("| Bucket4j | 0.0 % |");
    }

    @Test
    void secondWithMostPasses_isFoundToTheNanosecond() {
        MeasuredAnswers answers = new MeasuredAnswers();
        for (long at : new long[] {0, 1, SECOND, SECOND + 1, 3 * SECOND}) {
            answers.add(Answer.PASSED, at, 5);
        }
        answers.add(Answer.REJECTED, 2, 7);
        assertThat(answers.mostInASecond(0, 4 * SECOND)).isEqualTo(2);
        assertThat(answers.fewestInASecond(0, 2 * SECOND)).isEqualTo(1);
        assertThat(answers.fewestInASecond(0, 2 * SECOND + 1)).isZero();
        assertThat(answers.count(Answer.REJECTED, 0, 3)).isEqualTo(1);
        assertThat(answers.slowest(0, SECOND)).isEqualTo(7);
    }
}
