package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.Accounts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;

/** Options of tokens: of the service for all logins, and of a single call. */
class TokenOptionsTest {

    private static final RequestContext HERE = RequestContext.from("192.0.2.7");
    private static final Authentication BOB = UsernamePasswordAuthenticationToken.authenticated(
            "bob", null, AuthorityUtils.createAuthorityList("ROLE_USER"));

    private static LoginParts service(List<String> settings, UnaryOperator<TokenOptions> change) {
        return new LoginParts(settings, (context, options) -> change.apply(options), new Accounts());
    }

    private static IssuedTokens login(LoginParts parts) {
        return (IssuedTokens) parts.login()
                .login(new PasswordCredentials("bob", Secret.of(Services.PASSWORD)), HERE)
                .orElseThrow();
    }

    private static String claims(IssuedTokens tokens) {
        return new String(
                Base64.getUrlDecoder().decode(tokens.access().value().split("\\.", -1)[1]), StandardCharsets.UTF_8);
    }

    @Test
    void lifetime_isThatOfTheOptions_withinItsBounds() {
        assertThat(login(service(List.of(), options -> options.withLifetime(Duration.ofSeconds(1))))
                        .access()
                        .lifetime())
                .isEqualTo(Duration.ofSeconds(1));
        List<String> longer = List.of("latchkey.jwt.max-lifetime=2h");
        assertThat(login(service(longer, options -> options.withLifetime(Duration.ofHours(2))))
                        .access()
                        .lifetime())
                .isEqualTo(Duration.ofHours(2));
        for (Duration wrong :
                List.of(Duration.ofMillis(999), Duration.ofHours(2).plusMillis(1))) {
            LoginParts parts = service(longer, options -> options.withLifetime(wrong));
            assertThatThrownBy(() -> login(parts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are 1 second to PT2H");
        }
    }

    @Test
    void session_endsAfterItsLifetime_andSoDoItsAccessTokens() {
        LoginParts parts = service(List.of(), options -> options.withSessionLifetime(Duration.ofMinutes(10)));
        IssuedTokens tokens = login(parts);
        assertThat(tokens.access().lifetime()).isEqualTo(Duration.ofMinutes(10));
        parts.pass(Duration.ofMinutes(9));
        IssuedTokens next = parts.refreshable()
                .refresh(tokens.refresh().orElseThrow().text())
                .orElseThrow();
        assertThat(next.access().lifetime()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        parts.pass(Duration.ofMinutes(2));
        assertThat(parts.refreshable().refresh(next.refresh().orElseThrow().text()))
                .isEmpty();
    }

    @Test
    void sessionThatEndsWithinASecond_getsNoTokens() {
        LoginParts parts = service(List.of(), options -> options.withSessionLifetime(Duration.ofMillis(999)));
        assertThat(parts.login().login(new PasswordCredentials("bob", Secret.of(Services.PASSWORD)), HERE))
                .isEmpty();
        assertThat(login(service(List.of(), options -> options.withSessionLifetime(Duration.ofSeconds(1))))
                        .access()
                        .lifetime())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void issuerAndAudience_areThoseOfTheSettings_andTheOptionsHaveAnotherAudience() {
        List<String> settings = List.of("latchkey.jwt.issuer=https://id.example", "latchkey.jwt.audience=shop");
        assertThat(claims(login(service(settings, options -> options))))
                .contains("\"iss\":\"https://id.example\"", "\"aud\":\"shop\"");
        assertThat(claims(login(service(settings, options -> options.withAudience("report")))))
                .contains("\"aud\":\"report\"");
        assertThat(claims(login(service(List.of(), options -> options)))).doesNotContain("\"iss\"", "\"aud\"");
    }

    @Test
    void claim_isInTheToken_andAnActorIsNot() {
        IssuedTokens tokens = login(service(
                List.of(), options -> options.withClaim("tenant", "acme").withClaim("act", Map.of("sub", "carol"))));
        assertThat(claims(tokens)).contains("\"tenant\":\"acme\"").doesNotContain("\"act\"");
    }

    @Test
    void optionsOfACall_comeAfterThoseOfTheService() {
        LoginParts parts = service(
                List.of(),
                options -> options.withLifetime(Duration.ofMinutes(1))
                        .withAudience("all")
                        .withClaim("a", 1)
                        .withClaim("b", 1)
                        .withSessionLifetime(Duration.ofMinutes(30))
                        .withAnswer(tokens -> Map.of("x", 1, "y", 1)));
        IssuedTokens plain = (IssuedTokens) parts.issuer().issue(BOB).orElseThrow();
        assertThat(plain.access().lifetime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(plain.answer()).isEqualTo(Map.of("x", 1, "y", 1));
        assertThat(plain.refresh()).isPresent();
        IssuedTokens own = (IssuedTokens) parts.issuer()
                .issue(
                        BOB,
                        HERE,
                        TokenOptions.defaults()
                                .withLifetime(Duration.ofMinutes(2))
                                .withAudience("own")
                                .withClaim("b", 2)
                                .withAnswer(tokens -> Map.of("y", 2)))
                .orElseThrow();
        assertThat(own.access().lifetime()).isEqualTo(Duration.ofMinutes(2));
        assertThat(claims(own)).contains("\"aud\":\"own\"", "\"a\":1", "\"b\":2");
        assertThat(own.answer()).isEqualTo(Map.of("x", 1, "y", 2));
        assertThat(own.refresh()).as("a refresh could not repeat these options").isEmpty();
    }

    @Test
    void sessionLifetimeOfACall_comesBeforeThatOfTheService() {
        LoginParts parts = service(List.of(), options -> options.withSessionLifetime(Duration.ofMinutes(30)));
        IssuedTokens own = (IssuedTokens) parts.issuer()
                .issue(BOB, HERE, TokenOptions.defaults().withSessionLifetime(Duration.ofMinutes(5)))
                .orElseThrow();
        assertThat(own.access().lifetime()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void accountAndProofs_areAMistakeInACustomizer() {
        List<UnaryOperator<TokenOptions>> late =
                List.of(options -> options.withProved("otp"), options -> options.asAccount("alice"));
        for (UnaryOperator<TokenOptions> change : late) {
            LoginParts parts = service(List.of(), change);
            assertThatThrownBy(() -> login(parts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("TokenCustomizer");
        }
    }

    @Test
    void options_areNotChanged() {
        TokenOptions options = TokenOptions.defaults()
                .withLifetime(Duration.ofMinutes(1))
                .withAudience("a")
                .withClaim("b", 1)
                .withProved("otp")
                .asAccount("bob")
                .ofClient("shop")
                .ofLogin(BOB)
                .rememberingMe();
        TokenOptions copy = options.withClaim("c", 2);
        assertThat(copy.lifetime()).contains(Duration.ofMinutes(1));
        assertThat(copy.audience()).contains("a");
        assertThat(copy.claims()).isEqualTo(Map.of("b", 1, "c", 2));
        assertThat(copy.proved()).containsExactly("otp");
        assertThat(copy.account()).contains("bob");
        assertThat(copy.client()).isEqualTo("shop");
        assertThat(copy.login()).isSameAs(BOB);
        assertThat(copy.isRemembered()).isTrue();
        assertThat(options.claims()).isEqualTo(Map.of("b", 1));
        assertThat(TokenOptions.defaults().claims()).isEmpty();
        assertThat(TokenOptions.defaults().isRemembered()).isFalse();
    }

    @Test
    void customizer_seesTheLogin() {
        TokenContext login = TokenContext.ofLogin(
                Authenticated.as(Subject.of("bob")).withDetails(7),
                HERE,
                TokenOptions.defaults().ofLogin(BOB).rememberingMe());
        assertThat(login.subject()).isEqualTo(Subject.of("bob"));
        assertThat(login.details(Integer.class)).contains(7);
        assertThat(login.details(String.class)).as("the principal").contains("bob");
        assertThat(login.details(Instant.class)).isEmpty();
        assertThat(login.authentication()).containsSame(BOB);
        assertThat(login.request()).isSameAs(HERE);
        assertThat(login.isRemembered()).isTrue();
        assertThat(login.isRefresh()).isFalse();
    }

    @Test
    void customizer_seesThatThereIsNoRequest_atARefresh() {
        TokenContext refresh = TokenContext.ofRefresh(Authenticated.as(Subject.of("bob")));
        assertThat(refresh.isRefresh()).isTrue();
        assertThat(refresh.isRemembered()).isFalse();
        assertThat(refresh.authentication()).isEmpty();
        assertThat(refresh.request()).isSameAs(RequestContext.none());
        TokenContext alone = TokenContext.of(Subject.of("bob"));
        assertThat(alone.subject()).isEqualTo(Subject.of("bob"));
        assertThat(alone.isRefresh()).isFalse();
    }

    @Test
    void proofOfTwoMethods_isInTheToken_andThatOfAPasswordIsNot() {
        LoginParts parts = new LoginParts(List.of(), (context, options) -> options, new StepPlugin(), new Accounts());
        assertThat(claims(login(parts))).doesNotContain("\"amr\"");
        NextStep step = (NextStep) parts.login()
                .login(new PasswordCredentials("alice", Secret.of(Services.PASSWORD)), HERE)
                .orElseThrow();
        IssuedTokens tokens = (IssuedTokens) parts.login()
                .goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), HERE)
                .orElseThrow();
        assertThat(claims(tokens)).contains("\"amr\":[\"otp\",\"pwd\"]", "\"auth_time\":");
        assertThat(parts.plugins().authenticate(BearerToken.of(tokens.access().value())))
                .isInstanceOf(Authenticated.class);
    }
}
