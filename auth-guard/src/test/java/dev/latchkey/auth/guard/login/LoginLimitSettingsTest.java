package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoginLimitSettingsTest {

    private static final LoginLimitSettings DEFAULTS = LoginLimitSettings.defaults();

    @Test
    void everyBucketHasAPolicyOfItsOwnName() {
        assertThat(Arrays.stream(LoginBucket.values())
                        .map(bucket -> DEFAULTS.policy(bucket).name()))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.startsWith("login-"));
        assertThatThrownBy(() -> new LoginLimitSettings(Map.of(), DEFAULTS.waiting(), DEFAULTS.memory()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The login limit KNOWN_CLIENT has no policy");
    }

    @Test
    void paceOfUnknownClients_drivesBothBuckets() {
        assertThat(DEFAULTS.unknownClientPace()).isEqualTo(Duration.ofMinutes(5));
        LoginLimitSettings slower = DEFAULTS.withUnknownClientPace(Duration.ofMinutes(10));
        assertThat(slower.unknownClientPace()).isEqualTo(Duration.ofMinutes(10));
        assertThat(slower.policy(LoginBucket.SLOW_ATTEMPTS).windows())
                .containsExactly(LimitWindow.of(1, Duration.ofMinutes(10)));
        assertThat(slower.policy(LoginBucket.FRESH_ATTEMPTS).windows())
                .containsExactly(LimitWindow.of(3, Duration.ofSeconds(30)));
        assertThat(slower.policy(LoginBucket.ACCOUNT)).isEqualTo(DEFAULTS.policy(LoginBucket.ACCOUNT));
    }

    @Test
    void paceThatIsNone_isRefused() {
        for (Duration pace : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(1)}) {
            assertThatThrownBy(() -> DEFAULTS.withUnknownClientPace(pace)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void limitsThatAreOff_letEverythingPass() {
        LimitWindow none = LimitWindow.of(1_000_000_000, Duration.ofSeconds(1));
        Attempts attempts =
                new Attempts(LoginLimits.local(DEFAULTS.withEach(none), new ManualTime(), GuardListener.NONE));
        assertThat(attempts.guesses(1_000, "ann", Attempts.address(1))).isEqualTo(1_000);
        assertThat(attempts.guesses(1_000, "ann", ClientSource.UNKNOWN)).isEqualTo(1_000);
    }

    @Test
    void smallestSettings_areNoWaiterAndOneRememberedClient() {
        Duration second = Duration.ofSeconds(1);
        LoginLimitSettings least = DEFAULTS.withWaiting(new LoginLimitSettings.Waiting(second, 0, 0))
                .withMemory(new LoginLimitSettings.Memory(second, 1));
        assertThat(least.waiting().perBucket()).isZero();
        assertThat(least.memory().most()).isEqualTo(1);
        for (int[] numbers : new int[][] {{-1, 0}, {0, -1}}) {
            assertThatThrownBy(() -> new LoginLimitSettings.Waiting(second, numbers[0], numbers[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The numbers of waiting logins must not be negative, got " + numbers[0] + " and "
                            + numbers[1]);
        }
        assertThatThrownBy(() -> new LoginLimitSettings.Memory(second, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("At least 1 source must be remembered, got 0");
    }
}
