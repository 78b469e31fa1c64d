package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.LoginTime;
import dev.latchkey.auth.spring.plugin.DatedUserDetails;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;
import org.springframework.security.web.webauthn.api.Bytes;
import org.springframework.security.web.webauthn.api.ImmutablePublicKeyCredentialUserEntity;
import org.springframework.security.web.webauthn.authentication.WebAuthnAuthentication;

/** Tokens after each kind of login of Spring Security, and tokens that must not exist. */
class TokenIssuerTest {

    private static final String REFRESH = "latchkey.login.refresh.enabled=true";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    private final WebApplicationContextRunner refreshing = service.withPropertyValues(REFRESH);

    @Test
    void localAccounts_getTokensThatAreRefreshed_howeverTheyLoggedIn() {
        refreshing.run(context -> {
            for (Authentication login : List.of(
                    local(),
                    OneTimeTokenAuthenticationToken.authenticated(alice(), alice().getAuthorities()),
                    passkeyOf("alice"),
                    new LatchkeyAuthentication(Subject.of("alice").withAuthorities("ROLE_USER")))) {
                IssuedTokens tokens = issued(context, login);
                assertThat(subjectOf(context, tokens))
                        .isEqualTo(Subject.of("alice").withAuthorities("ROLE_USER"));
                IssuedTokens next = context.getBean(RefreshableLogins.class)
                        .refresh(tokens.refresh().orElseThrow().text())
                        .orElseThrow();
                assertThat(subjectOf(context, next).id()).isEqualTo("alice");
            }
        });
    }

    @Test
    void loginsAtProviders_areSubjectsOfTheirOwn_withoutRefreshToken() {
        refreshing.run(context -> {
            IssuedTokens oidc = issued(context, oidc("alice"));
            assertThat(subjectOf(context, oidc))
                    .isEqualTo(Subject.of("oauth2:google:alice").withAuthorities("OIDC_USER"));
            assertThat(oidc.refresh()).isEmpty();
            IssuedTokens saml = issued(context, saml("alice"));
            assertThat(subjectOf(context, saml))
                    .isEqualTo(Subject.of("saml2:okta:alice").withAuthorities("ROLE_SAML"));
            assertThat(saml.refresh()).isEmpty();
        });
    }

    @Test
    void localAccountWithTheNameOfAProvidersSubject_isLetInNowhere() {
        Services.web()
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .withBean(
                        UserDetailsService.class,
                        () -> new InMemoryUserDetailsManager(User.withUsername("oauth2:google:alice")
                                .password("{noop}secret")
                                .authorities("ROLE_USER")
                                .build()))
                .run(context -> {
                    AuthChain plugins = context.getBean(AuthChain.class);
                    assertThat(plugins.authenticate(
                                    new PasswordCredentials("oauth2:google:alice", Secret.of("secret"))))
                            .isInstanceOf(Rejected.class);
                    UserDetails account =
                            context.getBean(UserDetailsService.class).loadUserByUsername("oauth2:google:alice");
                    assertThat(context.getBean(TokenIssuer.class)
                                    .issue(UsernamePasswordAuthenticationToken.authenticated(
                                            account, null, account.getAuthorities())))
                            .isEmpty();
                });
    }

    @Test
    void sharedProvider_hasNoTokensForALocalAccountThatMayNotLogIn() {
        Services.web()
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.shared-subjects=users,oauth2:google")
                .withBean(
                        UserDetailsService.class,
                        () -> new InMemoryUserDetailsManager(User.withUsername("alice")
                                .password("{noop}secret")
                                .authorities("ROLE_USER")
                                .disabled(true)
                                .build()))
                .run(context -> {
                    TokenIssuer issuer = context.getBean(TokenIssuer.class);
                    assertThat(issuer.issue(oidc("alice"))).isEmpty();
                    assertThat(issuer.issue(oidc("bob"))).isPresent();
                });
    }

