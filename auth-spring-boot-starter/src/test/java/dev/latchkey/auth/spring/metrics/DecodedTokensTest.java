package dev.latchkey.auth.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.ResourceServerChains;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.ReactiveLoginEndpointsTest;
import dev.latchkey.auth.spring.token.TestDecoders;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;

/** What is wrong with tokens is counted the same, whether plugins are asked about them or Spring's resource server. */
class DecodedTokensTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @Test
    void eachToken_isCountedByItsDefect_whichTheMessageTells() {
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        revocations.revokeSubject("bob", Instant.now().plusSeconds(60));
        JwtDecoder decoder = decoder(revocations);
        assertThat(decoder.decode(token("alice")).getSubject()).isEqualTo("alice");
        refusedAs("malformed", decoder, "no token");
        refusedAs(
                "bad_mac",
                decoder,
                JwtSigner.with(HmacKey.generate(HmacAlgorithm.HS256)).sign(claimsOf("alice")));
        refusedAs(
                "expired",
                decoder,
                JwtSigner.with(key)
                        .sign(JwtClaims.forSubject("alice", Duration.ofSeconds(1))
                                .withIssuedAt(Instant.EPOCH)));
        refusedAs("revoked", decoder, token("bob"));
        refusedAs(
                "bound_to_key",
                decoder,
                JwtSigner.with(key).sign(claimsOf("alice").with("cnf", Map.of("x5t#S256", "x"))));
        assertThat(counted(registry))
                .isEqualTo(
                        Map.of("none", 1, "malformed", 1, "bad_mac", 1, "expired", 1, "revoked", 1, "bound_to_key", 1));
    }

    /** The rule is auth-jwt's, for every caller. */
    @Test
    void tokenThatAPluginWouldCallRevoked_isRefused_andOneThatItWouldNotIsDecoded() {
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        Instant now = Instant.now();
        revocations.revokeToken("x", now.plusSeconds(60));
        revocations.revokeSubject("bob", now.minusSeconds(10));
        JwtDecoder decoder = decoder(revocations);
        JwtSigner signer = JwtSigner.with(key);
        refused(decoder, signer.sign(claimsOf("alice").withId("x")));
        refused(decoder, signer.sign(claimsOf("alice").with("sid", "x")));
        refused(decoder, signer.sign(claimsOf("bob").withIssuedAt(now.minusSeconds(11))));
        assertThat(counted(registry)).isEqualTo(Map.of("revoked", 3));
        refused(decoder, signer.sign(claimsOf("bob").withIssuedAt(now.plusSeconds(30))));
        assertThat(counted(registry)).isEqualTo(Map.of("revoked", 3, "not_yet_valid", 1));
        assertThat(decoder.decode(signer.sign(claimsOf("bob"))).getSubject()).isEqualTo("bob");
        assertThat(decoder.decode(signer.sign(claimsOf("alice").with("sid", List.of("x"))))
                        .getSubject())
                .isEqualTo("alice");
    }

    @Test
    void tokenWithinTheVerifiersSkew_isDecoded() {
        Instant now = Instant.now();
        String token = JwtSigner.with(key)
                .sign(JwtClaims.forSubject("alice", Duration.ofSeconds(10)).withIssuedAt(now.minusSeconds(20)));
        refused(decoder(JwtVerifier.with(key)), token);
        Jwt decoded =
                decoder(JwtVerifier.with(key).withSkew(Duration.ofSeconds(60))).decode(token);
        assertThat(decoded.getExpiresAt()).isBefore(now);
    }

    private JwtDecoder decoder(JwtVerifier verifier) {
        return TestDecoders.of(verifier, new InMemoryRevocationStore(Duration.ofHours(1)), beans);
    }

    /** A code of the service's own would be a tag of anybody's choice. */
    @Test
    void tokenThatTheServicesOwnValidatorRefuses_isBadCredentials() {
        beans.addBean("nobody", new Nobody());
        refusedAs("bad_credentials", decoder(new InMemoryRevocationStore(Duration.ofHours(1))), token("alice"));
        assertThat(counted(registry)).isEqualTo(Map.of("bad_credentials", 1));
    }

    /** As with plugins: an outage says nothing about the token. */
    @Test
    void storeThatIsDown_isNoDefect() {
        refused(
                decoder((RevocationStore) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, args) -> {
                            throw AuthUnavailableException.outage("connection refused");
                        })),
                token("alice"));
        assertThat(counted(registry)).isEmpty();
    }

    @Test
    void servletService_countsATokenOnce_whereItsChainHasPluginsToo() {
        Services.resourceServer()
                .withConfiguration(AutoConfigurations.of(LatchkeyMetricsAutoConfiguration.class))
                .withUserConfiguration(Services.Accounts.class, ResourceServerChains.BothInOneChain.class)
                .withPropertyValues("latchkey.login.enabled=true")
                .run(context -> {
                    context.getBean(AuthMeters.class).bindTo(registry);
                    MockMvc mvc = Services.mvc(context);
                    String good = tokenOf(context);
                    for (String token : List.of(good, good + "x")) {
                        mvc.perform(get("/whoami").header("Authorization", "Bearer " + token));
                    }
                    assertThat(counted(registry)).isEqualTo(Map.of("none", 1, "bad_mac", 1));
                    mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + good));
                    mvc.perform(get("/whoami").header("Authorization", "Bearer " + good));
                    assertThat(counted(registry)).isEqualTo(Map.of("none", 1, "bad_mac", 1, "revoked", 1));
                    assertThat(registry.find(AuthMeters.LOGINS).counter()).isNull();
                });
    }

    @Test
    void reactiveService_countsATokenOnce_whereItsChainHasPluginsToo() {
        ReactiveServices.resourceServer()
                .withConfiguration(AutoConfigurations.of(LatchkeyMetricsAutoConfiguration.class))
                .withUserConfiguration(
                        LoginService.class, ReactiveLoginEndpointsTest.Accounts.class, ReactiveBothInOneChain.class)
                .withPropertyValues("latchkey.login.enabled=true")
                .run(context -> {
                    context.getBean(AuthMeters.class).bindTo(registry);
                    WebTestClient client = ReactiveServices.client(context);
                    String good = tokenOf(context);
                    ask(client, "GET", "/whoami", good);
                    ask(client, "GET", "/whoami", good + "x");
                    assertThat(counted(registry)).isEqualTo(Map.of("none", 1, "bad_mac", 1));
                    ask(client, "POST", "/auth/logout", good);
                    ask(client, "GET", "/whoami", good);
                    assertThat(counted(registry)).isEqualTo(Map.of("none", 1, "bad_mac", 1, "revoked", 1));
                    assertThat(registry.find(AuthMeters.LOGINS).counter()).isNull();
                });
    }

    @Test
    void serviceWithoutMicrometer_decodesUncounted() {
        Services.resourceServer()
                .withConfiguration(AutoConfigurations.of(LatchkeyMetricsAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context.getBean(JwtDecoder.class)
                                .decode(tokenOf(context))
                                .getSubject())
                        .isEqualTo("alice"));
    }

    private JwtDecoder decoder(RevocationStore revocations) {
        AuthMeters meters = new AuthMeters();
        meters.bindTo(registry);
        beans.addBean("meters", meters);
        return TestDecoders.of(JwtVerifier.with(key), revocations, beans);
    }

    /** The whole message: nothing of the token is in it. */
    private static void refusedAs(String code, JwtDecoder decoder, String token) {
        assertThatThrownBy(() -> decoder.decode(token))
                .isInstanceOf(JwtException.class)
                .hasMessage("The token was not accepted: " + code);
    }

    private static void refused(JwtDecoder decoder, String token) {
        assertThatThrownBy(() -> decoder.decode(token)).isInstanceOf(JwtException.class);
    }

    private static void ask(WebTestClient client, String method, String path, String token) {
        client.method(HttpMethod.valueOf(method))
                .uri(path)
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private String token(String subject) {
        return JwtSigner.with(key).sign(claimsOf(subject));
    }

    private static String tokenOf(ApplicationContext context) {
        return context.getBean(JwtSigner.class).sign(claimsOf("alice"));
    }

    private static JwtClaims claimsOf(String subject) {
        return JwtClaims.forSubject(subject, Duration.ofMinutes(1));
    }

    /** How many tokens there were of each defect. */
    private static Map<String, Integer> counted(MeterRegistry registry) {
        return registry.find(AuthMeters.TOKENS).counters().stream()
                .collect(Collectors.toMap(DecodedTokensTest::defectOf, counter -> (int) counter.count()));
    }

    private static String defectOf(Meter meter) {
        return meter.getId().getTag("defect");
    }

    /** A class, since a lambda does not show the owner of the validator. */
    private static final class Nobody implements OAuth2TokenValidator<Jwt> {

        @Override
        public OAuth2TokenValidatorResult validate(Jwt jwt) {
            return OAuth2TokenValidatorResult.failure(new OAuth2Error("not_" + jwt.getSubject()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveBothInOneChain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addToResourceServer(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .build();
        }
    }
}
