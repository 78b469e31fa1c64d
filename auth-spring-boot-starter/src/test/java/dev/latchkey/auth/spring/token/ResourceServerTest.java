package dev.latchkey.auth.spring.token;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.ResourceServerChains;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.store.RevocationStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Spring's OAuth2 resource server on Latchkey's decoder: Boot's default chain, a chain of the service, and the
 * back-off.
 */
public class ResourceServerTest {

    private final WebApplicationContextRunner withoutAChain =
            Services.resourceServer().withUserConfiguration(Services.Accounts.class);

    private final WebApplicationContextRunner service =
            withoutAChain.withUserConfiguration(ResourceServerChains.OwnChain.class);

    @Test
    void bootsOwnChain_runsOnTheDecoder_andHasTheLoginEndpoint() {
        withoutAChain.withPropertyValues("latchkey.login.enabled=true").run(context -> {
            assertThat(context).hasSingleBean(SecurityFilterChain.class).hasBean("jwtSecurityFilterChain");
            MockMvc mvc = Services.mvc(context);
            String token = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            mvc.perform(bearer("/whoami", token))
                    .andExpect(status().isOk())
                    .andExpect(content().string("alice [ROLE_USER]"));
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + token))
                    .andExpect(status().isNoContent());
            mvc.perform(bearer("/whoami", token)).andExpect(status().isUnauthorized());
        });
    }

    @Test
    void userAndChainOfBoot_stay_andTheDecoderIsThereAllTheSame() {
        withAUserOfBoot().run(context -> {
            assertThat(context)
                    .hasSingleBean(UserDetailsService.class)
                    .hasSingleBean(LatchkeyJwtDecoder.class)
                    .doesNotHaveBean("jwtSecurityFilterChain");
            MockMvc mvc = Services.mvc(context);
            mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isOk());
            mvc.perform(bearer("/hello", tokenOf(context, Duration.ofMinutes(1))))
                    .andExpect(status().isOk());
        });
    }

    @Test
    void libraryWithoutAResourceServer_hasTheDecoder_andLeavesBootsChain() {
        withAUserOfBoot()
                .withClassLoader(new FilteredClassLoader("org.springframework.security.oauth2.server"))
                .run(context -> assertThat(context)
                        .hasSingleBean(LatchkeyJwtDecoder.class)
                        .hasBean("defaultSecurityFilterChain")
                        .doesNotHaveBean("latchkeyJwtAuthenticationConverter"));
    }

    private WebApplicationContextRunner withAUserOfBoot() {
        return Services.resourceServer()
                .withBean(Services.Hello.class)
                .withPropertyValues(
                        "spring.security.user.name=alice", "spring.security.user.password=" + Services.PASSWORD);
    }

    @Test
    void keyOfAPlugin_needsNoCsrfToken() {
        withoutAChain
                .withUserConfiguration(OwnConverter.class)
                .withBean(RevocableKey.class)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    mvc.perform(post("/nowhere").header("X-Key", "good")).andExpect(status().isNotFound());
                    mvc.perform(post("/nowhere")).andExpect(status().isForbidden());
                });
    }

    @Test
    void badTokens_areChallengedWithTheCodeOfTheirDefect() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String good = tokenOf(context, Duration.ofMinutes(1));
            context.getBean(RevocationStore.class)
                    .revokeSubject("bob", Instant.now().plusSeconds(60));
            String expired = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", Duration.ofSeconds(1)).withIssuedAt(Instant.EPOCH));
            String revoked = context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("bob", Duration.ofMinutes(1)));
            String bound = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with("cnf", Map.of("jkt", "x")));
            Map<String, String> bad = Map.of(
                    good + "x",
                    "bad_mac",
                    "no-token",
                    "malformed",
                    expired,
                    "expired",
                    revoked,
                    "revoked",
                    bound,
                    "bound_to_key");
            for (Map.Entry<String, String> token : bad.entrySet()) {
                mvc.perform(bearer("/whoami", token.getKey()))
                        .andExpect(status().isUnauthorized())
                        .andExpect(header().string(
                                        "WWW-Authenticate",
                                        Matchers.startsWith("Bearer error=\"invalid_token\", error_description=\""
                                                + "The token was not accepted: " + token.getValue() + "\"")));
            }
            mvc.perform(bearer("/whoami", good)).andExpect(status().isOk());
            mvc.perform(get("/whoami"))
                    .andExpect(status().isUnauthorized())
                    .andExpect(header().string("WWW-Authenticate", "Bearer"));
        });
    }

    @Test
    void scopesAndAuthorities_areBothSeen_andTooFewAreAnInsufficientScope() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            JwtClaims claims = JwtClaims.forSubject("alice", Duration.ofMinutes(1))
                    .with("scope", "read write")
                    .with("authorities", List.of("ROLE_USER"));
            mvc.perform(bearer("/whoami", context.getBean(JwtSigner.class).sign(claims)))
                    .andExpect(content().string("alice [ROLE_USER, SCOPE_read, SCOPE_write]"));
            mvc.perform(bearer("/admin", tokenOf(context, Duration.ofMinutes(1))))
                    .andExpect(status().isForbidden())
                    .andExpect(header().string(
                                    "WWW-Authenticate", Matchers.startsWith("Bearer error=\"insufficient_scope\"")));
        });
    }

    @Test
    void authoritiesOfAnotherForm_areMalformed() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            JwtSigner signer = context.getBean(JwtSigner.class);
            for (Object odd : List.of(List.of("ROLE_USER", ""), List.of(Map.of("authority", "ROLE_USER")), 1, "a  b")) {
                for (String name : List.of("authorities", "scope", "scp")) {
                    String token = signer.sign(
                            JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with(name, odd));
                    mvc.perform(bearer("/whoami", token))
                            .andExpect(status().isUnauthorized())
                            .andExpect(header().string("WWW-Authenticate", Matchers.containsString("malformed")));
                }
            }
        });
    }

    @Test
    void validatorsOfTheService_areAsked() {
        OAuth2TokenValidator<Jwt> onlyBob = jwt -> jwt.getSubject().equals("bob")
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token"));
        service.withBean(OAuth2TokenValidator.class, () -> onlyBob)
                .run(context -> Services.mvc(context)
                        .perform(bearer("/whoami", tokenOf(context, Duration.ofMinutes(1))))
                        .andExpect(status().isUnauthorized()));
    }

    @Test
    void storeThatIsDown_isAnErrorOfTheServerAndNoRejection() {
        RevocationStore down = (RevocationStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, arguments) -> {
                    throw AuthUnavailableException.outage("connection refused");
                });
        service.withBean(RevocationStore.class, () -> down)
                .run(context -> Services.mvc(context)
                        .perform(bearer("/whoami", tokenOf(context, Duration.ofMinutes(1))))
                        .andExpect(status().isServiceUnavailable())
                        .andExpect(header().exists("Retry-After")));
    }

    /** The resource server checks the tokens, so the service may leave the plugin of tokens out. */
    @Test
    void revocationOfASubject_endsItsTokens_alsoWithoutThePluginOfTokens() {
        service.withPropertyValues("latchkey.plugins=").run(context -> {
            String token = tokenOf(context, Duration.ofMinutes(1));
            Services.mvc(context).perform(bearer("/whoami", token)).andExpect(status().isOk());
            AuthChain chain = context.getBean(AuthChain.class);
            assertThat(chain.pluginNames()).isEmpty();
            assertThat(chain.revokeAll("alice", Instant.now().plusSeconds(1))).isTrue();
            Services.mvc(context).perform(bearer("/whoami", token)).andExpect(status().isUnauthorized());
        });
    }

    /** Spring Security removes the token from such a login. */
    @Test
    void loginThatAConverterMakesOfAToken_getsNoTokens() {
        withoutAChain
                .withUserConfiguration(OwnConverter.class)
                .withBean(Further.class)
                .withPropertyValues("latchkey.login.enabled=true", "latchkey.login.refresh.enabled=true")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String token = tokenOf(context, Duration.ofMinutes(1));
                    mvc.perform(bearer("/name", token)).andExpect(content().string("alice"));
                    assertThatThrownBy(() -> mvc.perform(bearer("/further", token)))
                            .hasRootCauseInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("which is no login");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConverter {

        @Bean
        SecurityFilterChain api(HttpSecurity http, UserDetailsService accounts) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.jwtAuthenticationConverter(token -> {
                        UserDetails account = accounts.loadUserByUsername(token.getSubject());
                        return UsernamePasswordAuthenticationToken.authenticated(
                                account, token, account.getAuthorities());
                    })))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @RestController
    static final class Further {

        private final TokenIssuer tokens;

        Further(TokenIssuer tokens) {
            this.tokens = tokens;
        }

        @GetMapping("/name")
        String name(Authentication login) {
            return login.getName();
        }

        @GetMapping("/further")
        boolean further(Authentication login) {
            return tokens.issue(login).isPresent();
        }
    }

    @Test
    void chainThatIsAResourceServerAndHasLatchkey_leavesTokensToTheResourceServer() {
        withoutAChain
                .withUserConfiguration(ResourceServerChains.BothInOneChain.class)
                .run(context -> Services.mvc(context)
                        .perform(bearer("/whoami", tokenOf(context, Duration.ofMinutes(1))))
                        .andExpect(content().string("alice []")));
    }

    @Test
    void nimbus_isNotNeeded() {
        service.withClassLoader(new FilteredClassLoader("com.nimbusds"))
                .run(context -> Services.mvc(context)
                        .perform(bearer("/whoami", tokenOf(context, Duration.ofMinutes(1))))
                        .andExpect(status().isOk()));
    }

    @Test
    void claims_areOfTheTypesThatSpringsAccessorsExpect() {
        service.run(context -> {
            String token = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1))
                            .withNotBefore(Instant.EPOCH)
                            .with("nested", List.of(List.of(1L, "x"))));
            Jwt jwt = context.getBean(JwtDecoder.class).decode(token);
            assertThat(jwt.getTokenValue()).isEqualTo(token);
            assertThat(jwt.getNotBefore()).isEqualTo(Instant.EPOCH);
            assertThat(jwt.getExpiresAt()).isEqualTo(jwt.getIssuedAt().plusSeconds(60));
            assertThat(jwt.getClaimAsInstant("exp")).isEqualTo(jwt.getExpiresAt());
            assertThat(jwt.getHeaders()).containsEntry("alg", "HS256").containsEntry("typ", "JWT");
            assertThat(jwt.<List<?>>getClaim("nested")).isEqualTo(List.of(List.of(1L, "x")));
            assertThat(jwt.getAudience()).isNull();
        });
    }

    @Test
    void audience_isSetAndDemanded() {
        service.withPropertyValues("latchkey.jwt.audience=orders", "latchkey.login.enabled=true")
                .withUserConfiguration(ResourceServerChains.LoginChain.class)
                .run(context -> {
                    String token = Services.tokenFrom(Services.mvc(context)
                            .perform(post("/auth/token")
                                    .contentType("application/json")
                                    .content(Services.LOGIN)));
                    assertThat(context.getBean(JwtDecoder.class).decode(token).getAudience())
                            .containsExactly("orders");
                    assertThatThrownBy(() ->
                                    context.getBean(JwtDecoder.class).decode(tokenOf(context, Duration.ofMinutes(1))))
                            .hasMessage("The token was not accepted: wrong_audience");
                });
    }

    private static MockHttpServletRequestBuilder bearer(String path, String token) {
        return get(path).header("Authorization", "Bearer " + token);
    }

    private static String tokenOf(ApplicationContext context, Duration lifetime) {
        return context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", lifetime));
    }
}
