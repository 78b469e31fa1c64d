package dev.latchkey.auth.password.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A part of a hash takes the same part of the work. */
class SchemeTest {

    private static void assertOverload(Runnable check) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 9", "0.75, 9 8", "0.26, 8", "0.02, 4", "0.01, ''", "0.99, 9 8 7 6 5 4"})
    void costThatDoublesTheWork_isHalvedUntilTheShareIsDone(double share, String costs) {
        List<String> done = new ArrayList<>();
        Scheme.halving(10, 4, (cost, password, salt) -> {
                    done.add(String.valueOf(cost));
                    return salt;
                })
                .work(share, new byte[1], new byte[Scheme.SALT_BYTES]);

        assertThat(String.join(" ", done)).isEqualTo(costs);
    }

    @Test
    void halfAHashOfArgon2id_takesHalfOfItsMemory() {
        MemoryPermits permits = MemoryPermits.ofBytes(64 * 1024).withMaxWait(Duration.ZERO);
        Scheme scheme = new Argon2Format(permits).writing(64, 1, 1);

        permits.whileHolding(32 * 1024, () -> {
            scheme.idle(0.5, new byte[1]);
            assertOverload(() -> scheme.idle(0.52, new byte[1]));
            assertOverload(() -> scheme.idle(1, new byte[1]));
            scheme.idle(0, new byte[1]);
            scheme.idle(-3, new byte[1]);
            return null;
        });
        assertThat(permits.availableBytes()).isEqualTo(64 * 1024);
    }

    @Test
    void halfOfTwoPasses_isOnePassOverAllTheMemory() {
        MemoryPermits permits = MemoryPermits.ofBytes(64 * 1024).withMaxWait(Duration.ZERO);
        Scheme scheme = new Argon2Format(permits).writing(64, 2, 1);

        permits.whileHolding(1024, () -> {
            assertOverload(() -> scheme.idle(0.5, new byte[1]));
            scheme.idle(0.51, new byte[1]);
            scheme.idle(0.25, new byte[1]);
            return null;
        });
    }
}
