package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store has used up a code, and its answer is lost, for example behind a slow commit. The login sends the code again. */
class LostAnswersTest {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final FakeStores.Watched store = new FakeStores.Watched();
    private final OneTimeCodes codes = OneTimeCodes.of(store, KEYS, "Example").withClock(clock);
    private final Phone phone = Phone.of(codes.begin("ada").orElseThrow(), clock);
    private final List<Secret> recovery =
            codes.confirm("ada", phone.secretCode()).orElseThrow();
    private final OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(codes);
    private final Challenged challenge = challenge();

    private static Challenged challenge() {
        return Challenged.by(Authenticated.as(Subject.of("ada")), "otp");
    }

    @Test
    void sameCodeOfTheSameLogin_isRight_andUsedUpOnce() {
        lose(challenge, recovery.get(0));
        assertThat(codes.recoveryCodesLeft("ada")).isEqualTo(9);
        assertThat(passes(challenge, recovery.get(0))).isTrue();
        assertThat(codes.recoveryCodesLeft("ada")).isEqualTo(9);
        assertThat(passes(challenge, recovery.get(0))).isFalse();
    }

    @Test
    void severalLostAnswers_useUpOneCode() {
        lose(challenge, recovery.get(0));
        store.afterUpdate = () -> {};
        store.beforeUpdate = new LateAnswer();
        assertThat(passes(challenge, recovery.get(0))).isTrue();
        assertThat(codes.recoveryCodesLeft("ada")).isEqualTo(9);
    }

    @Test
    void codeOfTheApp_isRightAgainToo() {
        clock.move(CodeSecret.STEP);
        Secret code = phone.secretCode();
        lose(challenge, code);
        assertThat(passes(challenge, code)).isTrue();
        assertThat(passes(challenge, code)).isFalse();
    }

    @Test
    void outageBeforeTheWrite_leavesTheCode() {
        store.beforeUpdate = new LateAnswer();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> passes(challenge, recovery.get(0)));
        store.beforeUpdate = () -> {};
        assertThat(passes(challenge, recovery.get(0))).isTrue();
        assertThat(codes.recoveryCodesLeft("ada")).isEqualTo(9);
    }

    @Test
    void sameCodeOfAnotherLogin_isWrong() {
        lose(challenge, recovery.get(0));
        assertThat(passes(challenge(), recovery.get(0))).isFalse();
    }

    @Test
    void anotherCodeOfTheSameLogin_isChecked() {
        lose(challenge, recovery.get(0));
        assertThat(passes(challenge, Secret.of(phone.wrongCode()))).isFalse();
        assertThat(passes(challenge, recovery.get(0))).isFalse();
    }

    /** The row no longer tells who has used up the code. */
    @Test
    void anotherLoginMeanwhile_leavesTheCodeUsedUp() {
        lose(challenge, recovery.get(0));
        assertThat(passes(challenge(), recovery.get(1))).isTrue();
        assertThat(passes(challenge, recovery.get(0))).isFalse();
    }

    @Test
    void enrolmentThatWasRemoved_hasNoRightCode() {
        lose(challenge, recovery.get(0));
        codes.remove("ada");
        assertThat(passes(challenge, recovery.get(0))).isFalse();
    }

    private void lose(Challenged of, Secret code) {
        store.afterUpdate = new LateAnswer();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> passes(of, code));
        store.afterUpdate = () -> {};
    }

    private boolean passes(Challenged of, Secret code) {
        return plugin.answer(new ChallengeResponse(of, code), RequestContext.none()) instanceof Passed;
    }

    private static final class LateAnswer implements Runnable {

        @Override
        public void run() {
            throw AuthUnavailableException.outage("The store does not answer in time");
        }
    }
}
