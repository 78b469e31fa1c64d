package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.endpoint.Accounts;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import dev.latchkey.auth.spring.plugin.TestUsers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;

/** Whose login an authentication of Spring Security is, and what the login has proved. */
class AccountsOfSpringLoginsTest {

    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

    /** The accounts of the service itself. */
    private final Accounts users = new Accounts();

    /** A second source, with an account of the same name: its subject is {@code directory:alice}. */
    private final RefreshScene.Accounts directory = new RefreshScene.Accounts("directory");

    private final AuthChain plugins = chain(Set.of("users"));

    private AuthChain chain(Set<String> shared) {
        return AuthChain.of(users, directory).withSharedSubjects(shared).withOutsideSources(Set.of("oauth2"));
    }

    private static SpringLogins.Found find(AuthChain plugins, Authentication login, TokenOptions options) {
        return new SpringLogins(plugins, () -> NOW).find(login, options);
    }

    private Optional<Authenticated> found(Authentication login) {
        return find(plugins, login, TokenOptions.defaults()).now();
    }

    private static String id(Optional<Authenticated> found) {
        return found.orElseThrow().subject().id();
    }

    private static Authentication local(String name, String... authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(authorities));
    }

    @Test
    void singleMethod_isTheFirstStep_andTwoMethodsAreProved() {
        SpringLogins.Found link = find(plugins, local("alice", "ROLE_USER", "FACTOR_OTT"), TokenOptions.defaults());
        assertThat(link.proved()).isEmpty();
        assertThat(link.now().orElseThrow().factors().methods()).containsExactly("otp");
        SpringLogins.Found both =
                find(plugins, local("alice", "ROLE_USER", "FACTOR_OTT", "FACTOR_PASSWORD"), TokenOptions.defaults());
        assertThat(both.proved()).containsExactlyInAnyOrder("pwd", "otp");
        SpringLogins.Found told = find(
                plugins,
                local("alice", "ROLE_USER", "FACTOR_PASSWORD"),
                TokenOptions.defaults().withProved("sms"));
        assertThat(told.proved()).containsExactly("sms");
        assertThat(told.now().orElseThrow().factors().methods()).containsExactlyInAnyOrder("pwd", "sms");
    }

    @Test
    void proofsAndBlankAuthorities_areNoAuthoritiesOfTheAccount() {
        List<GrantedAuthority> authorities =
                new ArrayList<>(AuthorityUtils.createAuthorityList("ROLE_USER", "FACTOR_PASSWORD"));
        authorities.add(() -> " ");
        Authenticated account = found(UsernamePasswordAuthenticationToken.authenticated("bob", null, authorities))
                .orElseThrow();
        assertThat(account.subject()).isEqualTo(Subject.of("bob").withAuthorities("ROLE_USER"));
        assertThat(account.stamp()).as("the account has the same authorities").isNotNull();
    }

    /** The name of an authority has capitals and underscores alone. */
    @Test
    void methodsOfALoginOfAPlugin_keepTheirNames() {
        Factors factors = Factors.of(NOW, "pwd", "sms-otp", "face.ID");
        SpringLogins.Found found = find(
                plugins,
                new LatchkeyAuthentication(Subject.of("bob").withAuthorities("ROLE_USER"), factors),
                TokenOptions.defaults());
        assertThat(found.proved()).isEqualTo(factors.methods());
        assertThat(found.now().orElseThrow().factors()).isEqualTo(factors);
    }

    @Test
    void loginOfAPlugin_isLookedUpThere() {
        assertThat(found(new LatchkeyAuthentication(Subject.of("stranger")))).isEmpty();
        assertThat(found(new LatchkeyAuthentication(Subject.of("directory:alice"))))
                .map(Authenticated::plugin)
                .contains("directory");
    }

    @Test
    void loginOfOneOfSeveralPlugins_isLookedUpAtTheFirstThatKnowsTheAccount() {
        assertThat(ofOneOfSeveral("bob")).map(Authenticated::plugin).contains("users");
        assertThat(ofOneOfSeveral("disabled")).isEmpty();
        assertThat(ofOneOfSeveral("stranger")).map(Authenticated::plugin).contains("directory");
        directory.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(ofOneOfSeveral("stranger")).isEmpty();
        directory.known = false;
        assertThat(ofOneOfSeveral("stranger")).map(Authenticated::subject).contains(Subject.of("stranger"));
    }

    /** The plugin of the login may look no accounts up, and its account may have another password. */
    @Test
    void loginWithoutAStamp_ofOneOfSeveralPlugins_cannotBeProlonged() {
        Subject bob = Subject.of("bob").withAuthorities("ROLE_USER");
        assertThat(ofOneOfSeveral(new LatchkeyAuthentication(bob)))
                .hasValueSatisfying(account -> assertThat(account.stamp()).isNull());
    }

    /** The local account of the name has an equal stamp: a plugin may take a counter as the stamp. */
    @Test
    void loginWithAStamp_ofOneOfSeveralPlugins_isLookedUpInItsPluginAlone() {
        directory.stamp = "a stamp";
        Secret stamp = Secret.of("a stamp");
        LatchkeyAuthentication login =
                TestUsers.login(Authenticated.as(Subject.of("alice").withAuthorities("ROLE_USER"))
                        .withStamp(stamp)
                        .decidedBy("directory"));
        assertThat(ofOneOfSeveral(login)).hasValueSatisfying(account -> {
            assertThat(account.plugin()).isEqualTo("directory");
            assertThat(stamp.matches(account.stamp())).isTrue();
        });
        directory.stamp = "another stamp";
        assertThat(ofOneOfSeveral(login)).isEmpty();
        directory.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(ofOneOfSeveral(login)).isEmpty();
        directory.known = false;
        assertThat(ofOneOfSeveral(login)).isEmpty();
    }

    /** A passkey knows its owner, and is no account. Otherwise the login would need no passkey. */
    @Test
    void registeredCredentials_areNoAccountOfALogin() {
        AuthChain shared =
                AuthChain.of(new Registered(), users, directory).withSharedSubjects(Set.of("users", "directory"));
        LatchkeyAuthentication login = new LatchkeyAuthentication(Subject.of("stranger"));
        assertThat(find(shared, login, TokenOptions.defaults()).now())
                .map(Authenticated::plugin)
                .contains("directory");
    }

    private record Passkey() implements RegisteredCredentials {}

    private static final class Registered implements LoginSource<Passkey> {
        @Override
        public String name() {
            return "passkeys";
        }

        @Override
        public Class<Passkey> kind() {
            return Passkey.class;
        }

        @Override
        public Decision authenticate(Passkey credentials, RequestContext context) {
            return Decision.abstained();
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return Optional.of(Authenticated.as(Subject.of(subjectId)));
        }
    }

    private Optional<Authenticated> ofOneOfSeveral(String id) {
        return ofOneOfSeveral(new LatchkeyAuthentication(Subject.of(id)));
    }

    private Optional<Authenticated> ofOneOfSeveral(LatchkeyAuthentication login) {
        AuthChain shared = chain(Set.of("users", "directory"));
        return find(shared, login, TokenOptions.defaults()).now();
    }

    @Test
    void loginAtAProvider_hasTheNameOfItsSource_withoutAnAccount() {
        Authenticated login = found(TokenIssuerTest.oidc("disabled")).orElseThrow();
        assertThat(login.subject())
                .isEqualTo(Subject.of("oauth2:google:disabled").withAuthorities("OIDC_USER"));
        assertThat(login.stamp()).isNull();
    }

    @Test
    void loginAtASharedProvider_hasThePlainName_unlessTheLocalAccountMayNotLogIn() {
        AuthChain shared = chain(Set.of("users", "oauth2:google"));
        assertThat(id(find(shared, TokenIssuerTest.oidc("bob"), TokenOptions.defaults())
                        .now()))
                .isEqualTo("bob");
        assertThat(id(find(shared, TokenIssuerTest.oidc("stranger"), TokenOptions.defaults())
                        .now()))
                .isEqualTo("stranger");
        assertThat(find(shared, TokenIssuerTest.oidc("disabled"), TokenOptions.defaults())
                        .now())
                .isEmpty();
        AuthChain without = AuthChain.of(directory).withSharedSubjects(Set.of("directory", "oauth2:google"));
        assertThat(id(find(without, TokenIssuerTest.oidc("disabled"), TokenOptions.defaults())
                        .now()))
                .isEqualTo("disabled");
    }

    @Test
    void localLogin_hasNoNameOfAnotherSource_andNoInvalidName() {
        assertThat(found(local("directory:alice"))).isEmpty();
        assertThat(found(local("oauth2:google:alice"))).isEmpty();
        assertThat(found(local(""))).isEmpty();
        assertThat(found(local("disabled"))).isEmpty();
        assertThat(id(found(local("alice")))).isEqualTo("alice");
    }

    @Test
    void accountThatTheServiceNames_isOfTheServiceItself_orOfTheSourceInItsName() {
        AuthChain shared = chain(Set.of("users", "directory"));
        for (AuthChain each : List.of(plugins, shared)) {
            Authenticated bob = named("bob", each).orElseThrow();
            assertThat(bob.plugin()).isEqualTo("users");
            assertThat(bob.subject().authorities()).containsExactly("ROLE_USER");
        }
        assertThat(named("directory:alice", plugins)).map(Authenticated::plugin).contains("directory");
        assertThat(named("disabled", plugins)).isEmpty();
        assertThat(named("oauth2:google:alice", plugins)).isEmpty();
    }

    @Test
    void accountThatSeveralPluginsMayHave_needsItsSource() {
        AuthChain two = AuthChain.of(directory, new RefreshScene.Accounts("archive"))
                .withSharedSubjects(Set.of("directory", "archive"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> named("alice", two))
                .withMessage("The account 'alice' is not of exactly one plugin with accounts; the plugins are "
                        + two.pluginNames());
    }

    private static Optional<Authenticated> named(String account, AuthChain plugins) {
        return find(plugins, local("x"), TokenOptions.defaults().asAccount(account))
                .now();
    }
}
