package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import dev.latchkey.auth.spring.plugin.TestUsers;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A code is used up by a login that an outage or a full account then leaves without tokens. Ten such logins would use up all
 * recovery codes.
 */
class RepeatedStepTest {

    private static final RequestContext HOME = RequestContext.from("192.0.2.1");
    private static final RequestContext ELSEWHERE = RequestContext.from("192.0.2.2");

    private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);
    private boolean isDown;

    private final InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
            User.withUsername("alice").password("secret").roles("USER").build());
    private final Codes codes = new Codes();
    private final Pins pins = new Pins();
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofDays(30));
    private final AuthChain plugins =
            AuthChain.of(List.of(TestUsers.of(users, TestLoginEncoders.around(plain()), null), codes, pins), () -> now);
    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    private final AccessTokens accessTokens = new AccessTokens(
            JwtSigner.with(key).withTimeSource(() -> now),
            JwtVerifier.with(key).withTimeSource(() -> now),
            revocations,
            RefreshScene.propertiesOf(List.of()).jwt(),
            List.of(),
            (token, jwt) -> true);
    private final LoginStore store =
            Unreliable.around(LoginStore.class, new InMemoryLoginStore(1000), method -> isDown);
    private final TokenLogin login = login(RefreshScene.propertiesOf(List.of()));

    private TokenLogin login(LatchkeyProperties properties) {
        RefreshableLogins logins = RefreshableLogins.in(
                store,
                AccountLogins.of(store, revocations, properties, null, null, List.of(), () -> now),
                plugins,
                accessTokens,
                properties.login().refresh(),
                () -> now);
        return new TokenLogin(plugins, accessTokens, () -> now, new RevokedSecond(() -> now, pause -> {}), logins);
    }

    @SuppressWarnings("deprecation") // the hash is of no interest here
    private static NoOpPasswordEncoder plain() {
        return (NoOpPasswordEncoder) NoOpPasswordEncoder.getInstance();
    }

    @Test
    void sameCodeAfterTheOutage_completesTheLogin_andIsCheckedOnce() {
        String continuation = continuation();
        outage(continuation, "code-1");
        outage(continuation, "code-1");
        assertThat(goOn(continuation, "code-1", HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(codes.checks).isEqualTo(1);
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
    }

    @Test
    void anotherCode_endsTheLogin() {
        String continuation = continuation();
        outage(continuation, "code-1");
        assertThat(goOn(continuation, "code-2", HOME)).isEmpty();
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
        assertThat(codes.checks).isEqualTo(1);
    }

    @Test
    void anotherField_endsTheLogin() {
        String continuation = continuation();
        outage(continuation, "code-1");
        assertThat(login.goOn(continuation, Map.of("code", secret("code-1"), "more", secret("x")), HOME))
                .isEmpty();
    }

    @Test
    void anotherClient_endsTheLogin() {
        String address = continuation();
        outage(address, "code-1");
        assertThat(goOn(address, "code-1", ELSEWHERE)).isEmpty();
        String client = continuation();
        outage(client, "code-2");
        assertThat(login.ofClient("shop").goOn(client, response("code-2"), HOME))
                .isEmpty();
    }

    @Test
    void revocationMeanwhile_endsTheLogin() {
        String continuation = continuation();
        outage(continuation, "code-1");
        revocations.revokeSubject("alice", now.plusMillis(1));
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
    }

    @Test
    void furtherStepMeanwhile_isAsked() {
        String continuation = continuation();
        outage(continuation, "code-1");
        pins.isWanted = true;
        assertThat(goOn(continuation, "code-1", HOME))
                .hasValueSatisfying(
                        next -> assertThat(((NextStep) next).method()).isEqualTo("pin"));
    }

    @Test
    void passwordChangedMeanwhile_endsTheLogin() {
        String continuation = continuation();
        outage(continuation, "code-1");
        users.updateUser(
                User.withUsername("alice").password("other").roles("USER").build());
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
    }

    @Test
    void login_endsWithItsContinuation() {
        String continuation = continuation();
        outage(continuation, "code-1");
        now = now.plus(OpenChallenges.LIFETIME);
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
    }

    @Test
    void wrongCodeDuringAnOutage_isNoPassedStep() {
        String continuation = continuation();
        isDown = true;
        assertThat(goOn(continuation, "wrong", HOME)).isEmpty();
        isDown = false;
        assertThat(goOn(continuation, "wrong", HOME)).isEmpty();
        assertThat(codes.checks).isEqualTo(1);
    }

    @Test
    void outageOfThePlugin_leavesTheSameCodeOnly() {
        String continuation = continuation();
        codes.isDown = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "code-1", HOME));
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "code-1", HOME));
        codes.isDown = false;
        assertThat(goOn(continuation, "code-1", HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(codes.checks).isEqualTo(3);
    }

    /** The plugin of a further step is asked after the code is used up. */
    @Test
    void outageOfAFurtherStep_leavesTheSameCodeOnly() {
        String continuation = continuation();
        pins.isDown = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "code-1", HOME));
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "code-1", HOME));
        pins.isDown = false;
        assertThat(goOn(continuation, "code-1", HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(codes.checks).isEqualTo(1);
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
    }

    @Test
    void outageOfAFurtherStepThatIsWanted_leavesTheSameCodeOnly() {
        String continuation = continuation();
        pins.isDown = true;
        pins.isWanted = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "code-1", HOME));
        pins.isDown = false;
        NextStep pin = (NextStep) goOn(continuation, "code-1", HOME).orElseThrow();
        assertThat(login.goOn(pin.continuation(), response("1234"), HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(codes.checks).isEqualTo(1);
    }

    /** Otherwise a plugin that fails for wrong codes alone would give any number of guesses. */
    @Test
    void outageOfThePlugin_givesNoFurtherGuess() {
        String continuation = continuation();
        codes.isDown = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, "guess-1", HOME));
        codes.isDown = false;
        assertThat(goOn(continuation, "code-1", HOME)).isEmpty();
        assertThat(codes.checks).isEqualTo(1);
    }

    @Test
    void fullAccount_isRefusedBeforeACodeIsUsedUp() {
        TokenLogin bounded = refusing();
        assertThat(bounded.goOn(continuation(bounded), response("code-1"), HOME))
                .containsInstanceOf(IssuedTokens.class);
        for (int i = 0; i < 3; i++) {
            assertThat(first(bounded)).contains(AccountFull.ACCOUNT_FULL);
        }
        assertThat(codes.checks).isEqualTo(1);
    }

    @Test
    void sameCode_completesTheLogin_afterAnotherSessionHasEnded() {
        TokenLogin bounded = refusing();
        String one = continuation(bounded);
        String other = continuation(bounded);
        assertThat(bounded.goOn(one, response("code-1"), HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(bounded.goOn(other, response("code-2"), HOME)).contains(AccountFull.ACCOUNT_FULL);
        assertThat(bounded.goOn(other, response("code-2"), HOME)).contains(AccountFull.ACCOUNT_FULL);
        store.ofOwner("alice").forEach(session -> store.end(session.id()));
        assertThat(bounded.goOn(other, response("code-2"), HOME)).containsInstanceOf(IssuedTokens.class);
        assertThat(codes.checks).isEqualTo(2);
    }

    private TokenLogin refusing() {
        return login(RefreshScene.propertiesOf(
                List.of("latchkey.login.max-per-account=1", "latchkey.login.when-full=refuse")));
    }

    private String continuation() {
        return continuation(login);
    }

    private static String continuation(TokenLogin login) {
        return ((NextStep) first(login).orElseThrow()).continuation();
    }

    private static Optional<LoginOutcome> first(TokenLogin login) {
        return login.login(new PasswordCredentials("alice", secret("secret")), HOME);
    }

    private void outage(String continuation, String code) {
        isDown = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> goOn(continuation, code, HOME));
        isDown = false;
    }

    private Optional<LoginOutcome> goOn(String continuation, String code, RequestContext from) {
        return login.goOn(continuation, response(code), from);
    }

    private static Map<String, Secret> response(String code) {
        return Map.of(ChallengeResponse.CODE, secret(code));
    }

    private static Secret secret(String text) {
        return Secret.of(text);
    }

    /** Accepts each code once. */
    private static final class Codes implements LoginStep {

        private final Set<String> left = new HashSet<>(Set.of("code-1", "code-2"));
        private int checks;
        private boolean isDown;

        @Override
        public String name() {
            return "codes";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "otp"));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            checks++;
            if (isDown) {
                throw AuthUnavailableException.outage("The table of codes does not answer");
            }
            return left.remove(response.code().orElseThrow().withText(CharSequence::toString))
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    /** Wants a further step from some time on. */
    private static final class Pins implements LoginStep {

        private boolean isWanted;
        private boolean isDown;

        @Override
        public String name() {
            return "pins";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            if (isDown) {
                throw AuthUnavailableException.outage("The table of PINs does not answer");
            }
            return isWanted ? Optional.of(Challenged.by(login, "pin")) : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }
}
