package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.scribejava.core.builder.ServiceBuilder;
import com.github.scribejava.core.builder.api.DefaultApi20;
import com.github.scribejava.core.model.OAuth2AccessTokenErrorResponse;
import com.github.scribejava.core.oauth.OAuth20Service;
import com.github.scribejava.core.oauth2.OAuth2Error;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResourceOwnerPasswordCredentialsGrant;
import com.nimbusds.oauth2.sdk.TokenIntrospectionRequest;
import com.nimbusds.oauth2.sdk.TokenIntrospectionResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import com.nimbusds.oauth2.sdk.token.Token;
import com.nimbusds.oauth2.sdk.token.Tokens;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.http.client.support.BasicAuthenticationInterceptor;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.InMemoryReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.client.RestTemplate;

/** OAuth clients of other projects log in, refresh, revoke, introspect and find the endpoints, on both stacks. */
class OAuthClientsIT {

    private static final String PASSWORD = "correct-horse-battery";
    private static final String SECRET = "0123456789/+abcdefghijkl";
    private static final ClientSecretBasic SHOP = new ClientSecretBasic(new ClientID("shop"), new Secret(SECRET));
    private static final Map<String, Object> SERVICE = Map.ofEntries(
            Map.entry("server.port", "0"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("latchkey.guard.max-wait", "60s"),
            Map.entry("latchkey.jwt.secret", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="),
            Map.entry("latchkey.jwt.issuer", "https://shop.example"),
            Map.entry("latchkey.login.enabled", "true"),
            Map.entry("latchkey.login.refresh.enabled", "true"),
            Map.entry("latchkey.login.refresh.race-window", "0s"),
            Map.entry("latchkey.login.clients.shop.secret", SECRET),
            Map.entry("latchkey.login.introspection", "true"),
            Map.entry("spring.security.user.name", "alice"),
            Map.entry("spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(10).encode(PASSWORD)));

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void clients_logInRefreshAndEnd(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext service = start(type)) {
            String base = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
            nimbus(base);
            scribeJava(base);
            springSecurity(base);
            springSecurityOnWebFlux(base);
            springIntrospection(base);
        }
    }

    private static void nimbus(String base) throws Exception {
        assertThat(errorOf(nimbusAsks(base, login("wrong")))).isEqualTo("400 invalid_grant");
        Tokens tokens = nimbusAsks(base, login(PASSWORD)).toSuccessResponse().getTokens();
        assertThat(isActive(base, tokens.getAccessToken())).isTrue();
        RefreshToken first = tokens.getRefreshToken();
        Tokens next = nimbusAsks(base, new RefreshTokenGrant(first))
                .toSuccessResponse()
                .getTokens();
        assertThat(isActive(base, next.getRefreshToken())).isTrue();
        assertThat(errorOf(nimbusAsks(base, new RefreshTokenGrant(first)))).isEqualTo("400 invalid_grant");
        assertThat(isActive(base, next.getAccessToken())).as("after the reuse").isFalse();

        Tokens others = nimbusAsks(base, login(PASSWORD)).toSuccessResponse().getTokens();
        assertThat(new TokenRevocationRequest(URI.create(base + "/auth/revoke"), SHOP, others.getRefreshToken())
                        .toHTTPRequest()
                        .send()
                        .getStatusCode())
                .isEqualTo(200);
        assertThat(isActive(base, others.getAccessToken()))
                .as("after the revocation")
                .isFalse();

        URI metadata = URI.create(base + "/.well-known/oauth-authorization-server");
        AuthorizationServerMetadata found =
                AuthorizationServerMetadata.parse(new com.nimbusds.oauth2.sdk.http.HTTPRequest(
                                com.nimbusds.oauth2.sdk.http.HTTPRequest.Method.GET, metadata)
                        .send()
                        .getBody());
        assertThat(found.getIssuer()).isEqualTo(new Issuer("https://shop.example"));
        assertThat(found.getTokenEndpointURI()).isEqualTo(URI.create("https://shop.example/auth/token"));
    }

    private static AuthorizationGrant login(String password) {
        return new ResourceOwnerPasswordCredentialsGrant("alice", new Secret(password));
    }

    private static TokenResponse nimbusAsks(String base, AuthorizationGrant grant) throws Exception {
        return TokenResponse.parse(new TokenRequest(URI.create(base + "/auth/token"), SHOP, grant, null)
                .toHTTPRequest()
                .send());
    }

    private static String errorOf(TokenResponse response) {
        return response.toErrorResponse().getErrorObject().getHTTPStatusCode() + " "
                + response.toErrorResponse().getErrorObject().getCode();
    }

    private static boolean isActive(String base, Token token) throws Exception {
        return TokenIntrospectionResponse.parse(
                        new TokenIntrospectionRequest(URI.create(base + "/auth/introspect"), SHOP, token)
                                .toHTTPRequest()
                                .send())
                .toSuccessResponse()
                .isActive();
    }

    private static void scribeJava(String base) throws Exception {
        try (OAuth20Service client = new ServiceBuilder("shop")
                .apiSecret(SECRET)
                .build(new DefaultApi20() {
                    @Override
                    public String getAccessTokenEndpoint() {
                        return base + "/auth/token";
                    }

                    @Override
                    public String getRevokeTokenEndpoint() {
                        return base + "/auth/revoke";
                    }

                    @Override
                    protected String getAuthorizationBaseUrl() {
                        throw new IllegalStateException("There is no authorization endpoint");
                    }
                })) {
            assertThatThrownBy(() -> client.getAccessTokenPasswordGrant("alice", "wrong"))
                    .isInstanceOfSatisfying(
                            OAuth2AccessTokenErrorResponse.class,
                            failure -> assertThat(failure.getError()).isEqualTo(OAuth2Error.INVALID_GRANT));
            String first = client.getAccessTokenPasswordGrant("alice", PASSWORD).getRefreshToken();
            String second = client.refreshAccessToken(first).getRefreshToken();
            client.revokeToken(second);
            assertThatThrownBy(() -> client.refreshAccessToken(second))
                    .isInstanceOfSatisfying(
                            OAuth2AccessTokenErrorResponse.class,
                            failure -> assertThat(failure.getError()).isEqualTo(OAuth2Error.INVALID_GRANT));
        }
    }

    private static void springSecurity(String base) {
        assertThatThrownBy(() -> springLogIn(base, "wrong"))
                .isInstanceOfSatisfying(
                        OAuth2AuthorizationException.class,
                        failure -> assertThat(failure.getError().getErrorCode()).isEqualTo("invalid_grant"));
        OAuth2AccessTokenResponse login = springLogIn(base, PASSWORD);
        ClientRegistration shop = refreshing(base);
        InMemoryClientRegistrationRepository registrations = new InMemoryClientRegistrationRepository(shop);
        InMemoryOAuth2AuthorizedClientService clients = new InMemoryOAuth2AuthorizedClientService(registrations);
        AuthorizedClientServiceOAuth2AuthorizedClientManager manager =
                new AuthorizedClientServiceOAuth2AuthorizedClientManager(registrations, clients);
        manager.setAuthorizedClientProvider(
                OAuth2AuthorizedClientProviderBuilder.builder().refreshToken().build());
        Authentication alice = new TestingAuthenticationToken("alice", "");
        OAuth2AuthorizedClient expired =
                new OAuth2AuthorizedClient(shop, "alice", expired(login.getAccessToken()), refreshOf(login));
        OAuth2AuthorizeRequest again = OAuth2AuthorizeRequest.withAuthorizedClient(expired)
                .principal(alice)
                .build();
        OAuth2AuthorizedClient renewed = manager.authorize(again);
        assertThat(renewed.getAccessToken().getExpiresAt()).isAfter(Instant.now());
        assertThat(renewed.getRefreshToken().getTokenValue())
                .isNotEqualTo(refreshOf(login).getTokenValue());
        assertThatThrownBy(() -> manager.authorize(again))
                .isInstanceOfSatisfying(
                        OAuth2AuthorizationException.class,
                        failure -> assertThat(failure.getError().getErrorCode()).isEqualTo("invalid_grant"));
    }

    private static void springSecurityOnWebFlux(String base) {
        OAuth2AccessTokenResponse login = springLogIn(base, PASSWORD);
        ClientRegistration shop = refreshing(base);
        InMemoryReactiveClientRegistrationRepository registrations =
                new InMemoryReactiveClientRegistrationRepository(shop);
        AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager manager =
                new AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager(
                        registrations, new InMemoryReactiveOAuth2AuthorizedClientService(registrations));
        manager.setAuthorizedClientProvider(ReactiveOAuth2AuthorizedClientProviderBuilder.builder()
                .refreshToken()
                .build());
        OAuth2AuthorizeRequest again = OAuth2AuthorizeRequest.withAuthorizedClient(
                        new OAuth2AuthorizedClient(shop, "alice", expired(login.getAccessToken()), refreshOf(login)))
                .principal(new TestingAuthenticationToken("alice", ""))
                .build();
        OAuth2AuthorizedClient renewed = manager.authorize(again).block(Duration.ofSeconds(60));
        assertThat(renewed.getAccessToken().getExpiresAt()).isAfter(Instant.now());
        assertThatThrownBy(() -> manager.authorize(again).block(Duration.ofSeconds(60)))
                .isInstanceOfSatisfying(
                        OAuth2AuthorizationException.class,
                        failure -> assertThat(failure.getError().getErrorCode()).isEqualTo("invalid_grant"));
    }

    private static void springIntrospection(String base) {
        String token = springLogIn(base, PASSWORD).getAccessToken().getTokenValue();
        SpringOpaqueTokenIntrospector introspector =
                new SpringOpaqueTokenIntrospector(base + "/auth/introspect", introspecting());
        assertThat(introspector.introspect(token).<String>getAttribute("sub")).isEqualTo("alice");
        assertThatThrownBy(() -> introspector.introspect(token + "x")).isInstanceOf(BadOpaqueTokenException.class);
    }

    private static RestTemplate introspecting() {
        RestTemplate rest = new RestTemplate();
        rest.getInterceptors().add(new BasicAuthenticationInterceptor("shop", SECRET));
        return rest;
    }

    private static ClientRegistration refreshing(String base) {
        return ClientRegistration.withRegistrationId("shop")
                .clientId("shop")
                .clientSecret(SECRET)
                .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                .tokenUri(base + "/auth/token")
                .build();
    }

    /** Spring Security 7 has no client for this grant; 6.5 and 7 have the parts of a client. */
    private static OAuth2AccessTokenResponse springLogIn(String base, String password) {
        RestTemplate rest = new RestTemplate();
        rest.getMessageConverters().clear();
        rest.getMessageConverters().add(new FormHttpMessageConverter());
        rest.getMessageConverters().add(new OAuth2AccessTokenResponseHttpMessageConverter());
        rest.setErrorHandler(new OAuth2ErrorResponseErrorHandler());
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("grant_type", "password");
        form.add("username", "alice");
        form.add("password", password);
        form.add("client_id", "shop");
        form.add("client_secret", SECRET);
        return rest.exchange(
                        RequestEntity.post(URI.create(base + "/auth/token"))
                                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                                .body(form),
                        OAuth2AccessTokenResponse.class)
                .getBody();
    }

    private static OAuth2RefreshToken refreshOf(OAuth2AccessTokenResponse login) {
        return login.getRefreshToken();
    }

    private static OAuth2AccessToken expired(OAuth2AccessToken token) {
        Instant now = Instant.now();
        return new OAuth2AccessToken(
                token.getTokenType(), token.getTokenValue(), now.minusSeconds(7200), now.minusSeconds(3600));
    }

    private static ConfigurableApplicationContext start(WebApplicationType type) {
        SpringApplication application = new SpringApplication(OwnLoginsIT.Service.class);
        application.setWebApplicationType(type);
        application.setDefaultProperties(SERVICE);
        return application.run();
    }
}
