package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The state of an account, and the steps of the account, at two requests. */
class AccountStatesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Authenticated ADA = Authenticated.as(Subject.of("ada")).withStamp(Secret.of("hash"));

    private static Secret stateOf(@Nullable Verdict account) {
        ScriptedPlugin users = ScriptedPlugin.named("users");
        AuthChain chain = AuthChain.of(account == null ? users : users.knowing(account));
        return chain.decidedLogins().stateOf("ada");
    }

    @Test
    void state_isEqualForAnEqualAccount_andAnotherForEachChange() {
        List<Secret> states = List.of(
                stateOf(null),
                stateOf(Rejected.because(RejectionReason.ACCOUNT_DISABLED)),
                stateOf(ADA),
                stateOf(Authenticated.as(Subject.of("ada"))),
                stateOf(ADA.withStamp(Secret.of("another hash"))),
                stateOf(ADA.withCreated(NOW)),
                stateOf(ADA.withCreated(NOW.plusMillis(1))),
                stateOf(Authenticated.as(Subject.of("Ada")).withStamp(Secret.of("hash"))));
        for (Secret state : states) {
            assertThat(states.stream().filter(state::matches)).hasSize(1);
        }
        assertThat(stateOf(ADA).matches(stateOf(ADA.withSubject(ADA.subject().withAuthorities("ROLE_USER")))))
                .isTrue();
    }

    @Test
    void factorsAreEnough_ifEachStepOfThePresentAccountHasItsMethod() {
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("users").knowing(ADA), new Pin());
        assertThat(chain.decidedLogins().areEnough("ada", Factors.of(NOW, "pwd"), RequestContext.none()))
                .isFalse();
        assertThat(chain.decidedLogins().areEnough("ada", Factors.of(NOW, "pwd", "pin"), RequestContext.none()))
                .isTrue();
        AuthChain unknown = AuthChain.of(ScriptedPlugin.named("users"), new Pin());
        assertThat(unknown.decidedLogins().areEnough("ada", Factors.of(NOW, "pwd"), RequestContext.none()))
                .as("a source without look-ups, so the step sees no stamp")
                .isTrue();
    }

    @Test
    void proofIsNotEnough_afterARevocation() {
        Set<String> revoked = new HashSet<>();
        AuthChain chain =
                AuthChain.of(ScriptedPlugin.named("users").knowing(ADA).answering(ADA), new Revocations(revoked));
        Authenticated proved = ADA.decidedBy("users").withFactors(Factors.of(NOW, "pwd"));
        assertThat(chain.isStillProved(proved, BearerToken.of("any"), RequestContext.none()))
                .isTrue();
        assertThat(chain.decidedLogins().areEnough("ada", proved.factors(), RequestContext.none()))
                .isTrue();
        revoked.add("ada at " + NOW);
        assertThat(chain.isStillProved(proved, BearerToken.of("any"), RequestContext.none()))
                .isFalse();
        assertThat(chain.decidedLogins().areEnough("ada", proved.factors(), RequestContext.none()))
                .isFalse();
    }

    /** A cache remembers the former password, and its stamp. */
    @Test
    void formerPasswordThatACacheStillKnows_isNoProof() {
        Authenticated before = ADA.withStamp(Secret.of("of the former password"));
        Authenticated now = ADA.withStamp(Secret.of("of the password"));
        Authenticated proved = before.decidedBy("users").withFactors(Factors.of(NOW, "pwd"));
        AuthChain cached =
                AuthChain.of(ScriptedPlugin.named("users").knowing(now).answering(before));
        assertThat(cached.isStillProved(proved, BearerToken.of("any"), RequestContext.none()))
                .isFalse();
        AuthChain withAReplacedHash =
                AuthChain.of(ScriptedPlugin.named("users").knowing(now).answering(now));
        assertThat(withAReplacedHash.isStillProved(proved, BearerToken.of("any"), RequestContext.none()))
                .isTrue();
    }

    private record Revocations(Set<String> revoked) implements CredentialsRevoker {

        @Override
        public String name() {
            return "record";
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return false;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return false;
        }

        @Override
        public boolean isRevoked(String subjectId, Instant provedAt) {
            return revoked.contains(subjectId + " at " + provedAt);
        }
    }

    /** Asks the logins with a stamp, by the source of users, for a PIN. */
    private record Pin() implements LoginStep {

        @Override
        public String name() {
            return "pin";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return login.stamp() != null && login.plugin().equals("users")
                    ? Optional.of(Challenged.by(login, "pin"))
                    : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }
}
