package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of an account with steps of two plugins; one plugin remembers devices. */
class KeysAndStepsTest {

    private static final KeyRequest WANTED = KeyRequest.named("ci", "orders:read");
    private static final RequestContext DEVICE = RequestContext.none().withHeader("Device", "known");

    private final ApiKeyStore store = new InMemoryApiKeyStore();
    private final ApiKeys keys =
            ApiKeys.of(store, KeyDigests.of(Secret.of(new byte[32])), ApiKeySettings.defaults(), this::accountOf);
    private final AuthChain chain = AuthChain.of(
            new Passwords(), new Step("codes", "otp", "code"), new Step("pins", "pin", "pin"), ApiKeysPlugin.of(keys));
    private final OwnApiKeys own = new OwnApiKeys(chain, keys);

    @AfterEach
    void close() {
        chain.close();
    }

    private Optional<Verdict> accountOf(String plugin, String account) {
        return chain.decidedLogins().account(plugin, account);
    }

    /** Everybody's password is {@code right}. */
    private static final class Passwords implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.password().matches(Secret.of("right"))
                    ? login(given.username())
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        private static Authenticated login(String name) {
            return Authenticated.as(Subject.of(name).withAuthorities("SCOPE_orders:read"));
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return Optional.of(login(subjectId));
        }
    }

    /** The right response is {@code right}, in this field. {@link #DEVICE} skips the code, and not the PIN. */
    private record Step(String name, String method, String field) implements LoginStep {

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, method));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.field(field).filter(Secret.of("right")::matches).isPresent()
                    ? Passed.step().withAuthorities(List.of("SCOPE_" + name))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public boolean knowsDevice(Authenticated login, RequestContext context) {
            return field.equals("code") && context.header("Device").equals(List.of("known"));
        }
    }

    private static OwnerProof proof(String password, String code, String pin) {
        Map<String, Secret> responses = new HashMap<>();
        responses.put("code", Secret.of(code));
        responses.put("pin", Secret.of(pin));
        responses.values().removeIf(secret -> secret.length() == 0);
        return new OwnerProof(new PasswordCredentials("ada", Secret.of(password)), responses);
    }

    @ParameterizedTest
    @CsvSource({
        "right, right, right, true",
        "right, right, wrong, false",
        "right, right, '',    false",
        "right, wrong, right, false",
        "right, '',    right, false",
        "right, '',    '',    false",
        "wrong, right, right, false"
    })
    void key_isIssuedAndRotated_forAllStepsAfresh_whateverTheDevice(
            String password, String code, String pin, boolean isIssued) {
        for (RequestContext context : List.of(RequestContext.none(), DEVICE)) {
            assertThat(own.issue("ada", proof(password, code, pin), WANTED, context) instanceof IssuedKey)
                    .isEqualTo(isIssued);
        }
        assertThat(store.ofAccount("ada")).hasSize(isIssued ? 2 : 0);
        IssuedKey key = (IssuedKey) own.issue("ada", proof("right", "right", "right"), WANTED, DEVICE);
        KeyRotation now = KeyRotation.overlappingBy(Duration.ZERO);
        assertThat(own.rotate("ada", proof(password, code, pin), key.key().id(), now, DEVICE) instanceof IssuedKey)
                .isEqualTo(isIssued);
    }

    /** The device is remembered for logins: from there the PIN alone completes one. */
    @Test
    void key_isNotIssued_forWhatALoginFromARememberedDeviceNeeds() {
        OwnerProof withoutCode = proof("right", "", "right");
        Challenged pin = (Challenged) chain.authenticate(withoutCode.login(), DEVICE);
        assertThat(pin.method()).isEqualTo("pin");
        assertThat(chain.authenticate(new ChallengeResponse(pin, withoutCode.responses()), DEVICE))
                .isInstanceOf(Authenticated.class);
        assertThat(own.issue("ada", withoutCode, WANTED, DEVICE)).isEqualTo(KeyRefusal.NOT_PROVED);
    }

    /** An addition of a step belongs to the login, so a key may get the scope. */
    @Test
    void scopeThatAStepAdds_mayBeGiven() {
        KeyRequest wanted = KeyRequest.named("ci", "pins", "codes", "orders:read");
        assertThat(own.issue("ada", proof("right", "right", "right"), wanted, DEVICE))
                .isInstanceOf(IssuedKey.class);
    }

    @Test
    void key_isItselfAskedForNoStep_andHasTheFactorsOfNone() {
        IssuedKey issued = (IssuedKey) own.issue("ada", proof("right", "right", "right"), WANTED, DEVICE);
        Authenticated login = (Authenticated) chain.authenticate(new ApiKeyCredentials(issued.text()));
        assertThat(login.factors().methods()).isEqualTo(Set.of());
        assertThat(login.subject().id()).isEqualTo("ada");
    }
}
