package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.issuer.IssuerServer;
import dev.latchkey.auth.spring.login.StepServicesOfTests;
import dev.latchkey.auth.spring.login.TokenCustomizer;
import dev.latchkey.auth.spring.login.TokenOptions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.InMemoryOneTimeTokenService;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2LoginAuthenticationFilter;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.security.saml2.provider.service.web.authentication.Saml2WebSsoAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.webauthn.api.Bytes;
import org.springframework.security.web.webauthn.api.ImmutablePublicKeyCredentialUserEntity;
import org.springframework.security.web.webauthn.authentication.WebAuthnAuthentication;
import org.springframework.security.web.webauthn.authentication.WebAuthnAuthenticationFilter;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.web.util.UriComponentsBuilder;

/** Logins of Spring Security that answer with tokens, each by its own protocol. */
class IssueAfterTest {

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.jwt.max-lifetime=30d");

    @Test
    void oneTimeToken_isAnsweredWithTokens_andWithNoSession() {
        service.withUserConfiguration(OneTimeTokens.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            MvcResult login = oneTimeToken(mvc, context.getBean(OneTimeTokenService.class))
                    .andExpect(status().isOk())
                    .andReturn();
            assertThat(login.getResponse().getContentAsString()).contains("\"refresh_token\"");
            MockHttpSession session = (MockHttpSession) login.getRequest().getSession(false);
            assertThat(session == null || session.getAttribute("SPRING_SECURITY_CONTEXT") == null)
                    .isTrue();
            assertThat(hello(mvc, Services.tokenFrom(login.getResponse().getContentAsString())))
                    .isEqualTo("Hello alice");
        });
    }

    /** A client may send an earlier token with each request. */
    @Test
    void loginWithATokenInTheHeader_isAnsweredWithTokensToo() {
        service.withUserConfiguration(OneTimeTokens.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            OneTimeTokenService codes = context.getBean(OneTimeTokenService.class);
            String earlier = Services.tokenFrom(oneTimeToken(mvc, codes));
            String code =
                    codes.generate(new GenerateOneTimeTokenRequest("alice")).getTokenValue();
            mvc.perform(post("/login/ott")
                            .param("token", code)
                            .header("Authorization", "Bearer " + earlier)
                            .with(csrf()))
                    .andExpect(status().isOk());
        });
    }

    @Test
    void secondStep_isAskedAfterAOneTimeToken_andAnsweredAtTheTokenEndpoint() {
        service.withUserConfiguration(OneTimeTokens.class)
                .withBean("codes", AuthPlugin.class, StepServicesOfTests::step)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String body = oneTimeToken(mvc, context.getBean(OneTimeTokenService.class))
                            .andExpect(status().isUnauthorized())
                            .andReturn()
                            .getResponse()
                            .getContentAsString();
                    String continuation = body.replaceFirst("(?s).*\"continuation\":\"([^\"]+)\".*", "$1");
                    ResultActions end = mvc.perform(post("/auth/token")
                            .contentType("application/json")
                            .content("{\"continuation\":\"%s\",\"code\":\"%s\"}"
                                    .formatted(continuation, StepServicesOfTests.CODE)));
                    assertThat(hello(mvc, Services.tokenFrom(end))).isEqualTo("Hello alice");
                });
    }

    /** Such a chain stores the context that is there when the answer goes out. */
    @Test
    void chainWithoutExplicitSaves_keepsNoLoginInTheSession_beforeTheSecondStep() {
        service.withUserConfiguration(UnaskedSaves.class)
                .withBean("codes", AuthPlugin.class, StepServicesOfTests::step)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    MvcResult login = oneTimeToken(mvc, context.getBean(OneTimeTokenService.class))
                            .andExpect(status().isUnauthorized())
                            .andReturn();
                    MockHttpSession session =
                            (MockHttpSession) login.getRequest().getSession(false);
                    assertThat(session == null || session.getAttribute("SPRING_SECURITY_CONTEXT") == null)
                            .isTrue();
                });
    }

    /** The cookie alone would be a login that never saw the second step. */
    @Test
    void rememberMe_isNotOffered_beforeOrAfterTheSecondStep() {
        service.withUserConfiguration(RememberedOneTimeTokens.class)
                .withBean("codes", AuthPlugin.class, StepServicesOfTests::step)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String token = context.getBean(OneTimeTokenService.class)
                            .generate(new GenerateOneTimeTokenRequest("alice"))
                            .getTokenValue();
                    MvcResult login = mvc.perform(post("/login/ott")
                                    .param("token", token)
                                    .param("remember-me", "on")
                                    .with(csrf()))
                            .andExpect(status().isUnauthorized())
                            .andReturn();
                    assertThat(login.getResponse().getCookie("remember-me")).isNull();
                });
    }

    @Test
    void openIdConnect_isAnsweredWithTokensOfItsOwnSubject_orOfTheMappedAccount() {
        try (IssuerServer provider = new IssuerServer(0, "https://id.example.test")) {
            service.withBean(ClientRegistrationRepository.class, () -> registrations(provider))
                    .withUserConfiguration(OpenIdConnect.class)
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        assertThat(hello(mvc, Services.tokenFrom(oidc(mvc, provider, "4711"))))
                                .isEqualTo("Hello oauth2:id:4711");
                        assertThat(hello(mvc, Services.tokenFrom(oidc(mvc, provider, "alice@example.test"))))
                                .isEqualTo("Hello alice");
                        oidc(mvc, provider, "nobody@example.test").andExpect(status().isUnauthorized());
                    });
        }
    }

    /** Their protocols are Spring Security's business: the filters are real, and their checks answer at once. */
    @Test
    void samlAndPasskeys_areAnsweredWithTokens() {
        service.withUserConfiguration(SamlAndPasskeys.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            MvcResult saml = mvc.perform(post("/login/saml2/sso/okta").with(csrf()))
                    .andExpect(status().isOk())
                    .andReturn();
            assertThat(saml.getResponse().getContentAsString()).doesNotContain("refresh_token");
            assertThat(hello(mvc, Services.tokenFrom(saml.getResponse().getContentAsString())))
                    .isEqualTo("Hello saml2:okta:bob@id.test");
            MvcResult passkey = mvc.perform(post("/login/webauthn").with(csrf()))
                    .andExpect(status().isOk())
                    .andReturn();
            assertThat(passkey.getResponse().getContentAsString()).contains("\"refresh_token\"");
            assertThat(hello(mvc, Services.tokenFrom(passkey.getResponse().getContentAsString())))
                    .isEqualTo("Hello alice");
            for (MvcResult login : List.of(saml, passkey)) {
                MockHttpSession session = (MockHttpSession) login.getRequest().getSession(false);
                assertThat(session == null || session.getAttribute("SPRING_SECURITY_CONTEXT") == null)
                        .isTrue();
            }
        });
    }

    @Test
    void chainWithoutTheLogin_doesNotStart() {
        service.withUserConfiguration(NoLogin.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("OAuth2LoginAuthenticationFilter"));
    }

    @Test
    void rememberMeOfTheTokenEndpoint_andItsOwnFields_areTheCustomizers() {
        TokenCustomizer shop = (login, options) -> options.withLifetime(Duration.ofDays(login.isRemembered() ? 30 : 1))
                .withAnswer(tokens -> Map.of("id_token", tokens.access().value(), "roles", List.of("a", "b")));
        service.withBean(TokenCustomizer.class, () -> shop).run(context -> {
            MockMvc mvc = Services.mvc(context);
            String plain = login(mvc, Services.LOGIN);
            assertThat(plain).contains("\"expires_in\":86400", "\"id_token\":\"ey", "\"roles\":[\"a\",\"b\"]");
            for (String name : List.of("remember_me", "rememberMe", "remember-me")) {
                assertThat(login(mvc, Services.LOGIN.replace("}", ",\"" + name + "\":true}")))
                        .contains("\"expires_in\":2592000");
            }
        });
        service.withBean(
                        TokenCustomizer.class,
                        () -> (login, options) -> options.withAnswer(tokens -> Map.of("access_token", "mine")))
                .run(context -> Services.mvc(context)
                        .perform(post("/auth/token")
                                .contentType("application/json")
                                .content(Services.LOGIN))
                        .andExpect(status().isInternalServerError()));
    }

    private static String login(MockMvc mvc, String body) throws Exception {
        return mvc.perform(post("/auth/token").contentType("application/json").content(body))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    private static ResultActions oneTimeToken(MockMvc mvc, OneTimeTokenService tokens) throws Exception {
        String token = tokens.generate(new GenerateOneTimeTokenRequest("alice")).getTokenValue();
        return mvc.perform(post("/login/ott").param("token", token).with(csrf()));
    }

    private static ResultActions oidc(MockMvc mvc, IssuerServer provider, String subject) throws Exception {
        MvcResult start = mvc.perform(get("/oauth2/authorization/id")).andReturn();
        var query = UriComponentsBuilder.fromUriString(start.getResponse().getRedirectedUrl())
                .build()
                .getQueryParams();
        provider.answerCodeWith(subject, query.getFirst("nonce"));
        return mvc.perform(get("/login/oauth2/code/id")
                .param("code", "c")
                .param(
                        "state",
                        java.net.URLDecoder.decode(query.getFirst("state"), java.nio.charset.StandardCharsets.UTF_8))
                .session((MockHttpSession) start.getRequest().getSession()));
    }

    private static ClientRegistrationRepository registrations(IssuerServer provider) {
        return new InMemoryClientRegistrationRepository(ClientRegistration.withRegistrationId("id")
                .clientId("orders")
                .clientSecret("secret")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                .scope("openid")
                .issuerUri(provider.issuer())
                .authorizationUri(provider.issuer() + "/authorize")
                .tokenUri(provider.tokens())
                .jwkSetUri(provider.keys())
                .userNameAttributeName("sub")
                .build());
    }

    private static String hello(MockMvc mvc, String token) throws Exception {
        return mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    @Configuration(proxyBeanMethods = false)
    static class OneTimeTokens {

        @Bean
        OneTimeTokenService oneTimeTokens() {
            return new InMemoryOneTimeTokenService();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.oneTimeTokenLogin(
                            login -> login.tokenGenerationSuccessHandler((request, response, token) -> {}))
                    .with(latchkey(), latchkey -> latchkey.issueAfter())
                    .authorizeHttpRequests(rules -> rules.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnaskedSaves {

        @Bean
        OneTimeTokenService oneTimeTokens() {
            return new InMemoryOneTimeTokenService();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.oneTimeTokenLogin(
                            login -> login.tokenGenerationSuccessHandler((request, response, token) -> {}))
                    .securityContext(contexts -> contexts.requireExplicitSave(false))
                    .with(latchkey(), latchkey -> latchkey.issueAfter())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RememberedOneTimeTokens {

        @Bean
        OneTimeTokenService oneTimeTokens() {
            return new InMemoryOneTimeTokenService();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.oneTimeTokenLogin(
                            login -> login.tokenGenerationSuccessHandler((request, response, token) -> {}))
                    .rememberMe(withDefaults())
                    .with(latchkey(), latchkey -> latchkey.issueAfter())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OpenIdConnect {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.oauth2Login(withDefaults())
                    .with(
                            latchkey(),
                            latchkey -> latchkey.issueAfter(OAuth2LoginAuthenticationFilter.class)
                                    .issueWith(login -> login.getName().endsWith("@example.test")
                                            ? TokenOptions.defaults()
                                                    .asAccount(login.getName().replace("@example.test", ""))
                                            : TokenOptions.defaults()))
                    .authorizeHttpRequests(rules -> rules.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SamlAndPasskeys {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.addFilterBefore(new Saml(), UsernamePasswordAuthenticationFilter.class)
                    .addFilterBefore(new Passkeys(), UsernamePasswordAuthenticationFilter.class)
                    .with(latchkey(), latchkey -> latchkey.issueAfter(Saml.class, WebAuthnAuthenticationFilter.class))
                    .authorizeHttpRequests(rules -> rules.anyRequest().authenticated())
                    .build();
        }
    }

    private static final class Saml extends Saml2WebSsoAuthenticationFilter {

        Saml() {
            super((AuthenticationConverter) request -> null, "/login/saml2/sso/{registrationId}");
            setAuthenticationManager(login -> login);
        }

        @Override
        public Authentication attemptAuthentication(HttpServletRequest request, HttpServletResponse response) {
            DefaultSaml2AuthenticatedPrincipal bob = new DefaultSaml2AuthenticatedPrincipal("bob@id.test", Map.of());
            bob.setRelyingPartyRegistrationId("okta");
            return new Saml2Authentication(bob, "<response/>", AuthorityUtils.createAuthorityList("ROLE_SAML"));
        }
    }

    private static final class Passkeys extends WebAuthnAuthenticationFilter {

        Passkeys() {
            setAuthenticationManager(login -> login);
        }

        @Override
        public Authentication attemptAuthentication(HttpServletRequest request, HttpServletResponse response) {
            return new WebAuthnAuthentication(
                    ImmutablePublicKeyCredentialUserEntity.builder()
                            .name("alice")
                            .id(Bytes.random())
                            .displayName("Alice")
                            .build(),
                    AuthorityUtils.createAuthorityList("ROLE_USER"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoLogin {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.httpBasic(withDefaults())
                    .with(latchkey(), latchkey -> latchkey.issueAfter(OAuth2LoginAuthenticationFilter.class))
                    .build();
        }
    }
}
