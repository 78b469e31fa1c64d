package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.Services;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Introspection gives a resource server the service's own decision. */
class TokenInspectionTest {

    private static final Duration LIFETIME = Duration.ofMinutes(30);
    private static final String CLIENT = "app";
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Accounts.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> NOW)
            .withBean(ActingRule.class, () -> (actor, account) -> actor.id().equals("support"))
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.jwt.old-tokens.look-up-accounts=true",
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.login.introspection=true",
                    "latchkey.login.clients.app.secret=0123456789abcdefghijkl");

    @Test
    void oldTokenOfADisabledAccount_isInactive() {
        service.run(context -> {
            String token = oldToken(context);
            disable(context, "alice");
            assertThat(claimsOf(context, token)).isEmpty();
        });
    }

    @Test
    void oldTokenOfAnActiveAccount_isActive() {
        service.run(context -> assertThat(claimsOf(context, oldToken(context))).containsEntry("sub", "alice"));
    }

    @Test
    void tokenToActAs_namesWhoActs_andEndsWithEitherAccount() {
        service.run(context -> {
            assertThat(claimsOf(context, acting(context)))
                    .containsEntry("sub", "alice")
                    .containsEntry("act", Map.of("sub", "support"));
        });
        for (String either : List.of("alice", "support")) {
            service.run(context -> {
                String token = acting(context);
                disable(context, either);
                assertThat(claimsOf(context, token)).as(either).isEmpty();
            });
        }
    }

    @Test
    void freshProof_isTold() {
        service.run(context -> assertThat(claimsOf(context, proved(context, login(context, "alice"))))
                .containsEntry("amr", List.of("pwd"))
                .containsEntry("auth_time", NOW.getEpochSecond()));
    }

    @Test
    void freshProofOfATokenWithoutASession_isActive_untilThisTokenIsRevoked() {
        service.run(context -> {
            String old = oldToken(context);
            String proved = proved(context, old);
            assertThat(claimsOf(context, proved)).containsEntry("sub", "alice");
            context.getBean(TokenRevocation.class).revoke(old);
            assertThat(claimsOf(context, proved)).isEmpty();
        });
    }

    @Test
    void wrongKeysOfAClient_spendNoLoginLimit() {
        service.withBean("key", AuthPlugin.class, BearerKey::new).run(context -> {
            for (int i = 0; i < 100; i++) {
                assertThat(introspect(context, "key-wrong" + i)).isEqualTo("{\"active\":false}");
            }
            assertThat(introspect(context, "key-good")).contains("\"sub\":\"robot\"");
            assertThat(login(context, "alice")).isNotEmpty();
        });
    }

    @Test
    void keyOfAnAccount_isShownAsAKey() {
        service.withBean("key", AuthPlugin.class, BearerKey::new)
                .run(context -> assertThat(introspect(context, "key-good"))
                        .contains("\"api_key\":\"k1\"")
                        .contains("\"scope\":\"orders.read orders.write\"")
                        .doesNotContain("ROLE_USER"));
    }

    /** Keys in place of bearer tokens, with an account for the login limits. */
    private static final class BearerKey implements LoginSource<BearerKey.Key>, CredentialsReader {

        record Key(String text) implements IssuedCredentials {
            @Override
            public Optional<String> account() {
                return Optional.of("key:" + text);
            }
        }

        @Override
        public String name() {
            return "key";
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("Authorization").stream()
                    .filter(value -> value.startsWith("Bearer key-"))
                    .findFirst()
                    .map(value -> new Key(value.substring("Bearer key-".length())));
        }

        @Override
        public Decision authenticate(Key key, RequestContext context) {
            return key.text().equals("good")
                    ? Authenticated.as(Subject.of("robot")
                            .withClaim(Subject.KEY_CLAIM, "k1")
                            .withAuthorities("SCOPE_orders.write", "ROLE_USER", "SCOPE_orders.read"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    private static String introspect(ApplicationContext context, String token) throws Exception {
        return Services.mvc(context)
                .perform(post("/auth/introspect")
                        .with(httpBasic(CLIENT, "0123456789abcdefghijkl"))
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("token=" + token))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    private static Map<String, Object> claimsOf(ApplicationContext context, String token) {
        return context.getBean(TokenInspection.class).claimsOf(token, CLIENT);
    }

    private static String oldToken(ApplicationContext context) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("alice", LIFETIME).withIssuedAt(NOW));
    }

    private static String acting(ApplicationContext context) throws Exception {
        return context.getBean(ActingTokens.class)
                .actAs(login(context, "support"), "alice", LIFETIME)
                .orElseThrow()
                .value();
    }

    private static String proved(ApplicationContext context, String token) {
        return context.getBean(StepUp.class)
                .prove(
                        token,
                        new PasswordCredentials("alice", Secret.of(Services.PASSWORD)),
                        Map.of(),
                        RequestContext.none(),
                        LIFETIME)
                .orElseThrow()
                .value();
    }

    private static String login(ApplicationContext context, String name) throws Exception {
        return Services.tokenFrom(Services.mvc(context)
                .perform(post("/auth/token")
                        .contentType("application/json")
                        .content(Services.LOGIN.replace("alice", name))));
    }

    private static void disable(ApplicationContext context, String name) {
        InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
        accounts.updateUser(User.withUserDetails(accounts.loadUserByUsername(name))
                .disabled(true)
                .build());
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        InMemoryUserDetailsManager accounts() {
            return new InMemoryUserDetailsManager(account("alice"), account("support"));
        }

        private static UserDetails account(String name) {
            return User.withUsername(name)
                    .password(Services.HASH)
                    .authorities("ROLE_USER")
                    .build();
        }
    }
}
