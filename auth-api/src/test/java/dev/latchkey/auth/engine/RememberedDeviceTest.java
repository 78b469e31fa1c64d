package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RememberedDeviceTest {

    private static final Authenticated LOGIN = Authenticated.as(Subject.of("ada"));

    /** Remembers every device. */
    private record Remembering(String name) implements LoginStep {

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }

        @Override
        public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
            return Optional.of(new RememberedDevice(Secret.of(name + "-device"), Duration.ofDays(30)));
        }
    }

    @Test
    void pluginWhoseStepWasPassed_isAsked_andNoOther() {
        AuthChain chain = AuthChain.of(new Remembering("first"), new Remembering("codes"), new Forgetful());
        RememberedDevice device = chain.decidedLogins()
                .remember("codes", LOGIN, RequestContext.none())
                .orElseThrow();
        assertThat(device.token().matches(Secret.of("codes-device"))).isTrue();
        assertThat(chain.decidedLogins().remember("forgetful", LOGIN, RequestContext.none()))
                .isEmpty();
        assertThat(chain.decidedLogins().remember("gone", LOGIN, RequestContext.none()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\"", "a\\", "a\n", "é"})
    void tokenThatAHeaderOrAnAnswerCannotCarry_isRefused(String token) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RememberedDevice(Secret.of(token), Duration.ofDays(1)))
                .withMessageStartingWith("A device's token has 1 to 512");
    }

    @Test
    void tokenOf512Characters_isTheLongest_andItsTimeIsPositive() {
        Duration day = Duration.ofDays(1);
        assertThat(new RememberedDevice(Secret.of("aZ09._-".repeat(73) + "x"), day).toString())
                .doesNotContain("aZ09");
        assertThatIllegalArgumentException().isThrownBy(() -> new RememberedDevice(Secret.of("a".repeat(513)), day));
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new RememberedDevice(Secret.of("a"), none));
        }
    }

    /** Without remembered devices. */
    private static final class Forgetful implements LoginStep {

        @Override
        public String name() {
            return "forgetful";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }
}
