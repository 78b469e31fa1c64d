package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.RecentProof;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** A denied request gets the answer of its way in: a session keeps the error page of the service. */
class DeniedRequestsTest {

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Rules.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    @Test
    void token_getsTheChallengeOfTokens() {
        service.run(context -> {
            String token = context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
            MockHttpServletResponse response =
                    answer(context, get("/nobody").header("Authorization", "Bearer " + token));
            assertThat(response.getStatus()).isEqualTo(403);
            assertThat(response.getHeader("WWW-Authenticate")).contains("insufficient_scope");
        });
    }

    @Test
    void sessionAndBasic_getTheErrorPageOfTheService() {
        service.run(context -> {
            MockHttpSession session = session(context);
            for (MockHttpServletRequestBuilder request : new MockHttpServletRequestBuilder[] {
                get("/nobody").session(session),
                get("/nobody").header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
            }) {
                MockHttpServletResponse response = answer(context, request);
                assertThat(response.getStatus()).isEqualTo(403);
                assertThat(response.getHeader("WWW-Authenticate")).isNull();
                // By sendError the container shows the page.
                assertThat(response.getErrorMessage()).isEqualTo("Forbidden");
            }
        });
    }

    @Test
    void proofThatIsTooOld_isToldToEachWayIn() {
        service.run(context -> {
            MockHttpServletResponse response = answer(context, get("/fresh").session(session(context)));
            assertThat(response.getStatus()).isEqualTo(401);
            assertThat(response.getHeader("WWW-Authenticate")).contains("insufficient_user_authentication");
        });
    }

    private static MockHttpSession session(ApplicationContext context) throws Exception {
        return (MockHttpSession) Services.mvc(context)
                .perform(formLogin().user("alice").password(Services.PASSWORD))
                .andReturn()
                .getRequest()
                .getSession();
    }

    private static MockHttpServletResponse answer(ApplicationContext context, MockHttpServletRequestBuilder request)
            throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse();
    }

    @Configuration(proxyBeanMethods = false)
    static class Rules {

        @Bean
        SecurityFilterChain chain(HttpSecurity http, RecentProof proof) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/nobody")
                            .denyAll()
                            .requestMatchers("/fresh")
                            .access(proof.within(Duration.ofMinutes(5)))
                            .anyRequest()
                            .authenticated())
                    .formLogin(withDefaults())
                    .httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