    @Test
    void sharedProvider_keepsItsNames_butNoneOfAnotherSource() {
        service.withPropertyValues("latchkey.shared-subjects=oauth2:google").run(context -> {
            assertThat(subjectOf(context, issued(context, oidc("alice"))).id()).isEqualTo("alice");
            assertThat(subjectOf(context, issued(context, saml("alice"))).id()).isEqualTo("saml2:okta:alice");
            assertThat(context.getBean(TokenIssuer.class).issue(oidc("saml2:okta:alice")))
                    .isEmpty();
        });
    }

    @Test
    void mappedLogin_isTheAccount_withItsAuthoritiesAndARefreshToken() {
        refreshing.run(context -> {
            IssuedTokens tokens =
                    issued(context, oidc("4711"), TokenOptions.defaults().asAccount("alice"));
            assertThat(subjectOf(context, tokens)).isEqualTo(Subject.of("alice").withAuthorities("ROLE_USER"));
            assertThat(tokens.refresh()).isPresent();
            assertThat(issue(context, oidc("4711"), TokenOptions.defaults().asAccount("nobody")))
                    .isEmpty();
        });
    }

    @Test
    void disabledAccount_getsNoToken() {
        refreshing.run(context -> {
            context.getBean(InMemoryUserDetailsManager.class)
                    .updateUser(User.withUserDetails(alice()).disabled(true).build());
            assertThat(context.getBean(TokenIssuer.class).issue(local())).isEmpty();
            assertThat(issue(context, oidc("4711"), TokenOptions.defaults().asAccount("alice")))
                    .isEmpty();
        });
    }

    @Test
    void switchedUser_getsNoTokens_unlessTheServiceNamesTheAccount() {
        service.run(context -> {
            Authentication switched = UsernamePasswordAuthenticationToken.authenticated(
                    "alice", null, List.of(new SwitchUserGrantedAuthority("ROLE_PREVIOUS_ADMINISTRATOR", local())));
            TokenIssuer issuer = context.getBean(TokenIssuer.class);
            assertThat(issuer.issue(switched)).isEmpty();
            assertThat(issuer.issue(
                            switched,
                            RequestContext.none(),
                            TokenOptions.defaults().asAccount("alice")))
                    .containsInstanceOf(IssuedTokens.class);
        });
    }

    @Test
    void loginWithFewerAuthorities_getsNoMore_norByARefresh() {
        refreshing.run(context -> {
            IssuedTokens tokens = issued(
                    context,
                    UsernamePasswordAuthenticationToken.authenticated(
                            alice(), null, AuthorityUtils.createAuthorityList("ROLE_HALF_WAY")));
            assertThat(subjectOf(context, tokens).authorities()).containsExactly("ROLE_HALF_WAY");
            assertThat(tokens.refresh()).isEmpty();
        });
    }

    @Test
    void incompleteLogin_getsNoTokens() {
        service.run(context -> {
            TokenIssuer issuer = context.getBean(TokenIssuer.class);
            Jwt jwt = Jwt.withTokenValue("t")
                    .header("alg", "HS256")
                    .subject("alice")
                    .build();
            for (Authentication none : List.of(
                    UsernamePasswordAuthenticationToken.unauthenticated("alice", "secret"),
                    new AnonymousAuthenticationToken("k", "anonymous", AuthorityUtils.createAuthorityList("ROLE_X")),
                    LatchkeyAuthentication.ofOneRequest(Subject.of("alice"), Factors.none()),
                    new JwtAuthenticationToken(jwt, List.of()),
                    // By a converter of the service's own.
                    UsernamePasswordAuthenticationToken.authenticated(alice(), jwt, alice().getAuthorities()),
                    new TestingAuthenticationToken("alice", "", "ROLE_USER"))) {
                assertThatIllegalArgumentException().isThrownBy(() -> issuer.issue(none));
            }
        });
    }

