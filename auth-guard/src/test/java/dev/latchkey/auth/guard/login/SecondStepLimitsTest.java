package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who knows a password and guesses at the second step pays for each guess as for a wrong password. */
class SecondStepLimitsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final int ALLOWED = 5;

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final LimitedLogins logins = new LimitedLogins(limits, WaitingThreads.atMost(300), () -> HOME);
    private final AuthChain chain = AuthChain.of(new Users()).withGate(logins);
    private boolean isEnrolled = true;

    @Test
    void wrongCodes_exhaustTheLimits_thoughThePasswordIsRightEachTime() {
        for (int i = 0; i < ALLOWED; i++) {
            assertThat(secondStep(firstStep(), "wrong" + i)).isInstanceOf(Rejected.class);
        }
        assertThat(isRefused()).isTrue();
    }

    @Test
    void challengesThatNobodyAnswers_exhaustTheLimitsToo() {
        for (int i = 0; i < ALLOWED; i++) {
            firstStep();
        }
        assertThat(isRefused()).isTrue();
    }

    @Test
    void loginsThatPassBothSteps_costNothing() {
        for (int i = 0; i < 10 * ALLOWED; i++) {
            assertThat(secondStep(firstStep(), "right")).isInstanceOf(Authenticated.class);
        }
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.CHALLENGED, 10L * ALLOWED)
                .containsEntry(AttemptResult.SUCCEEDED, 10L * ALLOWED)
                .containsEntry(AttemptResult.FAILED, 0L);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void lastTokenIsEnoughForBothSteps() {
        for (int i = 1; i < ALLOWED; i++) {
            secondStep(firstStep(), "wrong");
        }
        assertThat(secondStep(firstStep(), "right")).isInstanceOf(Authenticated.class);
    }

    @Test
    void responseThatIsToldTwice_givesNothingBackTwice() {
        Challenged challenge = firstStep();
        secondStep(challenge, "right");
        for (int i = 0; i < 20; i++) {
            secondStep(challenge, "right");
        }
        int guesses = 0;
        while (!isRefused() && guesses < 100) {
            secondStep(firstStep(), "wrong");
            guesses += 2;
        }
        // A place that has logged in has a larger budget than a stranger's, and not twenty more.
        assertThat(guesses).isLessThanOrEqualTo(20);
    }

    @Test
    void placeThatIsKnownFromBeforeTheEnrolment_paysForWrongCodesToo() {
        isEnrolled = false;
        assertThat(chain.authenticate(password())).isInstanceOf(Authenticated.class);
        isEnrolled = true;
        int guesses = 0;
        while (guesses < 100 && !isRefused()) {
            secondStep(firstStep(), "wrong");
            guesses++;
        }
        assertThat(guesses).isLessThan(50);
    }

    private boolean isRefused() {
        try {
            chain.authenticate(password());
            return false;
        } catch (AuthUnavailableException e) {
            return e.kind() == AuthUnavailableException.Kind.THROTTLED;
        }
    }

    private Challenged firstStep() {
        return (Challenged) chain.authenticate(password());
    }

    private Verdict secondStep(Challenged challenge, String code) {
        return chain.authenticate(new ChallengeResponse(challenge, Secret.of(code)));
    }

    private static Credentials password() {
        return new PasswordCredentials("ann", Secret.of("right"));
    }

    private final class Users implements AuthPlugin {

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            if (credentials instanceof ChallengeResponse given) {
                return given.response().withText("right"::contentEquals)
                        ? given.challenge().soFar()
                        : Rejected.because(RejectionReason.BAD_CREDENTIALS);
            }
            logins.requireFound(Attempts.Account.ANN.hash());
            return Authenticated.as(Subject.of("ann"));
        }

        @Override
        public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
            return isEnrolled ? Optional.of(Challenged.by(login, "otp")) : Optional.empty();
        }
    }
}
