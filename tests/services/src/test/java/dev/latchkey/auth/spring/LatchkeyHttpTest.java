package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/** What a caller sees of a chain with {@code with(latchkey(), …)}: statuses, challenges and problems. */
class LatchkeyHttpTest {

    private static final String NO_KEY = "latchkey.jwt.secret=false";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, TokensOnly.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void requestWithoutCredentials_isChallengedWithoutAnError() {
        service.run(context -> Services.mvc(context)
                .perform(get("/hello"))
                .andExpect(status().isUnauthorized())
                .andExpect(header().string("WWW-Authenticate", "Bearer realm=\"Realm\""))
                .andExpect(content().contentType("application/problem+json")));
    }

    @Test
    void badToken_isChallengedWithInvalidToken() {
        service.run(context -> Services.mvc(context)
                .perform(get("/hello").header("Authorization", "Bearer not.a.token"))
                .andExpect(status().isUnauthorized())
                .andExpect(header().string("WWW-Authenticate", "Bearer realm=\"Realm\", error=\"invalid_token\"")));
    }

    /** Spring's filters look in a strategy that is a bean, and not in the static one. */
    @Test
    void contextIsKeptWhereTheServicesStrategySays() {
        service.withBean(SecurityContextHolderStrategy.class, OwnHolder::new).run(context -> {
            MockMvc mvc = Services.mvc(context);
            String token = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                    .andExpect(status().isOk());
        });
    }

    @Test
    void switchedOff_theChainIsAsTheServiceWroteIt_andNobodyIsLetInByIt() {
        service.withPropertyValues("latchkey.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            MockMvc mvc = Services.mvc(context);
            mvc.perform(get("/hello")).andExpect(status().isForbidden());
            mvc.perform(get("/hello").header("Authorization", "Bearer a.b.c")).andExpect(status().isForbidden());
            mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN))
                    .andExpect(status().isForbidden());
        });
    }

    /** As in {@code @WebMvcTest}, whose message has to tell how to go on: no analysis of a failure is printed there. */
    @Test
    void chainWithoutTheStartersBeans_saysWhatToWrite() {
        Services.boot()
                .withUserConfiguration(Services.Accounts.class, TokensOnly.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey()")
                        .hasMessageContaining("@AutoConfigureLatchkeyTest"));
    }

    @Test
    void severalChainsOfPlugins_leaveThePrimaryChain() {
        AuthChain refusing = AuthChain.of(List.of(answering(any -> Rejected.because(RejectionReason.BAD_CREDENTIALS))));
        AuthChain accepting = AuthChain.of(List.of(answering(any -> Authenticated.as(Subject.of("alice")))));
        WebApplicationContextRunner two = Services.web()
                .withUserConfiguration(Services.Accounts.class, TokensOnly.class)
                .withBean("refusing", AuthChain.class, () -> refusing);
        two.withBean("accepting", AuthChain.class, () -> accepting, bean -> bean.setPrimary(true))
                .run(context -> Services.mvc(context)
                        .perform(get("/hello").header("Authorization", "Bearer x"))
                        .andExpect(status().isOk()));
        two.withBean("accepting", AuthChain.class, () -> accepting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void schemeIsReadInAnyCase_andTwoAuthorizationFieldsOpenNothing() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String token = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            mvc.perform(get("/hello").header("Authorization", "bEARER " + token))
                    .andExpect(status().isOk());
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token, "Bearer " + token))
                    .andExpect(status().isBadRequest());
        });
    }

    @Test
    void pluginThatThrows_isA500ThatSaysNothing() {
        service.withBean(
                        "broken",
                        AuthPlugin.class,
                        () -> answering(credentials -> {
                            throw new IllegalStateException("select * from users where token='s3cret'");
                        }))
                .withPropertyValues(NO_KEY, "latchkey.login.enabled=false")
                .run(context -> Services.mvc(context)
                        .perform(get("/hello").header("Authorization", "Bearer x"))
                        .andExpect(status().isInternalServerError())
                        .andExpect(result -> assertThat(result.getResponse().getContentAsString())
                                .contains("\"status\":500", "\"title\":\"Internal Server Error\"")
                                .doesNotContain("s3cret", "IllegalState")));
    }

    @Test
    void outage_isA503WithRetryAfter_andThrottlingA429() {
        assertUnavailable(AuthUnavailableException.outage("down"), 503, "5");
        assertUnavailable(AuthUnavailableException.overload("full", Duration.ofMillis(1200)), 503, "2");
        assertUnavailable(AuthUnavailableException.throttled("slow down", Duration.ofSeconds(30)), 429, "30");
    }

    @Test
    void login_isNotStoppedByCsrf_andNothingElseIsLetThroughByIt() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN))
                    .andExpect(status().isOk());
            mvc.perform(post("/hello")).andExpect(status().isForbidden());
            mvc.perform(post("/hello").header("Authorization", "Basic eDp5")).andExpect(status().isForbidden());
        });
    }

    @Test
    void login_answersPostOnly() {
        service.run(context -> Services.mvc(context).perform(get("/auth/token")).andExpect(status().isUnauthorized()));
    }

    @Test
    void logoutWithoutAToken_isUnauthorized_andWithATokenThatIsNotAccepted_isNotDone() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/auth/logout")).andExpect(status().isUnauthorized());
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer rubbish"))
                    .andExpect(status().isUnauthorized())
                    .andExpect(header().string("WWW-Authenticate", containsString("error=\"invalid_token\"")));
        });
    }

    /** A plugin may accept tokens and revoke none. */
    @Test
    void logoutWithATokenOfAPlugin_isDone_andTokensThatThePluginRefusesAreUnauthorized() {
        AuthPlugin plugin =
                answering(credentials -> ((BearerToken) credentials).token().withText("opaque"::contentEquals)
                        ? Authenticated.as(Subject.of("robot"))
                        : Decision.abstained());
        service.withBean("fake", AuthPlugin.class, () -> plugin).run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer opaque"))
                    .andExpect(status().isNoContent());
            mvc.perform(post("/auth/logout").header("Authorization", "Bearer other"))
                    .andExpect(status().isUnauthorized());
        });
    }

    @Test
    void bodyAtTheLimit_isRead_andOneByteMoreIsNot() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String padding = " ".repeat(8192 - Services.LOGIN.length());
            mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN + padding))
                    .andExpect(status().isOk());
            mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN + padding + " "))
                    .andExpect(status().is(413));
        });
    }

    private void assertUnavailable(AuthUnavailableException cause, int status, String retryAfter) {
        service.withBean(
                        "down",
                        AuthPlugin.class,
                        () -> answering(credentials -> {
                            throw cause;
                        }))
                .withPropertyValues(NO_KEY, "latchkey.login.enabled=false")
                .run(context -> Services.mvc(context)
                        .perform(get("/hello").header("Authorization", "Bearer x"))
                        .andExpect(status().is(status))
                        .andExpect(header().string("Retry-After", retryAfter)));
    }

    private static AuthPlugin answering(Function<Credentials, Decision> answer) {
        return new LoginSource<BearerToken>() {
            @Override
            public String name() {
                return "fake";
            }

            @Override
            public Class<BearerToken> kind() {
                return BearerToken.class;
            }

            @Override
            public Decision authenticate(BearerToken credentials, RequestContext context) {
                return answer.apply(credentials);
            }
        };
    }

    /** A chain without Basic and forms, so that the challenge is ours. */
    @Configuration(proxyBeanMethods = false)
    static class TokensOnly {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
