package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A source of another system creates its account during the first login, after the start of this login. The step comes later. A
 * later account of the same name is another account.
 */
class AccountOfTheFirstLoginTest {

    private static final RequestContext HOME = RequestContext.from("192.0.2.1");

    private final Visitors visitors = new Visitors();
    private final TokenLogin login = new LoginParts(
                    List.of("latchkey.login.refresh.enabled=false"), (login, options) -> options, visitors, new Code())
            .login();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void codeAfterTheFirstLogin_givesTokens(boolean hasStamp) {
        visitors.hasStamp = hasStamp;
        assertThat(code(first())).containsInstanceOf(IssuedTokens.class);
        assertThat(code(first())).containsInstanceOf(IssuedTokens.class);
    }

    @Test
    void recreatedAccount_getsNoTokens() {
        NextStep step = first();
        visitors.accounts.clear();
        visitors.create("visitor", Instant.now().plusSeconds(2));
        assertThat(code(step)).isEmpty();
        assertThat(code(first())).containsInstanceOf(IssuedTokens.class);
    }

    @Test
    void accountRecreatedBeforeTheStart_isTheAccountOfTheLogin() {
        visitors.create("visitor", Instant.now().minusSeconds(2));
        assertThat(code(first())).containsInstanceOf(IssuedTokens.class);
    }

    @Test
    void deletedAccount_getsNoTokens() {
        NextStep step = first();
        visitors.accounts.clear();
        assertThat(code(step)).isEmpty();
    }

    private NextStep first() {
        return (NextStep) login.login(new PasswordCredentials("visitor", Secret.of("secret")), HOME)
                .orElseThrow();
    }

    private Optional<LoginOutcome> code(NextStep step) {
        return login.goOn(step.continuation(), Map.of(ChallengeResponse.CODE, Secret.of("1")), HOME);
    }

    /** Creates an account at its first login, and tells its creation. */
    private static final class Visitors implements LoginSource<PasswordCredentials> {

        private final Map<String, Instant> accounts = new HashMap<>();
        private boolean hasStamp;

        @Override
        public String name() {
            return "visitors";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            accounts.computeIfAbsent(
                    credentials.username(), name -> Instant.now().plusMillis(500));
            return account(credentials.username()).map(Decision.class::cast).orElseThrow();
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return Optional.ofNullable(accounts.get(subjectId)).map(created -> of(subjectId, created));
        }

        private Authenticated of(String name, Instant created) {
            Authenticated account = Authenticated.as(Subject.of(name)).withCreated(created);
            return hasStamp ? account.withStamp(Secret.of(name)) : account;
        }

        private void create(String name, Instant created) {
            accounts.put(name, created);
        }
    }

    /** Wants a code from each account. */
    private static final class Code implements LoginStep {

        @Override
        public String name() {
            return "code";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "otp"));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }
}
