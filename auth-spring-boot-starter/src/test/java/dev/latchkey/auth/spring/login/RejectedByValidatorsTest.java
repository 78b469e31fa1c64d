package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.token.TokenListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.test.web.servlet.MockMvc;

/** A token that the resource server rejects is no token for introspection and for the list of sessions. */
class RejectedByValidatorsTest {

    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final String CLIENT = "app";

    private final AtomicReference<OAuth2TokenValidatorResult> answer =
            new AtomicReference<>(OAuth2TokenValidatorResult.success());
    private final List<String> counted = new CopyOnWriteArrayList<>();

    private final WebApplicationContextRunner service = Services.resourceServer()
            .withUserConfiguration(Services.Accounts.class)
            .withBean(OAuth2TokenValidator.class, () -> jwt -> answer.get())
            .withPropertyValues(
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.login.logins.enabled=true",
                    "latchkey.login.introspection=true",
                    "latchkey.login.clients.app.secret=0123456789abcdefghijkl");

    enum Use {
        INTROSPECTION {
            @Override
            boolean works(ApplicationContext context, String token) {
                return !context.getBean(TokenInspection.class)
                        .claimsOf(token, CLIENT)
                        .isEmpty();
            }
        },
        LIST_OF_SESSIONS {
            @Override
            boolean works(ApplicationContext context, String token) throws Exception {
                return Services.mvc(context)
                                .perform(get("/auth/logins").header("Authorization", "Bearer " + token))
                                .andReturn()
                                .getResponse()
                                .getStatus()
                        == 200;
            }
        };

        abstract boolean works(ApplicationContext context, String token) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void rejectedToken_hasNoUse(Use use) {
        service.run(context -> {
            String token = login(context);
            assertThat(use.works(context, token)).as("accepted").isTrue();
            answer.set(OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token")));
            assertThat(use.works(context, token)).as("rejected").isFalse();
        });
    }

    @Test
    void rejectedToken_canBeRevoked() {
        service.run(context -> {
            String token = login(context);
            answer.set(OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token")));
            context.getBean(TokenRevocation.class).revoke(token);
            answer.set(OAuth2TokenValidatorResult.success());
            assertThat(Use.INTROSPECTION.works(context, token)).isFalse();
        });
    }

    /** The service asked the validators in the chain of its controller. A validator may want the fresh proof. */
    @Test
    void rejectedToken_canBeProvedAfresh() {
        service.run(context -> {
            String token = login(context);
            answer.set(OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token")));
            assertThat(context.getBean(StepUp.class)
                            .prove(
                                    token,
                                    new PasswordCredentials("alice", Secret.of(Services.PASSWORD)),
                                    Map.of(),
                                    RequestContext.none(),
                                    LIFETIME))
                    .isPresent();
        });
    }

    @Test
    void validatorWithoutADecision_isAnOutage() {
        service.withBean("undecided", OAuth2TokenValidator.class, () -> jwt -> {
                    throw new JwtException("The tenants cannot be read");
                })
                .run(context -> {
                    String token = login(context);
                    assertThatExceptionOfType(AuthUnavailableException.class)
                            .isThrownBy(() -> Use.INTROSPECTION.works(context, token));
                });
    }

    @Test
    void introspection_countsNoTokenOfARequest() {
        service.withBean(TokenListener.class, () -> counted::add).run(context -> {
            String token = login(context);
            assertThat(Use.INTROSPECTION.works(context, token)).isTrue();
            answer.set(OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token")));
            assertThat(Use.INTROSPECTION.works(context, token)).isFalse();
            assertThat(counted).isEmpty();
        });
    }

    @Test
    void validatorThatIssuesTokens_isNoCircle() {
        service.withUserConfiguration(IssuingValidator.class)
                .run(context -> assertThat(Use.INTROSPECTION.works(context, login(context)))
                        .isTrue());
    }

    /** The service's decoder is for the tokens of another issuer, and so are its validators. */
    @Test
    void validatorsOfAnotherDecoder_areNotAsked() {
        answer.set(OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token")));
        service.withBean(JwtDecoder.class, () -> token -> {
                    throw new JwtException("of another issuer");
                })
                .run(context -> {
                    String token = context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", LIFETIME));
                    assertThat(Use.INTROSPECTION.works(context, token)).isTrue();
                });
    }

    private static String login(ApplicationContext context) throws Exception {
        MockMvc mvc = Services.mvc(context);
        return Services.tokenFrom(
                mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN)));
    }

    @Configuration(proxyBeanMethods = false)
    static class IssuingValidator {

        @Bean
        OAuth2TokenValidator<Jwt> issuing(TokenIssuer issuer) {
            assertThat(issuer).isNotNull();
            return jwt -> OAuth2TokenValidatorResult.success();
        }
    }
}
