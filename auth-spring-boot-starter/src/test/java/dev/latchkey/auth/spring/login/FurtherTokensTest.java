package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.Accounts;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;

/** Tokens beside the first token of a session: to act as another account, of a new proof, and after a login of Spring Security. */
class FurtherTokensTest {

    private static final RequestContext HERE = RequestContext.from("192.0.2.7");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Accounts accounts = new Accounts();
    private final LoginParts parts =
            new LoginParts(List.of(), (context, options) -> options, new StepPlugin(), accounts);

    private String login(String name) {
        LoginOutcome outcome = parts.login().login(given(name), HERE).orElseThrow();
        if (outcome instanceof NextStep step) {
            outcome = parts.login()
                    .goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), HERE)
                    .orElseThrow();
        }
        return ((IssuedTokens) outcome).access().value();
    }

    private static PasswordCredentials given(String name) {
        return new PasswordCredentials(name, Secret.of(Services.PASSWORD));
    }

    private Optional<Authenticated> read(String token) {
        return parts.plugins().authenticate(BearerToken.of(token)) instanceof Authenticated login
                ? Optional.of(login)
                : Optional.empty();
    }

    @Test
    void actingToken_isOfTheOtherAccount_andNamesTheActor() {
        AccessToken token = parts.acting((actor, other) -> true)
                .actAs(login("bob"), "alice", MINUTE)
                .orElseThrow();
        assertThat(token.lifetime()).isEqualTo(MINUTE);
        Subject subject = read(token.value()).orElseThrow().subject();
        assertThat(subject.id()).isEqualTo("alice");
        assertThat(subject.actor()).contains("bob");
        assertThat(parts.events()).containsExactly("bob as alice");
    }

    @Test
    void rule_decidesAboutBothAccounts() {
        assertThat(parts.acting((actor, other) ->
                                actor.id().equals("bob") && other.id().equals("bob"))
                        .actAs(login("bob"), "alice", MINUTE))
                .isEmpty();
        assertThat(parts.events()).isEmpty();
        assertThat(parts.acting((actor, other) ->
                                actor.id().equals("bob") && other.id().equals("alice"))
                        .actAs(login("bob"), "alice", MINUTE))
                .isPresent();
    }

    @Test
    void noTokenToAct_isIssued_forTheSameAccount_anUnknownOne_orByAnActingToken() {
        ActingTokens acting = parts.acting((actor, other) -> true);
        String bob = login("bob");
        assertThat(acting.actAs(bob, "bob", MINUTE)).isEmpty();
        assertThat(acting.actAs(bob, "", MINUTE)).isEmpty();
        assertThat(acting.actAs(bob, "disabled", MINUTE)).isEmpty();
        assertThat(acting.actAs(bob + "x", "alice", MINUTE)).isEmpty();
        String alice = acting.actAs(bob, "alice", MINUTE).orElseThrow().value();
        assertThat(acting.actAs(alice, "jürgen", MINUTE)).isEmpty();
        accounts.disable("bob");
        assertThat(acting.actAs(bob, "alice", MINUTE)).isEmpty();
    }

    @Test
    void actingToken_endsWithTheActorsSession_andNoLaterThanTheActorsToken() {
        String bob = login("bob");
        parts.pass(Duration.ofMinutes(59));
        AccessToken token = parts.acting((actor, other) -> true)
                .actAs(bob, "alice", Duration.ofHours(9))
                .orElseThrow();
        assertThat(token.lifetime()).isBetween(MINUTE.minusSeconds(2), MINUTE);
        parts.revocation().revoke(bob);
        assertThat(read(token.value())).isEmpty();
    }

    @Test
    void logoutWithAnActingToken_endsThisTokenAlone() {
        String bob = login("bob");
        String acting = parts.acting((actor, other) -> true)
                .actAs(bob, "alice", MINUTE)
                .orElseThrow()
                .value();
        parts.revocation().revoke(acting);
        assertThat(read(acting)).isEmpty();
        assertThat(read(bob)).isPresent();
    }

    @Test
    void proofOfATokenWithoutASession_endsWithThisToken() {
        LoginParts single = new LoginParts(
                List.of("latchkey.login.refresh.enabled=false"), (context, options) -> options, accounts);
        String bob = ((IssuedTokens) single.login().login(given("bob"), HERE).orElseThrow())
                .access()
                .value();
        String proved = single.stepUp()
                .prove(bob, given("bob"), Map.of(), HERE, MINUTE)
                .orElseThrow()
                .value();
        assertThat(single.inspection().claimsOf(proved, "any client")).containsEntry("sub", "bob");
        single.revocation().revoke(bob);
        assertThat(single.inspection().claimsOf(proved, "any client")).isEmpty();
    }

    @Test
    void newProof_isInTheToken_ofTheSameAccountAlone() {
        String alice = login("alice");
        Map<String, Secret> code = Map.of("code", Secret.of(StepPlugin.CODE));
        parts.pass(Duration.ofMinutes(10));
        AccessToken proved =
                parts.stepUp().prove(alice, given("alice"), code, HERE, MINUTE).orElseThrow();
        assertThat(proved.lifetime()).isEqualTo(MINUTE);
        Factors factors = read(proved.value()).orElseThrow().factors();
        assertThat(factors.methods()).contains("otp");
        assertThat(factors.at())
                .isAfter(read(alice).orElseThrow().factors().at().plusSeconds(500));
        assertThat(parts.stepUp().prove(alice, given("bob"), code, HERE, MINUTE))
                .isEmpty();
        assertThat(parts.stepUp().prove(alice, given("alice"), Map.of(), HERE, MINUTE))
                .isEmpty();
        assertThat(parts.stepUp().prove(alice + "x", given("alice"), code, HERE, MINUTE))
                .isEmpty();
    }

    @Test
    void revokedToken_isNoSessionForANewProof() {
        String bob = login("bob");
        assertThat(parts.stepUp().prove(bob, given("bob"), Map.of(), HERE, MINUTE))
                .isPresent();
        parts.revocation().revoke(bob);
        assertThat(parts.stepUp().prove(bob, given("bob"), Map.of(), HERE, MINUTE))
                .isEmpty();
    }

    /** A database may compare names without their case. */
    @Test
    void actingToken_needsTheIdOfTheAccount_asThePluginWritesTheId() {
        LoginParts ofAlice = new LoginParts(
                List.of(), (context, options) -> options, accounts, new RefreshScene.Accounts("directory"));
        String bob = ((IssuedTokens) ofAlice.login().login(given("bob"), HERE).orElseThrow())
                .access()
                .value();
        ActingTokens acting = ofAlice.acting((actor, other) -> true);
        assertThat(acting.actAs(bob, "directory:ALICE", MINUTE)).isEmpty();
        assertThat(acting.actAs(bob, "directory:alice", MINUTE)).isPresent();
    }

    @Test
    void optionsThatARefreshCouldNotRepeat_leaveTheRefreshTokenOut() {
        for (TokenOptions options : List.of(
                TokenOptions.defaults().withAudience("orders"),
                TokenOptions.defaults().withClaim("tenant", "north"))) {
            LoginOutcome outcome = parts.issuer()
                    .issue(local("bob", "ROLE_USER"), HERE, options)
                    .orElseThrow();
            assertThat(((IssuedTokens) outcome).refresh()).isEmpty();
        }
    }

    @Test
    void localLogin_getsTokens_withTheAuthoritiesOfTheLogin() {
        IssuedTokens tokens = issued(local("bob", "ROLE_USER"));
        assertThat(tokens.refresh()).isPresent();
        IssuedTokens other = issued(local("bob", "ROLE_OTHER"));
        assertThat(other.refresh())
                .as("a refresh would give the account's authorities")
                .isEmpty();
        assertThat(other.subject().authorities()).containsExactly("ROLE_OTHER");
        assertThat(issued(new LatchkeyAuthentication(Subject.of("bob").withAuthorities("ROLE_USER")))
                        .refresh())
                .isPresent();
    }

    @Test
    void accountThatIsNotActive_getsNoTokens() {
        accounts.disable("bob");
        assertThat(parts.issuer().issue(local("bob", "ROLE_USER"))).isEmpty();
        assertThat(parts.issuer().issue(local("oauth2:x", "ROLE_USER"))).isEmpty();
    }

    @Test
    void stepOfTheAccount_isAskedFirst_unlessItIsProved() {
        assertThat(parts.issuer().issue(local("alice", "ROLE_USER"))).containsInstanceOf(NextStep.class);
        assertThat(parts.issuer()
                        .issue(
                                local("alice", "ROLE_USER"),
                                HERE,
                                TokenOptions.defaults().withProved("otp")))
                .containsInstanceOf(IssuedTokens.class);
    }

    @Test
    void incompleteAndForeignLogins_getNone() {
        for (Authentication login : List.of(
                UsernamePasswordAuthenticationToken.unauthenticated("bob", "x"),
                new AnonymousAuthenticationToken("k", "anonymous", AuthorityUtils.createAuthorityList("ROLE_X")),
                LatchkeyAuthentication.ofOneRequest(Subject.of("bob"), Factors.none()),
                new TestingAuthenticationToken("bob", "x", "ROLE_USER"))) {
            assertThatThrownBy(() -> parts.issuer().issue(login)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void loginOfAnotherKind_isThatOfTheAccountThatTheServiceNames() {
        Authentication other = new TestingAuthenticationToken("x", "x", "ROLE_X");
        LoginOutcome outcome = parts.issuer()
                .issue(other, HERE, TokenOptions.defaults().asAccount("bob"))
                .orElseThrow();
        assertThat(((IssuedTokens) outcome).subject())
                .isEqualTo(Subject.of("bob").withAuthorities("ROLE_USER"));
    }

    private IssuedTokens issued(Authentication login) {
        return (IssuedTokens) parts.issuer().issue(login).orElseThrow();
    }

    private static Authentication local(String name, String authority) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(authority));
    }
}
