package dev.latchkey.auth.spring.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.test.web.servlet.MockMvc;

/** A service that accepts tokens of two issuers on loopback beside its own. */
@Tag("long")
class TrustedIssuersTest {

    private final IssuerServer keycloak = new IssuerServer(0, "https://id.example.test/realms/shop");
    private final IssuerServer entra = new IssuerServer(1, "https://login.example.test/tenant/v2.0");

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
            .withPropertyValues(keycloak.settings("keycloak"))
            .withPropertyValues(entra.settings("entra"));

    @AfterEach
    void stop() {
        keycloak.close();
        entra.close();
    }

    @Test
    void tokensOfEachIssuer_andTheServicesOwn_areGoodAtOneChain() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String own = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            assertThat(hello(mvc, own)).isEqualTo("200 Hello alice");
            assertThat(hello(mvc, keycloak.token("alice"))).isEqualTo("200 Hello keycloak:alice");
            assertThat(hello(mvc, entra.token("alice"))).isEqualTo("200 Hello entra:alice");
            Subject subject = ((Authenticated) verdict(context, keycloak.token("alice"))).subject();
            assertThat(subject.authorities()).containsExactlyInAnyOrder("ROLE_buyer", "ROLE_admin");
            assertThat(subject.claims()).containsEntry("scope", "openid profile");
        });
    }

    /** RFC 8693 section 4.1. */
    @Test
    void claimAct_isTheAccountOfTheIssuerThatActs() {
        service.run(context -> {
            assertThat(actorOf(context, Map.of("sub", "support"))).contains("keycloak:support");
            assertThat(actorOf(context, Map.of("client", "x"))).contains("");
        });
    }

    private Optional<String> actorOf(ApplicationContext context, Map<String, String> act) {
        String token = keycloak.token("alice", all -> all.claim("act", act));
        return ((Authenticated) verdict(context, token)).subject().actor();
    }

    @Test
    void webFlux_acceptsTheSame() {
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withBean(
                        MapReactiveUserDetailsService.class,
                        () -> new MapReactiveUserDetailsService(User.withUsername("alice")
                                .password("{noop}secret")
                                .roles("USER")
                                .build()))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .withPropertyValues(keycloak.settings("keycloak"))
                .run(context -> {
                    var client = ReactiveServices.client(context);
                    client.get()
                            .uri("/hello")
                            .headers(headers -> headers.setBearerAuth(keycloak.token("alice")))
                            .exchange()
                            .expectBody(String.class)
                            .isEqualTo("Hello keycloak:alice");
                    client.get()
                            .uri("/hello")
                            .headers(headers -> headers.setBearerAuth(
                                    IssuerServer.sign(IssuerServer.rsa(2, "key-1"), keycloak.claims("alice", c -> c))))
                            .exchange()
                            .expectStatus()
                            .isUnauthorized();
                    keycloak.key = IssuerServer.rsa(2, "key-2");
                    keycloak.answers = false;
                    client.get()
                            .uri("/hello")
                            .headers(headers -> headers.setBearerAuth(keycloak.token("alice")))
                            .exchange()
                            .expectStatus()
                            .isEqualTo(503);
                });
    }

    @Test
    void tokenNotSignedForThisService_isRefused() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(hello(mvc, keycloak.token("alice"))).startsWith("200");
            JWTClaimsSet claims = keycloak.claims("alice", all -> all);
            Stream<String> forged = Stream.of(
                    new PlainJWT(claims).serialize(),
                    hmac(claims, keycloak.key.toRSAPublicKey().getEncoded(), "key-1"),
                    hmac(claims, pem(keycloak.key.toRSAPublicKey().getEncoded()), "key-1"),
                    hmac(claims, Base64.getDecoder().decode(Services.KEY), "key-1"),
                    IssuerServer.sign(IssuerServer.rsa(2, "key-1"), claims),
                    IssuerServer.sign(IssuerServer.ec("key-1"), claims),
                    // The key of another trusted issuer, which has a key of the same id.
                    IssuerServer.sign(entra.key, claims),
                    IssuerServer.sign(keycloak.key, entra.claims("alice", all -> all)),
                    keycloak.token("alice", all -> all.audience("billing")),
                    keycloak.token("alice", all -> all.audience((String) null)),
                    keycloak.token("alice", all -> all.expirationTime(null)),
                    keycloak.token("alice", all -> all.issueTime(null)),
                    keycloak.token(
                            "alice",
                            all -> all.expirationTime(Date.from(Instant.now().minusSeconds(120)))),
                    keycloak.token(
                            "alice",
                            all -> all.notBeforeTime(Date.from(Instant.now().plusSeconds(120)))),
                    keycloak.token(
                            "alice",
                            all -> all.issueTime(Date.from(Instant.now().minusSeconds(90_000)))),
                    keycloak.token("alice", all -> all.issuer("https://id.example.test/realms/other")),
                    keycloak.token("alice", all -> all.issuer("https://id.example.test/realms/shop/")),
                    keycloak.token("", all -> all),
                    keycloak.token("alice", all -> all.subject(null)),
                    "{".repeat(9_000) + ".e30.x");
            for (String token : forged.toList()) {
                assertThat(hello(mvc, token)).as(token).startsWith("401");
            }
        });
    }

    @Test
    void keysThatTheIssuerRotates_areFetched_andAnUnknownKeyDoesNotHaveThemFetchedEachTime() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(hello(mvc, keycloak.token("alice"))).startsWith("200");
            assertThat(keycloak.fetched).hasValue(1);
            String before = keycloak.token("alice");
            keycloak.key = IssuerServer.rsa(2, "key-2");
            assertThat(hello(mvc, keycloak.token("alice"))).startsWith("200");
            assertThat(hello(mvc, before)).startsWith("503");
            for (int i = 0; i < 10; i++) {
                hello(mvc, IssuerServer.sign(IssuerServer.rsa(2, "none-" + i), keycloak.claims("alice", all -> all)));
            }
            assertThat(keycloak.fetched.get()).isLessThanOrEqualTo(3);
        });
    }

    @Test
    void issuerThatIsDown_isAnOutage_andNoneForTokensOfOthers() {
        keycloak.answers = false;
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(hello(mvc, keycloak.token("alice"))).startsWith("503");
            assertThat(hello(mvc, entra.token("alice"))).startsWith("200");
            String own = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            assertThat(hello(mvc, own)).startsWith("200");
            entra.answers = false;
            assertThat(hello(mvc, entra.token("alice"))).startsWith("200");
        });
    }

    @Test
    void issuerOfABeanThatHangs_leavesThreadsToAllOtherTokens() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answers = new CountDownLatch(1);
        JwtDecoder hanging = token -> {
            asked.countDown();
            await(answers);
            throw new BadJwtException("forged");
        };
        String forged = keycloak.token("mallory", all -> all.issuer("https://partner.example.com"));
        ExecutorService requests = Executors.newCachedThreadPool();
        service.withPropertyValues("server.tomcat.threads.max=4")
                .withBean(
                        TrustedIssuer.class,
                        () -> TrustedIssuer.of("partner", "https://partner.example.com", "orders", hanging))
                .run(context -> {
                    List<Future<Verdict>> held = Stream.generate(() -> requests.submit(() -> verdict(context, forged)))
                            .limit(2)
                            .toList();
                    await(asked);
                    Future<Verdict> next = requests.submit(() -> verdict(context, forged));
                    try {
                        assertThatThrownBy(() -> next.get(20, TimeUnit.SECONDS))
                                .hasCauseInstanceOf(AuthUnavailableException.class);
                        MockMvc mvc = Services.mvc(context);
                        assertThat(hello(mvc, keycloak.token("alice"))).startsWith("200");
                        String own = Services.tokenFrom(mvc.perform(post("/auth/token")
                                .contentType("application/json")
                                .content(Services.LOGIN)));
                        assertThat(hello(mvc, own)).startsWith("200");
                    } finally {
                        answers.countDown();
                        requests.shutdown();
                    }
                    for (Future<Verdict> each : held) {
                        assertThat(each.get()).isInstanceOf(Rejected.class);
                    }
                });
    }

    @Test
    void revocations_areOfOneToken_orOfOneSubject() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String first = keycloak.token("alice");
            String second = keycloak.token("alice");
            String withoutId = keycloak.token("alice", all -> all.jwtID(null));
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + first));
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + withoutId));
            assertThat(hello(mvc, first)).startsWith("401");
            assertThat(hello(mvc, withoutId)).startsWith("401");
            assertThat(hello(mvc, second)).startsWith("200");
            AuthChain chain = context.getBean(AuthChain.class);
            chain.revokeAll("keycloak:alice", Instant.now());
            assertThat(chain.decidedLogins().isRevoked("keycloak:alice", Instant.now()))
                    .isTrue();
            assertThat(chain.decidedLogins().isRevoked("entra:alice", Instant.now()))
                    .isFalse();
            assertThat(hello(mvc, second)).startsWith("401");
            assertThat(hello(mvc, entra.token("alice"))).startsWith("200");
            String own = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            assertThat(hello(mvc, own)).startsWith("200");
        });
    }

    @Test
    void permissionSource_seesTheSubjectWithItsIssuer() {
        PermissionSource owners = new PermissionSource() {
            @Override
            public String name() {
                return "owners";
            }

            @Override
            public Access authorize(Subject subject, Permission permission) {
                return subject.id().equals("keycloak:alice") ? Access.GRANTED : Access.DENIED;
            }
        };
        service.withBean("owners", AuthPlugin.class, () -> owners).run(context -> {
            AuthChain chain = context.getBean(AuthChain.class);
            Permission read = new Permission("order:1", "read");
            Subject foreign = ((Authenticated) verdict(context, keycloak.token("alice"))).subject();
            Subject local = ((Authenticated)
                            chain.authenticate(new PasswordCredentials("alice", Secret.of(Services.PASSWORD))))
                    .subject();
            assertThat(chain.authorize(foreign, read)).isTrue();
            assertThat(chain.authorize(local, read)).isFalse();
        });
    }

    @Test
    void sharedIssuer_keepsItsIds_butNoneOfAnotherSource() {
        service.withPropertyValues("latchkey.shared-subjects=keycloak").run(context -> {
            assertThat(((Authenticated) verdict(context, keycloak.token("alice")))
                            .subject()
                            .id())
                    .isEqualTo("alice");
            assertThat(verdict(context, keycloak.token("entra:alice"))).isInstanceOf(Rejected.class);
            assertThat(((Authenticated) verdict(context, entra.token("alice")))
                            .subject()
                            .id())
                    .isEqualTo("entra:alice");
        });
    }

    @Test
    void serviceWithoutAKeyOfItsOwn_acceptsTokensOfAnIssuerThatIsABean() throws Exception {
        NimbusJwtDecoder decoder =
                NimbusJwtDecoder.withPublicKey(keycloak.key.toRSAPublicKey()).build();
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean(
                        TrustedIssuer.class,
                        () -> TrustedIssuer.of("keycloak", keycloak.issuer, "orders", decoder)
                                .withSubjectClaim("preferred_username"))
                .run(context -> {
                    Subject subject = ((Authenticated) verdict(
                                    context, keycloak.token("4711", all -> all.claim("preferred_username", "ada"))))
                            .subject();
                    assertThat(subject.id()).isEqualTo("keycloak:ada");
                    assertThat(subject.authorities()).containsExactlyInAnyOrder("SCOPE_openid", "SCOPE_profile");
                    assertThat(verdict(context, keycloak.token("ada"))).isInstanceOf(Rejected.class);
                    String token = keycloak.token("4711", all -> all.claim("preferred_username", "ada"));
                    assertThat(hello(Services.mvc(context), token)).isEqualTo("200 Hello keycloak:ada");
                });
    }

    @Test
    void ageBeyondTheTimeOfRevocations_isRefused() {
        TrustedIssuer partner = TrustedIssuer.of("partner", "https://partner.example.com", "orders", token -> {
            throw new IllegalStateException();
        });
        assertThat(partner.withMaxAge(Duration.ofDays(30)).maxAge()).isEqualTo(Duration.ofDays(30));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> partner.withMaxAge(Duration.ofDays(30).plusMillis(1)))
                .withMessage("The maximum age of a token is at most 30 days, got PT720H0.001S");
    }

    @Test
    void tokensByTheServicesClock_andRevocationsForAsLongAsATokenIsAccepted() {
        Moved clock = new Moved();
        service.withBean("latchkeyClock", InstantSource.class, () -> clock).run(context -> {
            String lasting = keycloak.token(
                    "alice", all -> all.expirationTime(Date.from(Instant.now().plusSeconds(80_000))));
            clock.now = Instant.now();
            context.getBean(AuthChain.class).revokeAll("keycloak:alice", clock.now);
            clock.now = clock.now.plusSeconds(79_000);
            context.getBean(AuthChain.class).revokeAll("other", clock.now);
            assertThat(verdict(context, lasting)).isInstanceOf(Rejected.class);
            assertThat(verdict(context, keycloak.token("bob"))).isInstanceOf(Rejected.class);
        });
    }

    @Test
    void settingsWithoutAnAudience_orWithTheNameOfAPlugin_stopTheStart() {
        service.withPropertyValues("latchkey.trusted-issuers.keycloak.audience=")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("audience"));
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues(keycloak.settings("users"))
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("[users]"));
        service.withPropertyValues("latchkey.plugins=users,jwt,trusted-issuers")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("trusted-issuers before"));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void keysOverPlainHttp_areLoggedWithoutTheQueryOfTheirAddress(CapturedOutput output) {
        service.withPropertyValues("latchkey.trusted-issuers.keycloak.jwk-set-uri=" + keycloak.keys()
                        + "?code=secret-of-the-query")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("latchkey.trusted-issuers.keycloak.jwk-set-uri is plain HTTP")
                .doesNotContain("secret-of-the-query");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Verdict verdict(ApplicationContext context, String token) {
        return context.getBean(AuthChain.class).authenticate(BearerToken.of(token));
    }

    private static String hello(MockMvc mvc, String token) throws Exception {
        var response = mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse();
        return response.getStatus() + " " + (response.getStatus() == 200 ? response.getContentAsString() : "");
    }

    /** The public key as the secret of an HMAC: CVE-2015-9235 and many after it. */
    private static String hmac(JWTClaimsSet claims, byte[] key, String id) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(id).build(), claims);
        token.sign(new MACSigner(key));
        return token.serialize();
    }

    private static byte[] pem(byte[] key) {
        return ("-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static final class Moved implements InstantSource {
        private volatile Instant now = Instant.now();

        @Override
        public Instant instant() {
            return now;
        }
    }
}
