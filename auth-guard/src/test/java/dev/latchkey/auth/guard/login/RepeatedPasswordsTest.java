package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wrong password that comes again is no new guess, and no way to have hashes computed without end. */
class RepeatedPasswordsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    @Tag("many-times")
    @Test
    void instanceWithAnOldPassword_doesNotShutOutItsSiblings_howeverOftenItTries() {
        int refused = 0;
        for (int second = 0; second < 2 * 60 * 60; second++) {
            for (int i = 0; i < 5; i++) {
                LoginLimit refusal = attempts.refusal("service", HOME, "old");
                refused += refusal == null ? 0 : 1;
                assertThat(refusal).isIn(null, LoginLimit.REPEATS);
            }
            assertThat(attempts.refusal("service", HOME, "right")).isNull();
            time.advance(Duration.ofSeconds(1));
        }
        // One a second is let through, and the first sixty.
        assertThat(refused).isBetween(2 * 60 * 60 * 4 - 70, 2 * 60 * 60 * 4 - 50);
    }

    @Test
    void instanceWithAnOldPassword_costsSiblingsThatHaveNotLoggedInYetNothingEither() {
        for (int i = 0; i < 1_000; i++) {
            attempts.refusal("service", HOME, "old");
        }
        assertThat(attempts.guesses(10, "service", HOME)).isEqualTo(4);
    }

    @Test
    void guessesInParallelWithAnOldPassword_areStillGuesses() {
        for (int i = 0; i < 100; i++) {
            attempts.refusal("service", HOME, "old");
            attempts.refusal("service", HOME, "guess" + i);
        }
        assertThat(attempts.refusal("service", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void exhaustedPairRefusesRepeatsToo_soThatNoAnswerDiffers() {
        attempts.guesses(5, "ann", HOME);
        assertThat(attempts.refusal("ann", HOME, "wrong0")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void passwordThatIsRightByNow_isRightAlthoughItWasWrong() {
        attempts.refusal("ann", HOME, "new", new Attempts.Account("{bcrypt}$2a$10$.a.salt.and.hash", "old"));
        assertThat(attempts.refusal(
                        "ann", HOME, "new", new Attempts.Account("{bcrypt}$2a$10$.a.salt.and.hash.of.another", "new")))
                .isNull();
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.SUCCEEDED, 1L);
    }

    @Test
    void lastEightWrongPasswordsAreRemembered_andTheNinthPushesTheFirstOut() {
        LimitWindow ten = LimitWindow.of(10, Duration.ofDays(365));
        Attempts wide = new Attempts(LoginLimits.local(
                LoginLimitSettings.defaults().with(LoginBucket.ACCOUNT_AND_SOURCE, ten), time, GuardListener.NONE));
        assertThat(wide.guesses(9, "ann", HOME)).isEqualTo(9);
        for (int i = 1; i < 9; i++) {
            assertThat(wide.refusal("ann", HOME, "wrong" + i)).isNull();
        }
        assertThat(wide.refusal("ann", HOME, "wrong0")).isNull();
        assertThat(wide.refusal("ann", HOME, "wrong0")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void wrongPasswordIsForgottenAfterTheLongestWindow() {
        attempts.refusal("ann", HOME, "old");
        time.advance(Duration.ofDays(3));
        for (int i = 0; i < 4; i++) {
            attempts.refusal("ann", HOME, "guess" + i);
        }
        attempts.refusal("ann", HOME, "old");
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void samePasswordFromAnotherClientOrForAnotherAccount_isAnotherGuess() {
        attempts.refusal("ann", HOME, "old");
        for (int i = 0; i < 3; i++) {
            attempts.refusal("bob", HOME, "old" + i, null);
            attempts.refusal("ann", Attempts.address(1), "old" + i, null);
        }
        attempts.refusal("bob", HOME, "old", null);
        attempts.refusal("ann", Attempts.address(1), "old", null);
        attempts.refusal("bob", HOME, "fifth", null);
        attempts.refusal("ann", Attempts.address(1), "fifth", null);
        assertThat(attempts.refusal("bob", HOME, "right", null)).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        assertThat(attempts.refusal("ann", Attempts.address(1), "right", null))
                .isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void newPassword_isReportedAsNoRepeat_atTheEnd() {
        for (int i = 0; i < 50; i++) {
            Reservation login =
                    limits.reserve(new LoginAttempt("ann", HOME), null).join().orThrow();
            login.settle(AttemptResult.FAILED, "old");
        }
        assertThat(attempts.guesses(10, "ann", HOME)).isEqualTo(4);
    }

    @Test
    void passwordThatDoesNotExplainTheFailure_isANewGuessEachTime() {
        for (int i = 0; i < 5; i++) {
            Reservation login = limits.reserve(new LoginAttempt("ann", HOME), "right with a wrong code")
                    .join()
                    .orThrow();
            login.settle(AttemptResult.FAILED, null);
        }
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void samePasswordInParallel_isComparedNoMoreOftenThanRepeatsAre() {
        List<CompletableFuture<Admission>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(limits.reserve(new LoginAttempt("ann", HOME), "old"));
        }
        int compared = 0;
        for (CompletableFuture<Admission> each : all) {
            if (each.join() instanceof Admission.Admitted admitted) {
                compared++;
                admitted.reservation().settle(AttemptResult.FAILED, "old");
            }
        }
        assertThat(compared).isBetween(5, 61);
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
    }

    @Test
    void repeatsForManyAccounts_shareTheBudgetOfTheirSource() {
        for (int i = 0; i < 40; i++) {
            attempts.refusal("user" + i, HOME, "old", null);
        }
        int compared = 0;
        for (int i = 0; i < 400; i++) {
            compared += attempts.refusal("user" + i % 40, HOME, "old", null) == null ? 1 : 0;
        }
        assertThat(compared).isEqualTo(60);
    }

    @Test
    void repeatsOfOneSource_leaveTheBudgetOfAnotherAlone() {
        ClientSource other = Attempts.address(1);
        attempts.refusal("ann", other, "old");
        for (int i = 0; i < 100; i++) {
            attempts.refusal("ann", HOME, "old");
        }
        assertThat(attempts.refusal("ann", HOME, "old")).isEqualTo(LoginLimit.REPEATS);
        assertThat(attempts.refusal("ann", other, "old")).isNull();
    }

    @Test
    void passwordsLongerThanAnyServiceAccepts_areNotRemembered_andEachIsAGuess() {
        String longPassword = "x".repeat(4_097);
        int compared = 0;
        for (int i = 0; i < 10; i++) {
            compared += attempts.admits("ann", HOME, longPassword) ? 1 : 0;
        }
        assertThat(compared).isEqualTo(5);
    }

    @Test
    void longestPasswordThatIsRemembered_isARepeat() {
        String longPassword = "x".repeat(4_096);
        for (int i = 0; i < 10; i++) {
            assertThat(attempts.admits("ann", HOME, longPassword)).isTrue();
        }
        assertThat(attempts.guesses(10, "ann", HOME)).isEqualTo(4);
    }
}
