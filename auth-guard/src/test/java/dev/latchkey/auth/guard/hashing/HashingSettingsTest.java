package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HashingSettingsTest {

    private final HashingSettings settings = HashingSettings.defaults();

    @Test
    void defaults_leaveHalfOfTheProcessorsAndThreeQuartersOfTheHeapToEverythingElse() {
        Runtime runtime = Runtime.getRuntime();
        assertThat(settings.atOnce()).isBetween(1, Math.max(1, runtime.availableProcessors() / 2));
        assertThat(settings.memoryBytes()).isBetween(1L, runtime.maxMemory() / 4);
    }

    @Test
    void valueOutOfItsRange_isRefusedByItsName() {
        assertThat(settings.withAtOnce(1).atOnce()).isEqualTo(1);
        assertThat(settings.withMemoryBytes(1).memoryBytes()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withAtOnce(0))
                .withMessage("atOnce must be at least 1, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withMemoryBytes(0))
                .withMessage("memoryBytes must be at least 1, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withMaxWait(Duration.ZERO))
                .withMessageContaining("maxWait");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withFirstEstimate(Duration.ZERO))
                .withMessageContaining("firstEstimate");
    }
}
