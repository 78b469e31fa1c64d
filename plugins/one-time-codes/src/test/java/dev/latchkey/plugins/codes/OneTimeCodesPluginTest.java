package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OneTimeCodesPluginTest {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));
    private static final RequestContext NOWHERE = RequestContext.none();

    private final SetClock clock = new SetClock();
    private final InMemoryCodeStore store = new InMemoryCodeStore();
    private final OneTimeCodes codes = OneTimeCodes.of(store, KEYS, "Example").withClock(clock);
    private final Phone phone = Phone.of(codes.begin("ada").orElseThrow(), clock);
    private final Secret recovery =
            codes.confirm("ada", phone.secretCode()).orElseThrow().get(0);
    private final OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(codes);

    private static ChallengeResponse response(String account, Secret code) {
        return new ChallengeResponse(Challenged.by(login(account), "otp"), code);
    }

    private static Authenticated login(String account) {
        return Authenticated.as(Subject.of(account).withAuthorities("ROLE_USER"));
    }

    @Test
    void accountThatHasEnrolled_isAsked_andNoOther() {
        codes.begin("bob");
        assertThat(plugin.wanted(login("ada"), NOWHERE))
                .hasValueSatisfying(step -> assertThat(step.method()).isEqualTo("otp"));
        assertThat(plugin.wanted(login("bob"), NOWHERE)).as("pending").isEmpty();
        assertThat(plugin.wanted(login("carol"), NOWHERE)).isEmpty();
    }

    @Test
    void outage_letsNobodyInWithoutTheStep_norDoesAClosedPlugin() {
        OneTimeCodesPlugin down = new OneTimeCodesPlugin(OneTimeCodes.of(new FakeStores.Down(), KEYS, "Example"));
        OneTimeCodesPlugin closed = new OneTimeCodesPlugin(codes);
        closed.close();
        assertThatThrownBy(() -> closed.remember(login("ada"), NOWHERE)).isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> closed.revoke(response("ada", recovery))).isInstanceOf(AuthUnavailableException.class);
        for (OneTimeCodesPlugin unable : List.of(down, closed)) {
            assertThatThrownBy(() -> unable.wanted(login("ada"), NOWHERE)).isInstanceOf(AuthUnavailableException.class);
            assertThatThrownBy(() -> unable.answer(response("ada", recovery), NOWHERE))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void rightCode_passesTheStep_andAddsNothingElse() {
        clock.move(CodeSecret.STEP);
        assertThat(plugin.answer(response("ada", phone.secretCode()), NOWHERE)).isEqualTo(Passed.step());
        assertThat(plugin.answer(response("ada", recovery), NOWHERE)).isEqualTo(Passed.step());
    }

    @Test
    void wrongCode_anothersCode_andAResponseWithoutOne_areRejected() {
        ChallengeResponse none = new ChallengeResponse(Challenged.by(login("ada"), "otp"), Map.of());
        ChallengeResponse elsewhere =
                new ChallengeResponse(Challenged.by(login("ada"), "otp"), Map.of("pin", recovery));
        for (ChallengeResponse wrong :
                List.of(response("ada", Secret.of(phone.wrongCode())), response("bob", recovery), none, elsewhere)) {
            assertThat(plugin.answer(wrong, NOWHERE)).isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
        }
        assertThat(plugin.answer(response("ada", recovery), NOWHERE))
                .as("not used up by any of them")
                .isEqualTo(Passed.step());
    }

    @Test
    void pluginThatRemembersNoDevices_knowsNone_andRevokesNothing() {
        assertThat(plugin.knowsDevice(login("ada"), NOWHERE)).isFalse();
        assertThat(plugin.remember(login("ada"), NOWHERE)).isEmpty();
        assertThat(plugin.revoke(response("ada", recovery))).isFalse();
        assertThat(plugin.revokeAll("ada", clock.instant())).isFalse();
        assertThat(plugin.answer(response("ada", recovery), NOWHERE)).isEqualTo(Passed.step());
    }
}
