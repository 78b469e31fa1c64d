package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Logins of several requests: who may continue a login, and what changes in between. */
class ContinuedLoginsTest {

    private static final RequestContext HERE = RequestContext.from("192.0.2.7");
    private static final Map<String, Secret> CODE = Map.of("code", Secret.of(StepPlugin.CODE));

    private final StepPlugin codes = new StepPlugin();
    private final RefreshScene.Accounts accounts = new RefreshScene.Accounts("users");
    private final LoginParts parts = new LoginParts(List.of(), (context, options) -> options, codes, accounts);

    private static NextStep begun(TokenLogin login) {
        return (NextStep) login.login(new PasswordCredentials("alice", Secret.of("secret")), HERE)
                .orElseThrow();
    }

    @Test
    void continuationOfAClient_isForThatClientAlone() {
        TokenLogin shop = parts.login().ofClient("shop");
        assertThat(parts.login().goOn(begun(shop).continuation(), CODE, HERE)).isEmpty();
        assertThat(shop.goOn(begun(parts.login()).continuation(), CODE, HERE)).isEmpty();
        IssuedTokens tokens =
                (IssuedTokens) shop.goOn(begun(shop).continuation(), CODE, HERE).orElseThrow();
        assertThat(claimsOf(tokens)).containsEntry("client_id", "shop");
        IssuedTokens own = (IssuedTokens) parts.login()
                .goOn(begun(parts.login()).continuation(), CODE, HERE)
                .orElseThrow();
        assertThat(claimsOf(own)).containsEntry("sub", "alice").doesNotContainKey("client_id");
    }

    private Map<String, Object> claimsOf(IssuedTokens tokens) {
        return parts.inspection().claimsOf(tokens.access().value(), "any client");
    }

    @Test
    void passwordThatChangesBetweenTwoSteps_givesNoTokens() {
        NextStep step = begun(parts.login());
        accounts.stamp = "another hash";
        assertThat(parts.login().goOn(step.continuation(), CODE, HERE)).isEmpty();
    }

    @Test
    void accountThatIsDeletedBetweenTwoSteps_getsNoTokens() {
        NextStep step = begun(parts.login());
        accounts.known = false;
        assertThat(parts.login().goOn(step.continuation(), CODE, HERE)).isEmpty();
    }

    @Test
    void eachMissingStep_isAsked_andTheFirstIsNotEnough() {
        LoginParts two = new LoginParts(List.of(), (context, options) -> options, codes, new Signature(), accounts);
        NextStep first = begun(two.login());
        assertThat(first.method()).isEqualTo("otp");
        assertThat(first.lifetime()).isEqualTo(OpenChallenges.LIFETIME);
        NextStep second =
                (NextStep) two.login().goOn(first.continuation(), CODE, HERE).orElseThrow();
        assertThat(second.method()).isEqualTo("hwk");
        assertThat(second.parameters()).isEqualTo(Map.of("challenge", "c1"));
        assertThat(two.login().goOn(first.continuation(), CODE, HERE)).isEmpty();
        assertThat(two.login().goOn(second.continuation(), CODE, HERE)).containsInstanceOf(IssuedTokens.class);
    }

    @Test
    void device_isRemembered_ifTheClientAsksForThat_andItsStoreAnswers() {
        assertThat(remembered(true))
                .map(device -> device.token().<String>withText(CharSequence::toString))
                .contains(StepPlugin.DEVICE);
        assertThat(remembered(false)).isEmpty();
        codes.isUp.set(false);
        assertThat(remembered(true)).isEmpty();
    }

    @Test
    void deviceOfALoginThatIsRevokedMeanwhile_isForgotten() {
        Devices devices = new Devices();
        LoginParts revoked = new LoginParts(List.of(), (context, options) -> options, devices, accounts);
        NextStep step = begun(revoked.login());
        devices.beforeItRemembers = () -> {
            revoked.pass(Duration.ofSeconds(5));
            revoked.plugins().revokeAll("alice", Instant.now().plusSeconds(5));
            revoked.pass(Duration.ofSeconds(5));
        };
        assertThat(revoked.login().goOnAndRemember(step.continuation(), CODE, HERE))
                .map(IssuedTokens.class::cast)
                .hasValueSatisfying(tokens -> assertThat(tokens.device()).isEmpty());
        assertThat(devices.since).isEmpty();
        devices.beforeItRemembers = () -> {};
        assertThat(revoked.login()
                        .goOnAndRemember(begun(revoked.login()).continuation(), CODE, HERE)
                        .map(IssuedTokens.class::cast)
                        .orElseThrow()
                        .device())
                .isPresent();
        assertThat(devices.since).hasSize(1);
    }

    private Optional<RememberedDevice> remembered(boolean isAsked) {
        String continuation = begun(parts.login()).continuation();
        Optional<LoginOutcome> outcome = isAsked
                ? parts.login().goOnAndRemember(continuation, CODE, HERE)
                : parts.login().goOn(continuation, CODE, HERE);
        IssuedTokens tokens = (IssuedTokens) outcome.orElseThrow();
        assertThat(tokens.refresh()).isPresent();
        assertThat(tokens.subject()).isEqualTo(Subject.of("alice").withAuthorities("ROLE_USER"));
        return tokens.device();
    }

    /** A second step, which every response passes, with remembered devices. */
    private static final class Devices implements LoginStep, CredentialsRevoker {

        private final List<Instant> since = new ArrayList<>();
        private Runnable beforeItRemembers = () -> {};

        @Override
        public String name() {
            return "devices";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "otp"));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }

        @Override
        public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
            beforeItRemembers.run();
            since.add(login.factors().at());
            return Optional.of(new RememberedDevice(Secret.of("device"), Duration.ofDays(1)));
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return false;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            since.removeIf(time -> !time.isAfter(notBefore));
            return false;
        }
    }

    /** A second step, which every response passes. */
    private static final class Signature implements LoginStep {

        @Override
        public String name() {
            return "signature";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "hwk").withParameter("challenge", "c1"));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }
}
