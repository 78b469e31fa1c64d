package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.FeatureBans;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.account.LoginListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Support acts as a customer: the permission, the content of the token, and the end. */
class ActingTokensTest {

    private static final Duration LIFETIME = Duration.ofMinutes(30);

    private Instant now = Instant.parse("2026-11-24T10:00:00Z");
    private final List<String> told = new ArrayList<>();

    private final WebApplicationContextRunner strict = Services.web()
            .withUserConfiguration(Accounts.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");
    private final WebApplicationContextRunner service = strict.withUserConfiguration(Rule.class)
            .withBean(LoginListener.class, () -> new LoginListener() {
                @Override
                public void acting(String actorId, String subjectId) {
                    told.add(actorId + " as " + subjectId);
                }
            });

    @Test
    void token_isTheOtherAccounts_andNamesWhoActs() {
        service.run(context -> {
            String acting = actAs(context, login(context, "support"), "alice");
            assertThat(who(context, acting)).isEqualTo("200 alice [ROLE_USER] by support");
            assertThat(context.getBean(JwtVerifier.class)
                            .verify(acting)
                            .verified()
                            .orElseThrow()
                            .claims())
                    .containsEntry("act", Map.of("sub", "support"))
                    .containsEntry("sub", "alice");
            assertThat(told).containsExactly("support as alice");
            now = now.plus(LIFETIME);
            assertThat(who(context, acting)).startsWith("401");
        });
    }

    @Test
    void withoutARule_thereIsNoSuchToken() {
        strict.run(context -> assertThat(context).doesNotHaveBean(ActingTokens.class));
    }

    @Test
    void whomTheRuleRefuses_unknownAndDisabledAccounts_andOneself_getNoToken() {
        service.run(context -> {
            String support = login(context, "support");
            assertThat(actAs(context, login(context, "alice"), "support")).isEmpty();
            assertThat(actAs(context, support, "root")).isEmpty();
            assertThat(actAs(context, support, "nobody")).isEmpty();
            assertThat(actAs(context, support, "disabled")).isEmpty();
            assertThat(actAs(context, support, "support")).isEmpty();
            assertThat(actAs(context, support, "\n")).isEmpty();
            assertThat(actAs(context, support + "x", "alice")).isEmpty();
            assertThat(told).isEmpty();
        });
    }

    @Test
    void actorThatWasDisabled_getsNoFurtherToken() {
        service.run(context -> {
            String support = login(context, "support");
            assertThat(actAs(context, support, "alice")).isNotEmpty();
            InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
            UserDetails account = accounts.loadUserByUsername("support");
            accounts.updateUser(User.withUserDetails(account).disabled(true).build());
            assertThat(who(context, support)).startsWith("200");
            assertThat(actAs(context, support, "alice")).isEmpty();
            assertThat(told).containsExactly("support as alice");
            accounts.updateUser(account);
            assertThat(actAs(context, support, "alice")).isNotEmpty();
        });
    }

    @Test
    void actorWithoutAnAccountInAPlugin_mayAct() {
        service.run(context -> {
            String robot = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("robot", LIFETIME)
                            .withId("1")
                            .withIssuedAt(now)
                            .with("authorities", List.of("ROLE_SUPPORT")));
            assertThat(who(context, actAs(context, robot, "alice"))).isEqualTo("200 alice [ROLE_USER] by robot");
        });
    }

