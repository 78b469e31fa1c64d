package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** AccountKeys knows a password and guesses at the second step pays for each guess as for a wrong password. */
class SecondStepLimitsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final int ALLOWED = 5;

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private ClientSource here = HOME;
    private final LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(300), () -> here);
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
    void unansweredChallenges_exhaustTheLimitsToo() {
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
    void clientIsKnownAfterBothSteps_andUnknownAfterAFailedSecondStep() {
        secondStep(firstStep(), "wrong");
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
        here = Attempts.address("198.51.100.1");
        secondStep(firstStep(), "right");
        assertThat(limits.reserveKnown("ann", here)).isNotNull();
    }

    @Test
    void failedSecondStep_isAFailureOfItsClient_thoughTheNextLoginNeedsNone() {
        secondStep(firstStep(), "wrong");
        logInByOneStep();
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
    }

    @Test
    void stepThatIsWantedInAnotherSpelling_endsTheKnownClientHere() {
        logInByOneStep();
        isEnrolled = true;
        assertThat(chain.authenticate(new PasswordCredentials("Ann", Secret.of("right"))))
                .isInstanceOf(Challenged.class);
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
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
    void clientThatIsKnownByThePasswordAlone_isUnknownOnceAStepIsWanted() {
        logInByOneStep();
        isEnrolled = true;
        assertThat(guesses()).isEqualTo(ALLOWED);
    }

    @Test
    void manyClientsThatAreKnownByThePasswordAlone_shareTheAccountsBudget() {
        int clients = 60;
        for (int i = 0; i < clients; i++) {
            here = Attempts.address(i);
            logInByOneStep();
        }
        isEnrolled = true;
        int guesses = 0;
        for (int i = 0; i < clients; i++) {
            here = Attempts.address(i);
            guesses += guesses();
        }
        assertThat(guesses).isBetween(100, 110);
    }

    @Test
    void loginsAtATime_areNoWayAroundThat() {
        logInByOneStep();
        List<Reservation> logins = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            logins.add(Objects.requireNonNull(limits.reserveKnown("ann", HOME)));
        }
        int admitted = 0;
        for (Reservation login : logins) {
            admitted += login.found(Attempts.Account.ANN.hash()).join() instanceof Admission.Admitted ? 1 : 0;
            if (login.challenged().join() instanceof Admission.Admitted asked) {
                asked.reservation().settleChallenged();
                admitted += 100;
            } else {
                login.settle(AttemptResult.NOT_ATTEMPTED, null);
            }
        }
        assertThat(admitted).isEqualTo(20 + 100 * ALLOWED);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void clientWithAllStepsPassed_hasItsOwnBudget_alsoAfterAOneStepLogin() {
        isEnrolled = true;
        secondStep(firstStep(), "right");
        logInByOneStep();
        isEnrolled = true;
        assertThat(guesses()).isEqualTo(20);
    }

    @Test
    void stepThatMustNotBeAskedFor_isRefused_andCostsTheClientNothing() {
        logInByOneStep();
        isEnrolled = true;
        int clients = 30;
        for (int i = 0; i < clients; i++) {
            here = Attempts.address(i);
            guesses();
        }
        here = HOME;
        assertThat(isRefused()).isTrue();
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.NOT_ATTEMPTED, 1L);
    }

    @Test
    void clientWhereAStepWasAddedAndShown_isAsIfItHadPassedAllSteps() {
        List<Runnable> added = proveBeforeAStepIsAdded();
        isEnrolled = true;
        added.forEach(Runnable::run);
        useUpTheUnknownClientsTokens();
        assertThat(secondStep(firstStep(), "right")).isInstanceOf(Authenticated.class);
        assertThat(guesses()).isEqualTo(20);
    }

    @Test
    void clientThatIsKnownWithoutATokenToo_isAsIfItHadPassedAllSteps() {
        logInByOneStep();
        List<Runnable> added = proveBeforeAStepIsAdded();
        isEnrolled = true;
        added.forEach(Runnable::run);
        useUpTheUnknownClientsTokens();
        assertThat(secondStep(firstStep(), "right")).isInstanceOf(Authenticated.class);
    }

    @Test
    void stepThatIsShownElsewhere_provesNothingOfTheClient_norOfTheOther() {
        List<Runnable> added = proveBeforeAStepIsAdded();
        isEnrolled = true;
        here = Attempts.address("203.0.113.9");
        added.forEach(Runnable::run);
        assertThat(guesses()).isEqualTo(ALLOWED);
        here = HOME;
        assertThat(guesses()).isEqualTo(ALLOWED);
    }

    @Test
    void otherClientsThatAreKnownByThePassword_areUnknownClientsThough() {
        here = Attempts.address("203.0.113.9");
        logInByOneStep();
        here = HOME;
        List<Runnable> added = proveBeforeAStepIsAdded();
        isEnrolled = true;
        added.forEach(Runnable::run);
        here = Attempts.address("203.0.113.9");
        assertThat(guesses()).isEqualTo(ALLOWED);
    }

    @Test
    void passwordThatIsWrong_orNotEnough_addsNothing() {
        isEnrolled = true;
        List<Runnable> added = new ArrayList<>();
        assertThat(prove(password(), "wrong", added)).isInstanceOf(Rejected.class);
        assertThat(prove(new PasswordCredentials("ann", Secret.of("wrong")), "right", added))
                .isInstanceOf(Rejected.class);
        assertThat(added).isEmpty();
    }

    private List<Runnable> proveBeforeAStepIsAdded() {
        isEnrolled = false;
        List<Runnable> added = new ArrayList<>();
        assertThat(prove(password(), "none is wanted", added)).isInstanceOf(Authenticated.class);
        assertThat(added).hasSize(1);
        return added;
    }

    private Verdict prove(Credentials password, String code, List<Runnable> added) {
        Map<String, Secret> responses = Map.of(ChallengeResponse.CODE, Secret.of(code));
        return chain.prove(password, responses, RequestContext.none(), added::add);
    }

    /** A caller with the password asks for steps from many addresses. */
    private void useUpTheUnknownClientsTokens() {
        for (int i = 0; i < 60; i++) {
            here = Attempts.address(i);
            guesses();
        }
        here = Attempts.address("203.0.113.200");
        assertThat(isRefused()).isTrue();
        here = HOME;
    }

    private void logInByOneStep() {
        isEnrolled = false;
        assertThat(chain.authenticate(password())).isInstanceOf(Authenticated.class);
    }

    /** How many wrong codes are looked at. */
    private int guesses() {
        int guesses = 0;
        while (guesses < 1_000) {
            try {
                secondStep(firstStep(), "wrong");
            } catch (AuthUnavailableException e) {
                return guesses;
            }
            guesses++;
        }
        return guesses;
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

    private final class Users implements LoginSource<PasswordCredentials>, LoginStep {

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            logins.requireFound(Attempts.Account.ANN.hash());
            return credentials.password().matches(Secret.of("right"))
                    ? Authenticated.as(Subject.of("ann"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return isEnrolled ? Optional.of(Challenged.by(login, "otp")) : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code().orElseThrow().withText("right"::contentEquals)
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
