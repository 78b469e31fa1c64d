package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An exhausted limit refuses every password: an attempt costs an attacker guesses, and answers reveal nothing. */
class ExhaustedLimitsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    @Test
    void tenThousandGuessesOfAnExhaustedSource_theRightOneAmongThem_areRefusedAlike() {
        for (int i = 0; i < 50; i++) {
            attempts.refusal("user" + i, HOME, "wrong", null);
        }
        long admitted = limits.stats().admitted();
        Set<Admission> answers = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            answers.add(attempts.reserve("ann", HOME, i == 5_000 ? "right" : "guess" + i)
                    .join());
        }
        assertThat(answers).hasSize(1).allMatch(answer -> answer instanceof Admission.Refused);
        assertThat(limits.stats().admitted()).isEqualTo(admitted);
    }

    @Test
    void exhaustedPair_andExhaustedKnownPair_refuseTheRightPassword() {
        assertThat(attempts.guesses(100, "ann", HOME)).isEqualTo(5);
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        ClientSource office = Attempts.address("192.0.2.2");
        assertThat(attempts.refusal("ann", office, "right")).isNull();
        assertThat(attempts.guesses(100, "ann", office)).isEqualTo(20);
        assertThat(attempts.refusal("ann", office, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Tag("many-times")
    @Test
    void knownPairIsBoundedForTwoDaysToo() {
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
        int guesses = 0;
        for (int minute = 0; minute < 48 * 60; minute++) {
            guesses += attempts.admits("ann", HOME, "guess" + minute) ? 1 : 0;
            time.advance(Duration.ofMinutes(1));
        }
        // The bucket's content, and the refill in the same time.
        assertThat(guesses).isBetween(200, 400);
    }

    @Test
    void ownerAtAKnownClientIsNotLockedOut_byFailuresOfOthers() {
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
        for (int i = 0; i < 2_000; i++) {
            attempts.refusal("ann", Attempts.address(i), "wrong" + i);
            attempts.refusal("user" + i, HOME, "wrong", null);
        }
        assertThat(attempts.refusal("user", HOME, "any", null)).isEqualTo(LoginLimit.SOURCE);
        assertThat(attempts.refusal("ann", HOME, "mistyped")).isNull();
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 257, 1_024, 1_025, 100_000})
    void namesAndPasswordsOfAnyLength_areLimited(int length) {
        String name = "n".repeat(length);
        int compared = 0;
        for (int i = 0; i < 200; i++) {
            compared += attempts.refusal(name, HOME, "p".repeat(length) + i, null) == null ? 1 : 0;
        }
        assertThat(compared).isEqualTo(5);
    }

    @Test
    void lettersThatAreNone_areLimited() {
        String strange = "\ud800\0\u202e\ufffe";
        int compared = 0;
        for (int i = 0; i < 200; i++) {
            compared += attempts.refusal(strange, HOME, strange + i, null) == null ? 1 : 0;
        }
        assertThat(compared).isEqualTo(5);
    }
}