    @Test
    void tokenOfAClient_keepsTheClient() {
        service.run(context -> {
            String support = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("support", LIFETIME)
                            .withId("1")
                            .withIssuedAt(now)
                            .with("client_id", "desk")
                            .with("authorities", List.of("ROLE_SUPPORT")));
            JwtVerifier verifier = context.getBean(JwtVerifier.class);
            assertThat(verifier.verifyOrThrow(actAs(context, support, "alice")).text("client_id"))
                    .hasValue("desk");
            assertThat(verifier.verifyOrThrow(actAs(context, login(context, "support"), "alice"))
                            .text("client_id"))
                    .isEmpty();
        });
    }

    @Test
    void callerThatActs_canNeitherActOnAsAThirdAccount_norProveTheLoginAfresh() {
        service.run(context -> {
            String acting = actAs(context, login(context, "support"), "clerk");
            assertThat(who(context, acting)).startsWith("200 clerk [ROLE_SUPPORT]");
            assertThat(actAs(context, acting, "alice")).isEmpty();
            assertThat(context.getBean(StepUp.class)
                            .prove(
                                    acting,
                                    new PasswordCredentials("clerk", Secret.of(Services.PASSWORD)),
                                    Map.of(),
                                    RequestContext.none(),
                                    LIFETIME))
                    .isEmpty();
        });
    }

    @Test
    void logoutAndRevocationOfEither_endTheActing_withAndWithoutRefreshTokens() {
        for (String refresh : List.of("false", "true")) {
            service.withPropertyValues("latchkey.login.refresh.enabled=" + refresh)
                    .run(context -> {
                        String support = login(context, "support");
                        String acting = actAs(context, support, "alice");
                        context.getBean(TokenRevocation.class).revoke(support);
                        assertThat(who(context, acting)).startsWith("401");
                        for (String either : List.of("support", "alice")) {
                            String again = actAs(context, login(context, "support"), "alice");
                            assertThat(who(context, again)).startsWith("200");
                            context.getBean(AuthChain.class).revokeAll(either, now);
                            assertThat(who(context, again)).startsWith("401");
                            now = now.plusSeconds(5);
                        }
                    });
        }
    }

    @Test
    void logoutWithTheToken_endsTheActingAlone() {
        service.withPropertyValues("latchkey.login.refresh.enabled=true").run(context -> {
            String support = login(context, "support");
            String acting = actAs(context, support, "alice");
            String other = actAs(context, support, "alice");
            Services.mvc(context).perform(post("/auth/logout").header("Authorization", "Bearer " + acting));
            assertThat(who(context, acting)).startsWith("401");
            assertThat(who(context, other)).startsWith("200");
            assertThat(who(context, support)).startsWith("200 support");
            assertThat(context.getBean(LoginControl.class).of("support")).hasSize(1);
            assertThat(context.getBean(LoginControl.class).of("alice")).isEmpty();
            assertThat(context.getBean(LoginControl.class).endAll("support")).isOne();
            assertThat(who(context, other)).startsWith("401");
        });
    }

    @Test
    void callerThatActs_neitherSeesNorEndsSessionsOfEither() {
        service.withPropertyValues("latchkey.login.refresh.enabled=true", "latchkey.login.logins.enabled=true")
                .run(context -> {
                    String support = login(context, "support");
                    login(context, "alice");
                    String acting = actAs(context, support, "alice");
                    for (MockHttpServletRequestBuilder request : List.of(
                            get("/auth/logins"),
                            delete("/auth/logins/" + session(context, "alice")),
                            delete("/auth/logins/" + session(context, "support")))) {
                        MockHttpServletResponse response = Services.mvc(context)
                                .perform(request.header("Authorization", "Bearer " + acting))
                                .andReturn()
                                .getResponse();
                        assertThat(response.getStatus()).isEqualTo(403);
                        assertThat(response.getContentType()).startsWith("application/problem+json");
                    }
                    assertThat(context.getBean(LoginControl.class).of("alice")).hasSize(1);
                    assertThat(context.getBean(LoginControl.class).of("support"))
                            .hasSize(1);
                });
    }

    private static String session(ApplicationContext context, String account) {
        return context.getBean(LoginControl.class).of(account).get(0).id();
    }

    @Test
    void banOfEither_deniesTheFeature() {
        service.withPropertyValues("latchkey.permissions.features=true", "latchkey.plugins=users,jwt,features")
                .run(context -> {
                    FeatureBans bans = context.getBean(FeatureBans.class);
                    String support = login(context, "support");
                    String acting = actAs(context, support, "alice");
                    assertThat(mayRefund(context, acting)).isTrue();
                    for (String either : List.of("alice", "support")) {
                        bans.ban(either, "refund", Instant.MAX);
                        assertThat(mayRefund(context, acting)).as(either).isFalse();
                        bans.lift(either, "refund");
                        assertThat(mayRefund(context, acting)).isTrue();
                    }
                });
    }

    private static boolean mayRefund(ApplicationContext context, String token) {
        AuthChain plugins = context.getBean(AuthChain.class);
        Subject subject = ((Authenticated) plugins.authenticate(BearerToken.of(token))).subject();
        return plugins.authorize(subject, new Permission("feature:refund", "use"));
    }

    @Test
    void claimOfACustomizer_namesNobodyWhoActs() {
        service.withBean(
                        TokenCustomizer.class,
                        () -> (login, options) ->
                                options.withClaim("act", "root").withClaim("region", "eu"))
                .run(context -> {
                    String login = login(context, "alice");
                    assertThat(context.getBean(JwtVerifier.class)
                                    .verify(login)
                                    .verified()
                                    .orElseThrow()
                                    .claims())
                            .containsEntry("region", "eu")
                            .doesNotContainKey("act");
                    assertThat(who(context, login)).isEqualTo("200 alice [ROLE_USER] by null");
                    String acting = actAs(context, login(context, "support"), "alice");
                    assertThat(who(context, acting)).isEqualTo("200 alice [ROLE_USER] by support");
                });
    }

    @Test
    void actor_isNotLost_beside32Attributes_andBeside2048Characters() {
        TokenCustomizer many = (login, options) -> {
            for (int i = 0; i < 32; i++) {
                options = options.withClaim("c" + i, true);
            }
            return options;
        };
        TokenCustomizer large = (login, options) -> options.withClaim("a", "x".repeat(2_047));
        for (TokenCustomizer customizer : List.of(many, large)) {
            service.withBean(TokenCustomizer.class, () -> customizer).run(context -> {
                String acting = actAs(context, login(context, "support"), "alice");
                assertThat(who(context, acting)).isEqualTo("200 alice [ROLE_USER] by support");
                Subject subject = ((Authenticated)
                                context.getBean(AuthChain.class).authenticate(BearerToken.of(acting)))
                        .subject();
                assertThat(subject.isOwnLogin()).isFalse();
            });
        }
    }

    @Test
    void claimThatIsNoObject_namesNobodyWhoActs() {
        service.run(context -> {
            String foreign = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", LIFETIME)
                            .withIssuedAt(now)
                            .with("act", "root"));
            assertThat(who(context, foreign)).isEqualTo("200 alice [] by null");
        });
    }

    @Test
    void otherNodeAndWebFlux_takeTheToken_andKnowWhoActs() {
        service.run(context -> {
            String acting = actAs(context, login(context, "support"), "alice");
            ReactiveServices.web()
                    .withBean(ReactiveWho.class)
                    .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
                    .withPropertyValues(
                            "latchkey.jwt.secret=" + Services.KEY,
                            "spring.security.user.name=bob",
                            "latchkey.login.enabled=true")
                    .run(other -> {
                        assertThat(ReactiveServices.client(other)
                                        .get()
                                        .uri("/who")
                                        .header("Authorization", "Bearer " + acting)
                                        .exchange()
                                        .expectBody(String.class)
                                        .returnResult()
                                        .getResponseBody())
                                .isEqualTo("alice by support");
                        other.getBean(AuthChain.class).revokeAll("support", now);
                        ReactiveServices.client(other)
                                .get()
                                .uri("/who")
                                .header("Authorization", "Bearer " + acting)
                                .exchange()
                                .expectStatus()
                                .isUnauthorized();
                    });
        });
    }

    private static String actAs(ApplicationContext context, String token, String account) {
        Optional<AccessToken> issued = context.getBean(ActingTokens.class).actAs(token, account, LIFETIME);
        return issued.map(AccessToken::value).orElse("");
    }

    private static String login(ApplicationContext context, String name) throws Exception {
        return Services.tokenFrom(Services.mvc(context)
                .perform(post("/auth/token")
                        .contentType("application/json")
                        .content(Services.LOGIN.replace("alice", name))));
    }

    private static String who(ApplicationContext context, String token) throws Exception {
        MockHttpServletResponse response = Services.mvc(context)
                .perform(get("/who").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse();
        return response.getStatus() + " " + response.getContentAsString();
    }

    @Configuration(proxyBeanMethods = false)
    static class Rule {

        @Bean
        ActingRule acting() {
            return (actor, account) -> actor.authorities().contains("ROLE_SUPPORT")
                    && !account.authorities().contains("ROLE_ADMIN");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        InMemoryUserDetailsManager accounts() {
            return new InMemoryUserDetailsManager(
                    account("alice", "ROLE_USER").build(),
                    account("support", "ROLE_SUPPORT").build(),
                    account("clerk", "ROLE_SUPPORT").build(),
                    account("root", "ROLE_ADMIN").build(),
                    account("disabled", "ROLE_USER").disabled(true).build());
        }

        private static User.UserBuilder account(String name, String role) {
            UserDetails user = User.withUsername(name)
                    .password(Services.HASH)
                    .authorities(role)
                    .build();
            return User.withUserDetails(user);
        }

        @Bean
        Who who() {
            return new Who();
        }
    }

    @RestController
    static class Who {

        @GetMapping("/who")
        String who(@AuthenticationPrincipal Subject subject) {
            return subject.id() + " " + subject.authorities() + " by "
                    + subject.claims().get("act");
        }
    }

    @RestController
    static class ReactiveWho {

        @GetMapping("/who")
        Mono<String> who(@AuthenticationPrincipal Subject subject) {
            return Mono.just(subject.id() + " by " + subject.claims().get("act"));
        }
    }
}
