package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.SecretEncoding;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.io.Decoders;
import io.jsonwebtoken.security.Keys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.xml.bind.DatatypeConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Tokens signed by other libraries, with their secrets and claims. */
class OldTokensTest {

    /** A text that is no Base64, as tutorials give it to jjwt 0.9 in place of Base64. */
    private static final String SECRET_0_9 =
            "the-quick_brown fox jumps over the lazy dog, and then once more, and again! 0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFG";

    /** Signed by jjwt 0.9.1: {@code Jwts.builder().setSubject("alice")….signWith(SignatureAlgorithm.HS512, SECRET_0_9)}. */
    private static final String TOKEN_0_9 =
            "eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhbGljZSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAwfQ"
                    + ".ghnxgxWpPGZ4F4_XnrwrEid3jjxszquh6u6WNHsvos8D2Gi_KLLkO59PBCMGbrfNtCfpVTpA6UoXUtsz4wxUPw";

    /** The same with {@code typ: JWS} and {@code claim("auth", "ROLE_ADMIN,ROLE_USER")}, as JHipster had it. */
    private static final String TOKEN_0_9_WITH_ROLES = "eyJ0eXAiOiJKV1MiLCJhbGciOiJIUzUxMiJ9"
            + ".eyJzdWIiOiJhbGljZSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAwLCJhdXRoIjoiUk9MRV9BRE1JTixST0xFX1VTRVIifQ"
            + ".FqKk3CTmqiH91SwpNCtmnKLrP6sbUOqQ3lsCKKE9SAIzQNNnhPqtEQeSQ3b75KmRRqpP9DY6TxLj8GlZ1wxyZg";

    /** In the form of bezkoder's tutorial: with equals signs where no padding can be. */
    private static final String SECRET_0_11 = "====================Shop=Tokens=Of=Old=Times=And=More=0123456789==";

    /** Signed by jjwt 0.11.5: {@code signWith(Keys.hmacShaKeyFor(Decoders.BASE64.decode(SECRET_0_11)), SignatureAlgorithm.HS256)}. */
    private static final String TOKEN_0_11 =
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAwfQ"
                    + ".lLRfh0c643oqPMpHNxVR3ZP5fGjNSrHXQwpQ9Cwtgng";

    private static final String TEXT_SECRET = "a text secret of the service with enough bytes";

    /** Signed by jjwt 0.11.5 with the bytes of TEXT_SECRET: authorities are objects, as in murraco's service. */
    private static final String TOKEN_WITH_OBJECTS =
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSIsImF1dGgiOlt7ImF1dGhvcml0eSI6IlJPTEVfQ0xJRU5UIn0seyJhdXRob3JpdHkiOiJST0xF"
                    + "X0FETUlOIn1dLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6NDEwMjQ0NDgwMH0.-74J6NbdecPtLokaDsu80kr7CmWDSfRjp4u-X9PYARs";

    private static final String CHARACTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/+/==--__ .,!$:\n";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final Accounts accounts = new Accounts();
    private final WebApplicationContextRunner service =
            Services.web().withBean(UserDetailsService.class, () -> accounts);