    @Test
    void secondStep_isAsked_andTheLoginGoesOnWithItsOptions() {
        refreshing.withBean("codes", AuthPlugin.class, StepPlugin::new).run(context -> {
            TokenOptions options = TokenOptions.defaults()
                    .withLifetime(Duration.ofMinutes(1))
                    .withAnswer(tokens -> Map.of("kind", "sms"));
            for (Authentication login : List.of(local(), oidc("alice"))) {
                NextStep step = (NextStep) issue(context, login, options).orElseThrow();
                assertThat(step.method()).isEqualTo("otp");
                IssuedTokens tokens = (IssuedTokens) context.getBean(TokenLogin.class)
                        .goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), RequestContext.none())
                        .orElseThrow();
                assertThat(tokens.access().lifetime()).isEqualTo(Duration.ofMinutes(1));
                assertThat(tokens.answer()).isEqualTo(Map.of("kind", "sms"));
            }
        });
    }

    /** The step belongs to the client IP of the login. */
    @Test
    void stepOfALoginWithinARequest_isAnsweredByItsClient() {
        RequestContext home = RequestContext.of(name -> List.of(), () -> Optional.of("198.51.100.7"));
        service.withBean("codes", AuthPlugin.class, StepPlugin::new).run(context -> {
            NextStep step = CurrentRequest.with(home, CurrentLogin.here()).call(() ->
                    (NextStep) context.getBean(TokenIssuer.class).issue(local()).orElseThrow());
            assertThat(context.getBean(TokenLogin.class)
                            .goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), home))
                    .containsInstanceOf(IssuedTokens.class);
        });
    }

    /** Neither login has a stamp: the first is of a session, the second has other authorities than the account. */
    @Test
    void accountThatChangesBetweenTheSteps_getsNoTokens_withoutAStampToo() {
        refreshing.withBean("codes", AuthPlugin.class, StepPlugin::new).run(context -> {
            InMemoryUserDetailsManager users = context.getBean(InMemoryUserDetailsManager.class);
            UserDetails before = users.loadUserByUsername("alice");
            Authentication half = UsernamePasswordAuthenticationToken.authenticated(
                    alice(), null, AuthorityUtils.createAuthorityList("ROLE_HALF_WAY"));
            List<Callable<Optional<LoginOutcome>>> logins = List.of(
                    () -> inASessionSince(
                            Instant.now().minusSeconds(1), () -> issue(context, local(), TokenOptions.defaults())),
                    () -> issue(context, half, TokenOptions.defaults()));
            List<Runnable> changes = List.of(
                    () -> users.updateUser(
                            User.withUserDetails(before).disabled(true).build()),
                    () -> users.updateUser(
                            User.withUserDetails(before).password("{noop}new").build()),
                    () -> users.deleteUser("alice"));
            for (Callable<Optional<LoginOutcome>> login : logins) {
                for (Runnable change : changes) {
                    NextStep step = (NextStep) login.call().orElseThrow();
                    change.run();
                    assertThat(answered(context, step)).isEmpty();
                    users.deleteUser("alice");
                    users.createUser(before);
                }
                assertThat(answered(context, (NextStep) login.call().orElseThrow()))
                        .containsInstanceOf(IssuedTokens.class);
            }
        });
    }

    private static Optional<LoginOutcome> answered(ApplicationContext context, NextStep step) {
        return context.getBean(TokenLogin.class)
                .goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), RequestContext.none());
    }

    @Test
    void stepThatTheLoginHad_isNotAskedAgain_whereTheServiceOrASecondFactorSaysSo() {
        service.withBean("codes", AuthPlugin.class, StepPlugin::new).run(context -> {
            IssuedTokens stated =
                    issued(context, local(), TokenOptions.defaults().withProved("otp"));
            assertThat(stated.access().value()).isNotEmpty();
            Collection<String> both = List.of("ROLE_USER", "FACTOR_PASSWORD", "FACTOR_OTT");
            IssuedTokens proved = issued(
                    context,
                    UsernamePasswordAuthenticationToken.authenticated(
                            alice(), null, AuthorityUtils.createAuthorityList(both.toArray(String[]::new))));
            assertThat(authenticated(context, proved).factors().methods()).containsExactlyInAnyOrder("pwd", "otp");
            assertThat(subjectOf(context, proved).authorities()).containsExactly("ROLE_USER");
            Authentication magicLink = OneTimeTokenAuthenticationToken.authenticated(
                    alice(), AuthorityUtils.createAuthorityList("ROLE_USER", "FACTOR_OTT"));
            assertThat(issue(context, magicLink, TokenOptions.defaults())).get().isInstanceOf(NextStep.class);
        });
    }

    @Test
    void accountThatIsFull_andOneThatIsBarred_getNothing() {
        refreshing
                .withPropertyValues("latchkey.login.max-per-account=1", "latchkey.login.when-full=refuse")
                .run(context -> {
                    assertThat(issue(context, local(), TokenOptions.defaults()))
                            .get()
                            .isInstanceOf(IssuedTokens.class);
                    assertThat(issue(context, local(), TokenOptions.defaults())).contains(AccountFull.ACCOUNT_FULL);
                    context.getBean(AuthChain.class).revokeAll("alice", Instant.MAX);
                    assertThat(issue(context, local(), TokenOptions.defaults())).isEmpty();
                });
    }

    @Test
    void revocationOfAProvidersSubject_endsItsTokens_andNoLocalOnes() {
        service.run(context -> {
            IssuedTokens oidc = issued(context, oidc("alice"));
            IssuedTokens own = issued(context, local());
            context.getBean(AuthChain.class).revokeAll("oauth2:google:alice", Instant.now());
            assertThat(verdict(context, oidc)).isInstanceOf(Rejected.class);
            assertThat(verdict(context, own)).isInstanceOf(Authenticated.class);
        });
    }

    @Test
    void options_setLifetimeClaimsAndAudience_andLeaveOutWhatARefreshCouldNotRepeat() {
        refreshing.withPropertyValues("latchkey.jwt.max-lifetime=30d").run(context -> {
            IssuedTokens tokens = issued(
                    context,
                    local(),
                    TokenOptions.defaults()
                            .withLifetime(Duration.ofDays(30))
                            .withClaim("tenant", "north")
                            .withAudience("orders"));
            assertThat(tokens.access().lifetime()).isEqualTo(Duration.ofDays(30));
            assertThat(tokens.refresh()).isEmpty();
            var jwt = context.getBean(JwtVerifier.class)
                    .expectingAudience("orders")
                    .verifyOrThrow(tokens.access().value());
            assertThat(jwt.claims()).containsEntry("tenant", "north");
            assertThat(verdict(context, tokens)).isInstanceOf(Rejected.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            issue(context, local(), TokenOptions.defaults().withLifetime(Duration.ofDays(31))))
                    .withMessageContaining("latchkey.jwt.max-lifetime");
        });
    }

    @Test
    void revocationOutlivesTheLongestTokenThatALoginMayAskFor() {
        AdvancingClock clock = new AdvancingClock();
        service.withPropertyValues("latchkey.jwt.max-lifetime=30d")
                .withBean("latchkeyClock", InstantSource.class, () -> clock)
                .run(context -> {
                    IssuedTokens tokens =
                            issued(context, local(), TokenOptions.defaults().withLifetime(Duration.ofDays(30)));
                    context.getBean(AuthChain.class).revokeAll("alice", clock.instant());
                    clock.now = clock.now.plus(Duration.ofDays(29));
                    context.getBean(RevocationStore.class).revokeSubject("other", clock.instant());
                    assertThat(verdict(context, tokens)).isInstanceOf(Rejected.class);
                });
    }

    /** The session of a deleted account, and the account made anew. */
    @Test
    void loginOlderThanItsAccount_getsNoTokens() {
        Instant now = Instant.now();
        refreshing(now.minusSeconds(60)).run(context -> {
            for (Authentication old : List.of(
                    local(), new LatchkeyAuthentication(Subject.of("alice").withAuthorities("ROLE_USER")))) {
                assertThat(inASessionSince(
                                now.minusSeconds(61),
                                () -> context.getBean(TokenIssuer.class).issue(old)))
                        .isEmpty();
                assertThat(inASessionSince(
                                now.minusSeconds(59),
                                () -> context.getBean(TokenIssuer.class).issue(old)))
                        .isPresent();
            }
            Authentication proved = new LatchkeyAuthentication(
                    Subject.of("alice").withAuthorities("ROLE_USER"),
                    Factors.of(now.minusSeconds(61), Factors.PASSWORD));
            assertThat(context.getBean(TokenIssuer.class).issue(proved)).isEmpty();
        });
    }

    @Test
    void accountMadeByItsFirstLogin_getsTokens() {
        Instant now = Instant.now();
        refreshing(now.plusSeconds(1))
                .run(context -> assertThat(inARequestSince(
                                now, () -> context.getBean(TokenIssuer.class).issue(local())))
                        .isPresent());
    }

    @Test
    void loginBeforeAChangeOfThePassword_getsNoTokens() {
        refreshing.run(context -> {
            UserDetails checked = context.getBean(UserDetailsService.class).loadUserByUsername("alice");
            Authentication login =
                    UsernamePasswordAuthenticationToken.authenticated(checked, null, checked.getAuthorities());
            assertThat(issued(context, login).refresh()).isPresent();
            InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
            accounts.updateUser(
                    User.withUserDetails(checked).password("{noop}new").build());
            assertThat(context.getBean(TokenIssuer.class).issue(login)).isEmpty();
        });
    }

    /** Spring Security has erased the hash, so nothing tells whether the session is of the present password. */
    @Test
    void oldLoginOfAnUnknownPassword_getsNoRefreshToken() {
        refreshing.run(context -> {
            Instant before = Instant.now().minusSeconds(1);
            IssuedTokens tokens = inASessionSince(before, () -> issued(context, local()));
            assertThat(subjectOf(context, tokens).id()).isEqualTo("alice");
            assertThat(tokens.refresh()).isEmpty();
            assertThat(inARequestSince(before, () -> issued(context, local())).refresh())
                    .isPresent();
        });
    }

    @Test
    void revocationSinceTheStartOfTheLogin_leavesNoTokens() {
        refreshing.run(context -> {
            Instant begun = Instant.now().minusSeconds(2);
            context.getBean(AuthChain.class).revokeAll("alice", begun.plusSeconds(1));
            assertThat(inARequestSince(
                            begun, () -> context.getBean(TokenIssuer.class).issue(local())))
                    .isEmpty();
            assertThat(inARequestSince(
                            begun.plusSeconds(2),
                            () -> context.getBean(TokenIssuer.class).issue(local())))
                    .isPresent();
        });
    }

    @Test
    void customizer_seesTheAccountThatWasLoaded_atTheLoginAndAtEachRefresh() {
        TokenCustomizer tenants = (login, options) -> options.withClaim(
                        "flags", login.details(UserDetails.class).orElseThrow().getUsername() + login.isRefresh())
                .withAnswer(tokens -> Map.of("id_token", tokens.access().value()));
        refreshing.withBean(TokenCustomizer.class, () -> tenants).run(context -> {
            IssuedTokens first = (IssuedTokens) context.getBean(TokenLogin.class)
                    .login(new PasswordCredentials("alice", Secret.of(Services.PASSWORD)), RequestContext.none())
                    .orElseThrow();
            assertThat(subjectOf(context, first).claims()).containsEntry("flags", "alicefalse");
            assertThat(first.answer()).containsEntry("id_token", first.access().value());
            IssuedTokens next = context.getBean(RefreshableLogins.class)
                    .refresh(first.refresh().orElseThrow().text())
                    .orElseThrow();
            assertThat(subjectOf(context, next).claims()).containsEntry("flags", "alicetrue");
            assertThat(next.answer()).containsEntry("id_token", next.access().value());
            IssuedTokens after = issued(context, local());
            assertThat(subjectOf(context, after).claims()).containsEntry("flags", "alicefalse");
        });
    }

    private WebApplicationContextRunner refreshing(Instant created) {
        return Services.web()
                .withBean(UserDetailsService.class, () -> name -> new Dated(created))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true", REFRESH);
    }

    /** The account {@code alice}. */
    private record Dated(Instant created) implements DatedUserDetails {

        @Override
        public String getUsername() {
            return "alice";
        }

        @Override
        public String getPassword() {
            return "{noop}secret";
        }

        @Override
        public Collection<GrantedAuthority> getAuthorities() {
            return AuthorityUtils.createAuthorityList("ROLE_USER");
        }
    }

    private static <T> T inARequestSince(Instant begun, Callable<T> work) throws Exception {
        return new LoginTime(begun, null).in(CurrentLogin.here()).call(work);
    }

    private static <T> T inASessionSince(Instant loggedIn, Callable<T> work) throws Exception {
        return new LoginTime(Instant.now(), loggedIn).in(CurrentLogin.here()).call(work);
    }

    private static UserDetails alice() {
        return User.withUsername("alice").password("").authorities("ROLE_USER").build();
    }

    private static Authentication local() {
        return UsernamePasswordAuthenticationToken.authenticated(alice(), null, alice().getAuthorities());
    }

    private static Authentication passkeyOf(String name) {
        return new WebAuthnAuthentication(
                ImmutablePublicKeyCredentialUserEntity.builder()
                        .name(name)
                        .id(Bytes.random())
                        .displayName(name)
                        .build(),
                AuthorityUtils.createAuthorityList("ROLE_USER"));
    }

    static Authentication oidc(String subject) {
        OidcIdToken id = new OidcIdToken(
                "id", Instant.now(), Instant.now().plusSeconds(60), Map.of("sub", subject, "iss", "https://id.test"));
        return new OAuth2AuthenticationToken(
                new DefaultOidcUser(AuthorityUtils.createAuthorityList("OIDC_USER"), id),
                AuthorityUtils.createAuthorityList("OIDC_USER"),
                "google");
    }

    private static Authentication saml(String name) {
        DefaultSaml2AuthenticatedPrincipal principal = new DefaultSaml2AuthenticatedPrincipal(name, Map.of());
        principal.setRelyingPartyRegistrationId("okta");
        return new Saml2Authentication(principal, "<response/>", AuthorityUtils.createAuthorityList("ROLE_SAML"));
    }

    private static Optional<LoginOutcome> issue(
            ApplicationContext context, Authentication login, TokenOptions options) {
        return context.getBean(TokenIssuer.class).issue(login, RequestContext.none(), options);
    }

    private static IssuedTokens issued(ApplicationContext context, Authentication login, TokenOptions options) {
        return (IssuedTokens) issue(context, login, options).orElseThrow();
    }

    private static IssuedTokens issued(ApplicationContext context, Authentication login) {
        return issued(context, login, TokenOptions.defaults());
    }

    private static Verdict verdict(ApplicationContext context, IssuedTokens tokens) {
        Credentials bearer = BearerToken.of(tokens.access().value());
        return context.getBean(AuthChain.class).authenticate(bearer);
    }

    private static Authenticated authenticated(ApplicationContext context, IssuedTokens tokens) {
        return (Authenticated) verdict(context, tokens);
    }

    private static Subject subjectOf(ApplicationContext context, IssuedTokens tokens) {
        return authenticated(context, tokens).subject();
    }

    private static final class AdvancingClock implements InstantSource {
        private volatile Instant now = Instant.now();

        @Override
        public Instant instant() {
            return now;
        }
    }
}
