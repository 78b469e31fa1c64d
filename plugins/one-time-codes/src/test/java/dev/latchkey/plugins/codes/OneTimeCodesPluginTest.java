package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract holds for what answers a challenge. It shows the same credentials many times, so its store forgets which codes were used; that
 * codes are good once is {@link OneTimeCodesTest}'s.
 */
class OneTimeCodesPluginTest extends AuthPluginContract {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final InMemoryCodeStore store = new InMemoryCodeStore();
    private final OneTimeCodes codes = OneTimeCodes.of(store, KEYS, "Example").withClock(clock);
    private final Enrolment enrolment = codes.begin("ada").orElseThrow();
    private final Phone phone = Phone.of(enrolment, clock);
    private final Secret recovery =
            codes.confirm("ada", phone.secretCode()).orElseThrow().get(0);

    @Override
    protected AuthPlugin newPlugin() {
        CodeStore forgetful = new FakeStores.Forgetful(store);
        return new OneTimeCodesPlugin(
                OneTimeCodes.of(forgetful, KEYS, "Example").withClock(clock));
    }

    @Override
    protected Optional<AuthPlugin> newPluginInOutage() {
        return Optional.of(new OneTimeCodesPlugin(OneTimeCodes.of(new FakeStores.Down(), KEYS, "Example")));
    }

    @Override
    protected Credentials validCredentials() {
        return response("ada", recovery);
    }

    @Override
    protected Credentials wrongCredentials() {
        return response("ada", Secret.of("WRNG-WRNG-WRNG-WRNG"));
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(response("nobody-of-this-name", recovery));
    }

    @Override
    protected Optional<Credentials> credentialsWith(String text) {
        return Optional.of(response("ada", Secret.of(text)));
    }

    /** Recovery codes are typed from paper. */
    @Override
    protected boolean secretsAreExact() {
        return false;
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(
                recovery.withText(CharSequence::toString),
                "WRNG-WRNG-WRNG-WRNG",
                enrolment.key().withText(CharSequence::toString));
    }

    private static ChallengeResponse response(String account, Secret code) {
        return new ChallengeResponse(Challenged.by(login(account), "otp"), code);
    }

    private static Authenticated login(String account) {
        return Authenticated.as(Subject.of(account).withAuthorities("ROLE_USER"));
    }

    @Test
    void accountThatHasEnrolled_isAsked_andNoOther() {
        AuthPlugin plugin = newPlugin();
        codes.begin("bob");
        assertThat(plugin.secondStep(login("ada"), RequestContext.none()))
                .hasValueSatisfying(step -> assertThat(step.method()).isEqualTo("otp"));
        assertThat(plugin.secondStep(login("bob"), RequestContext.none()))
                .as("pending")
                .isEmpty();
        assertThat(plugin.secondStep(login("carol"), RequestContext.none())).isEmpty();
    }

    @Test
    void outage_letsNobodyInWithoutTheStep_norDoesAClosedPlugin() {
        AuthPlugin down = newPluginInOutage().orElseThrow();
        AuthPlugin closed = newPlugin();
        closed.close();
        for (AuthPlugin plugin : List.of(down, closed)) {
            assertThatThrownBy(() -> plugin.secondStep(login("ada"), RequestContext.none()))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void rightCode_isAnsweredWithTheLoginThatWasChallenged() {
        clock.move(CodeSecret.STEP);
        assertThat(newPlugin().authenticate(response("ada", phone.secretCode()), RequestContext.none()))
                .isEqualTo(login("ada"));
    }
}