    @ParameterizedTest
    @EnumSource(
            value = SecretEncoding.class,
            names = {"JJWT", "JJWT_0_9", "NIMBUS"})
    void secret_isReadAsTheLibraryReadsIt(SecretEncoding encoding) {
        Function<String, byte[]> library = switch (encoding) {
            case JJWT -> Decoders.BASE64::decode;
            case JJWT_0_9 -> DatatypeConverter::parseBase64Binary;
            default -> text -> new com.nimbusds.jose.util.Base64(text).decode();
        };
        Random random = new Random(20261124);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            int kinds = i % 3 == 0 ? CHARACTERS.length() : i % 3 == 1 ? 68 : 64;
            StringBuilder text = new StringBuilder();
            int length = 44 + random.nextInt(32);
            while (text.length() < length) {
                text.append(CHARACTERS.charAt(random.nextInt(kinds)));
            }
            text.append("=".repeat(random.nextInt(4)));
            byte[] expected;
            try {
                expected = library.apply(text.toString());
            } catch (RuntimeException e) {
                // A service with such a secret never had tokens.
                continue;
            }
            HmacKey key;
            try {
                key = HmacKey.ofSecret(text, encoding, HmacAlgorithm.HS256);
            } catch (IllegalArgumentException e) {
                assertThat(expected.length).as("%s: %s", text, e.getMessage()).isLessThan(32);
                continue;
            }
            read++;
            assertThat(key.hasSameBytesAs(HmacKey.of(expected, HmacAlgorithm.HS256)))
                    .as(text.toString())
                    .isTrue();
        }
        assertThat(read).isGreaterThan(5_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/auth/logout", "/auth/revoke"})
    void logout_endsATokenWithoutAnId_andNoOther(String path) {
        old(SECRET_0_9, "jjwt-0-9")
                .withPropertyValues("latchkey.jwt.algorithm=HS512", "latchkey.login.enabled=true")
                .run(context -> {
                    AuthChain plugins = context.getBean(AuthChain.class);
                    assertThat(plugins.authenticate(BearerToken.of(TOKEN_0_9))).isInstanceOf(Authenticated.class);
                    Services.mvc(context)
                            .perform(post(path)
                                    .header("Authorization", "Bearer " + TOKEN_0_9)
                                    .contentType("application/x-www-form-urlencoded")
                                    .content("token=" + TOKEN_0_9))
                            .andExpect(status().is2xxSuccessful());
                    assertThat(plugins.authenticate(BearerToken.of(TOKEN_0_9)))
                            .isEqualTo(Rejected.because(RejectionReason.REVOKED).withDetail("token"));
                    assertThat(plugins.authenticate(BearerToken.of(TOKEN_0_9_WITH_ROLES)))
                            .isInstanceOf(Authenticated.class);
                });
    }

    @Test
    void tokenWithoutRoles_hasThoseOfTheAccount_whichIsLookedUpOnce() {
        old(SECRET_0_9, "jjwt-0-9")
                .withPropertyValues("latchkey.jwt.algorithm=HS512")
                .run(context -> {
                    assertThat(authorities(context, TOKEN_0_9)).containsExactly("ROLE_USER");
                    assertThat(authorities(context, TOKEN_0_9)).containsExactly("ROLE_USER");
                    assertThat(accounts.asked).hasValue(1);
                    assertThat(authorities(context, TOKEN_0_9_WITH_ROLES))
                            .containsExactlyInAnyOrder("ROLE_ADMIN", "ROLE_USER");
                    assertThat(accounts.asked).hasValue(1);
                });
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .run(context -> assertThat(authorities(context, TOKEN_0_11)).containsExactly("ROLE_USER"));
    }

    @Test
    void accountThatIsDisabledOrGone_isRefused_andSoIsARevokedToken() {
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .run(context -> {
                    accounts.disabled = true;
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Rejected.class);
                });
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .run(context -> {
                    accounts.disabled = false;
                    accounts.gone = true;
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Rejected.class);
                });
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .run(context -> {
                    accounts.gone = false;
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Authenticated.class);
                    context.getBean(AuthChain.class).revokeAll("alice", Instant.now());
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Rejected.class);
                });
    }

    @Test
    void changeOfTheAccount_isSeenAfterTenSeconds() {
        AtomicLong nanos = new AtomicLong();
        old(SECRET_0_11, "jjwt").run(context -> {
            AccountRights rights = new AccountRights(() -> context.getBean(AuthChain.class), nanos::get);
            assertThat(rights.apply("alice")).get().isInstanceOf(Authenticated.class);
            accounts.disabled = true;
            nanos.addAndGet(AccountRights.KEPT_FOR.toNanos() - 1);
            assertThat(rights.apply("alice")).get().isInstanceOf(Authenticated.class);
            nanos.addAndGet(1);
            assertThat(rights.apply("alice").filter(Authenticated.class::isInstance))
                    .isEmpty();
        });
    }

    @Test
    void ageOfALookUp_isThatOfLatchkeysNanoTime() {
        AtomicLong nanos = new AtomicLong();
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .withBean("latchkeyNanoTime", LongSupplier.class, () -> nanos::get)
                .run(context -> {
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Authenticated.class);
                    accounts.disabled = true;
                    nanos.addAndGet(AccountRights.KEPT_FOR.toNanos() - 1);
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Authenticated.class);
                    nanos.addAndGet(1);
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Rejected.class);
                });
    }

    @Test
    void clockOfTheService_decidesNothingAboutTheCache() {
        old(SECRET_0_11, "jjwt")
                .withPropertyValues("latchkey.jwt.algorithm=HS256")
                .withBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class, () -> now::get)
                .run(context -> {
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Authenticated.class);
                    pass(AccountRights.KEPT_FOR);
                    assertThat(verdict(context, TOKEN_0_11)).isInstanceOf(Authenticated.class);
                    assertThat(accounts.asked).hasValue(1);
                });
    }

    @Test
    void authoritiesAsObjects_andAsATextWithAPrefix_areRead() throws Exception {
        old(TEXT_SECRET, "text").run(context -> {
            assertThat(authorities(context, TOKEN_WITH_OBJECTS)).containsExactlyInAnyOrder("ROLE_CLIENT", "ROLE_ADMIN");
            String today = Jwts.builder()
                    .subject("alice")
                    .expiration(Date.from(Instant.now().plus(Duration.ofHours(1))))
                    .claim("auth", List.of("ROLE_NEW"))
                    .signWith(Keys.hmacShaKeyFor(TEXT_SECRET.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                    .compact();
            assertThat(authorities(context, today)).containsExactly("ROLE_NEW");
        });
        old(TEXT_SECRET, "text")
                .withPropertyValues(
                        "latchkey.jwt.old-tokens.authorities-claim=scope",
                        "latchkey.jwt.old-tokens.authority-prefix=SCOPE_")
                .run(context -> assertThat(authorities(context, signed("scope", "read write")))
                        .containsExactlyInAnyOrder("SCOPE_read", "SCOPE_write"));
    }

    @Test
    void newTokens_haveTheClaimOfLatchkey_whichIsReadFirst() {
        old(TEXT_SECRET, "text")
                .withPropertyValues("latchkey.jwt.old-tokens.authorities-claim=auth")
                .run(context -> {
                    SignedJWT both = token(new JWTClaimsSet.Builder()
                            .claim("authorities", List.of())
                            .claim("auth", "ROLE_ADMIN"));
                    assertThat(authorities(context, both.serialize())).isEmpty();
                    assertThat(accounts.asked).hasValue(0);
                    assertThat(verdict(context, signed("auth", 7))).isInstanceOf(Rejected.class);
                });
    }

    @Test
    void withoutTheOptions_anOldTokenHasNoAuthorities() {
        service.withPropertyValues("latchkey.jwt.secret=" + TEXT_SECRET, "latchkey.jwt.secret-encoding=text")
                .run(context ->
                        assertThat(authorities(context, TOKEN_WITH_OBJECTS)).isEmpty());
        service.withPropertyValues("latchkey.jwt.secret=" + SECRET_0_11)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void webFlux_looksTheAccountUpWithoutHoldingUpAnEventLoop() {
        ReactiveUserDetailsService slow = name ->
                Mono.fromSupplier(() -> accounts.loadUserByUsername(name)).subscribeOn(Schedulers.boundedElastic());
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withBean(ReactiveUserDetailsService.class, () -> slow)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + TEXT_SECRET,
                        "latchkey.jwt.secret-encoding=text",
                        "latchkey.jwt.old-tokens.look-up-accounts=true")
                .run(context -> ReactiveServices.client(context)
                        .get()
                        .uri("/hello")
                        .headers(headers -> headers.setBearerAuth(signed("name", "Alice")))
                        .exchange()
                        .expectBody(String.class)
                        .isEqualTo("Hello alice"));
    }

    private WebApplicationContextRunner old(String secret, String encoding) {
        return service.withPropertyValues(
                "latchkey.jwt.secret=" + secret,
                "latchkey.jwt.secret-encoding=" + encoding,
                "latchkey.jwt.old-tokens.authorities-claim=auth",
                "latchkey.jwt.old-tokens.look-up-accounts=true");
    }

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    private static Verdict verdict(ApplicationContext context, String token) {
        return context.getBean(AuthChain.class).authenticate(BearerToken.of(token));
    }

    private static Set<String> authorities(ApplicationContext context, String token) {
        return ((Authenticated) verdict(context, token)).subject().authorities();
    }

    private static String signed(String claim, Object value) {
        return token(new JWTClaimsSet.Builder().claim(claim, value)).serialize();
    }

    /** By Nimbus, without {@code typ}, as Spring's encoder signs. */
    private static SignedJWT token(JWTClaimsSet.Builder claims) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader(JWSAlgorithm.HS256),
                    claims.subject("alice")
                            .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                            .build());
            token.sign(new MACSigner(TEXT_SECRET));
            return token;
        } catch (com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Accounts implements UserDetailsService {

        final AtomicInteger asked = new AtomicInteger();
        volatile boolean disabled;
        volatile boolean gone;

        @Override
        public UserDetails loadUserByUsername(String name) {
            asked.incrementAndGet();
            if (gone || !name.equals("alice")) {
                throw new UsernameNotFoundException(name);
            }
            return User.withUsername("alice")
                    .password("{noop}secret")
                    .authorities("ROLE_USER")
                    .disabled(disabled)
                    .build();
        }
    }
}
