package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
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
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller with the password guesses at one of two steps, and pays for each guess as for a wrong password. */
class TwoStepLimitsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final int ALLOWED = 5;
    private static final PasswordCredentials ANN = new PasswordCredentials("ann", Secret.of("right"));

    private final LoginLimits limits =
            LoginLimits.local(LoginLimitSettings.defaults(), new ManualTime(), GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(300), () -> HOME);
    private final AuthChain chain = AuthChain.of(new Users(), new Step("pins", "pin"), new Step("codes", "otp"))
            .withGate(logins);

    private final class Users implements LoginSource<PasswordCredentials> {

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
            return Authenticated.as(Subject.of("ann"));
        }
    }

    private record Step(String name, String method) implements LoginStep {

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, method));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code().orElseThrow().matches(Secret.of("right"))
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    /** Answers the PIN, and then the code; leaves off where the row has no more. */
    private Verdict logIn(String pin, String code) {
        Verdict verdict = chain.authenticate(ANN);
        for (String response : new String[] {pin, code}) {
            if (verdict instanceof Challenged challenge && !response.isEmpty()) {
                verdict = chain.authenticate(new ChallengeResponse(challenge, Secret.of(response)));
            }
        }
        return verdict;
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "wrong, ''", "right, ''", "right, wrong"})
    void loginWithoutItsLastStep_costsAsMuchAsAWrongPassword(String pin, String code) {
        int guesses = 0;
        try {
            while (guesses < 100) {
                assertThat(logIn(pin, code)).isNotInstanceOf(Authenticated.class);
                guesses++;
            }
        } catch (AuthUnavailableException e) {
            assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED);
        }
        assertThat(guesses).isEqualTo(ALLOWED);
        assertThat(limits.knows("ann", HOME)).isFalse();
    }

    @Test
    void loginsThatPassBothSteps_costNothing_andMakeTheClientKnown() {
        for (int i = 0; i < 10 * ALLOWED; i++) {
            assertThat(logIn("right", "right")).isInstanceOf(Authenticated.class);
        }
        assertThat(limits.stats().contended()).isZero();
        assertThat(limits.knows("ann", HOME)).isTrue();
    }
}
