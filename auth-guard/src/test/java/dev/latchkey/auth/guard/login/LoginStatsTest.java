package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operator's view of the limits: numbers, and events for listeners. */
class LoginStatsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");

    private final ManualTime time = new ManualTime();
    private final List<GuardEvent> events = new ArrayList<>();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, events::add);
    private final Attempts attempts = new Attempts(limits);

    @Test
    void loginOfAKnownPair_isCountedAndToldAsAnyOther() {
        attempts.admits("ann", HOME, "right");
        events.clear();
        attempts.admits("ann", HOME, "right");
        assertThat(limits.stats().admitted()).isEqualTo(2);
        assertThat(events)
                .containsExactly(
                        new GuardEvent.LoginAdmitted(Duration.ZERO),
                        new GuardEvent.LoginSettled(AttemptResult.SUCCEEDED));
    }

    @Test
    void rememberedSources_areCounted_untilTheyAreForgotten() {
        attempts.admits("ann", HOME, "right");
        assertThat(limits.stats().remembered()).as("the place, by both names").isEqualTo(2);
        attempts.refusal("bob", HOME, "wrong", null);
        assertThat(limits.stats().remembered())
                .as("besides: the source, the account, both together, and the password")
                .isEqualTo(6);
        time.advance(Duration.ofDays(3));
        assertThat(limits.stats().remembered()).as("the place").isEqualTo(2);
        time.advance(Duration.ofDays(27));
        assertThat(limits.stats().remembered()).isZero();
    }

    @Test
    void attempt_printsWhereItComesFrom() {
        assertThat(new LoginAttempt("hunter2", HOME)).hasToString("LoginAttempt[source=192.0.2.1]");
    }
}
