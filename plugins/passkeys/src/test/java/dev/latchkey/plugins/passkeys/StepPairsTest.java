package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A passkey beside another step, and beside another source. */
class StepPairsTest {

    private final Desk desk = new Desk();
    private final Authenticator ada = desk.enrol("ada");

    private Challenged challenged(Object verdict) {
        return (Challenged) verdict;
    }

    @Test
    void anotherStep_isWantedAfterAPasskeyAlone_andNoSecondPasskey() {
        AuthChain chain = AuthChain.of(List.of(desk.users, desk.plugin, new Pin()), desk.clock);
        Challenged pin = challenged(chain.authenticate(
                PasskeyCredentials.of(ada.sign(desk.passkeys.begin())).orElseThrow()));
        assertThat(pin.plugin()).isEqualTo("pin");
        assertThat(chain.authenticate(new ChallengeResponse(pin, Secret.of("1234"))))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        login -> assertThat(login.factors().methods())
                                .containsExactlyInAnyOrder("hwk", "user", "mfa", "pin"));
    }

    @Test
    void bothSteps_areWantedAfterAPassword_inTheOrderOfTheChain() {
        AuthChain chain = AuthChain.of(List.of(desk.users, new Pin(), desk.plugin), desk.clock);
        Challenged pin = challenged(chain.authenticate(Desk.ADA));
        assertThat(pin.plugin()).isEqualTo("pin");
        Challenged passkey = challenged(chain.authenticate(new ChallengeResponse(pin, Secret.of("1234"))));
        assertThat(passkey.plugin()).isEqualTo("passkeys");
        assertThat(chain.authenticate(new ChallengeResponse(passkey, ada.sign(passkey.parameters()))))
                .isInstanceOf(Authenticated.class);
    }

    @Test
    void proofForAChange_takesBothResponsesAtOnce() {
        AuthChain chain = AuthChain.of(List.of(desk.users, new Pin(), desk.plugin), desk.clock);
        OwnPasskeys own = new OwnPasskeys(chain, desk.passkeys);
        Map<String, Secret> responses = ada.sign(own.challenge("ada").orElseThrow());
        assertThat(own.begin("ada", Desk.ADA, responses, RequestContext.none())).isEmpty();
        responses = ada.sign(own.challenge("ada").orElseThrow());
        responses.put("code", Secret.of("1234"));
        assertThat(own.begin("ada", Desk.ADA, responses, RequestContext.none())).isPresent();
    }

    /** An account of a second source has the source's name in the id, and the passkey keeps this id. */
    @Test
    void accountOfASecondSource_keepsItsNameAtALoginByPasskey() {
        Desk.Users second = new Desk.Users("directory");
        AuthChain[] chain = new AuthChain[1];
        PasskeysPlugin plugin = new PasskeysPlugin(
                desk.passkeys, (source, account) -> chain[0].decidedLogins().account(source, account));
        chain[0] = AuthChain.of(List.of(new Nobody(), second, plugin), desk.clock);
        OwnPasskeys own = new OwnPasskeys(chain[0], desk.passkeys);
        Authenticator authenticator = new Authenticator();
        Map<String, Object> options = own.begin("directory:ada", Desk.ADA, Map.of(), RequestContext.none())
                .orElseThrow();
        Map<String, Secret> made = authenticator.register(options);
        assertThat(own.confirm(
                        "directory:ada",
                        "key",
                        made.get("attestation_object"),
                        made.get("client_data_json"),
                        RequestContext.none()))
                .isPresent();
        assertThat(chain[0].authenticate(PasskeyCredentials.of(authenticator.sign(desk.passkeys.begin()))
                        .orElseThrow()))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        login -> assertThat(login.subject().id()).isEqualTo("directory:ada"));
        Optional<Verdict> refreshed = chain[0].decidedLogins().account("passkeys", "directory:ada");
        assertThat(refreshed).isPresent();
    }

    private record Pin() implements LoginStep {

        @Override
        public String name() {
            return "pin";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "pin"));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code().filter(Secret.of("1234")::matches).isPresent()
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
