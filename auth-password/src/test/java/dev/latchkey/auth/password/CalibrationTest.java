package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.password.Calibration.Suggestion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CalibrationTest {

    private static final long GIBIBYTE = 1 << 30;

    /** A machine on which the least costs take 50 ms each, and work takes time in proportion. */
    private static long nanos(HashSpec spec) {
        Map<String, Integer> costs = spec.parameters().costs();
        double relative = switch (spec.parameters().algorithm()) {
            case "argon2id" -> (double) costs.get("m") * costs.get("t") / (2 * 19 * 1024);
            case "scrypt" -> Math.scalb((double) costs.get("r") * costs.get("p"), costs.get("ln") - 20);
            case "bcrypt" -> Math.scalb(1.0, costs.get("cost") - 10);
            case "pbkdf2-sha256" -> costs.get("i") / 600_000.0;
            default -> costs.get("i") / 220_000.0;
        };
        return (long) (relative * 50e6);
    }

    @Test
    void suggestions_comeCloseToTheTarget_andNeverExceedIt() {
        List<Suggestion> suggestions = Calibration.forTarget(Duration.ofMillis(250), CalibrationTest::nanos, GIBIBYTE)
                .run();

        assertThat(suggestions)
                .extracting(suggestion -> suggestion.spec().toString())
                .containsExactly(
                        "argon2id:m=65536,t=2,p=1",
                        "scrypt:ln=17,r=8,p=5",
                        "bcrypt:cost=12",
                        "pbkdf2-sha256:i=3000000",
                        "pbkdf2-sha512:i=1100000");
        assertThat(suggestions).allMatch(suggestion -> suggestion.time().toMillis() <= 250);
        assertThat(suggestions).allMatch(suggestion -> !suggestion.exceedsTarget());
        assertThat(suggestions.get(2).attackerWork()).isEqualTo(4.0);
    }

    @Test
    void targetBelowTheLeastThatIsSafe_getsTheLeast_andIsToldSo() {
        List<Suggestion> suggestions = Calibration.forTarget(Duration.ofMillis(10), CalibrationTest::nanos, GIBIBYTE)
                .run();

        assertThat(suggestions).allMatch(Suggestion::exceedsTarget);
        assertThat(suggestions)
                .extracting(suggestion -> suggestion.spec().toString())
                .contains("bcrypt:cost=10", "pbkdf2-sha256:i=600000");
        assertThat(suggestions).allMatch(suggestion -> suggestion.attackerWork() == 1.0);
    }

    @Test
    void hugeTarget_staysBelowTheCeilings() {
        List<Suggestion> suggestions = Calibration.forTarget(Duration.ofSeconds(5), CalibrationTest::nanos, GIBIBYTE)
                .run();

        assertThat(suggestions)
                .allMatch(suggestion -> HashSpec.of(suggestion.spec().toString()) != null);
    }

    @Test
    void report_namesEachSpec_andSaysThatNothingIsApplied() {
        assertThat(Calibration.forTarget(Duration.ofMillis(250), CalibrationTest::nanos, GIBIBYTE)
                        .report())
                .contains("Nothing is applied", "bcrypt:cost=12", "4.0x", "attacker work");
    }

    @Test
    void algorithmWithoutRoomInTheHeap_isLeftOut_andTheReportSaysSo() {
        Calibration small = Calibration.forTarget(Duration.ofMillis(250), CalibrationTest::nanos, 64 << 20);

        assertThat(small.run())
                .extracting(suggestion -> suggestion.spec().toString())
                .contains("argon2id:m=32768,t=5,p=1")
                .noneMatch(spec -> spec.startsWith("scrypt"));
        assertThat(small.report()).contains("scrypt:ln=17,r=8,p=1", "is left out: one hash takes 128 MiB");
    }

    @Test
    void nonsense_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Calibration.forTarget(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Calibration.forTarget(Duration.ofSeconds(6)));
        assertThatIllegalArgumentException().isThrownBy(() -> Calibration.forLogins(0, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> Calibration.forLogins(Double.NaN, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> Calibration.forLogins(10, 0));
        assertThat(Calibration.forLogins(20, 2)).isNotNull();
    }
}
