package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** No session keeps a login by credentials of each request: the session would outlive the revocation. */
@Tag("long")
class SessionsTest {

    private static final String CONTEXT = HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY;

    private final RevocableKey key = new RevocableKey();
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Chain.class)
            .withBean("key", AuthPlugin.class, () -> key)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    /** What a chain may say about sessions. */
    enum Rule {
        MAXIMUM,
        MAXIMUM_AND_ALWAYS,
        IMPLICIT_STRATEGY,
        IMPLICIT_SAVE,
        IMPLICIT_SAVE_AND_ALWAYS,
        LATCHKEY_FIRST
    }

    @ParameterizedTest
    @EnumSource
    void bearerToken_isInNoSession(Rule rule) {
        ruledBy(rule).run(context -> {
            String token =
                    Services.tokenFrom(answer(context, login()).getResponse().getContentAsString());
            MvcResult answer = answer(context, withToken(token));
            assertThat(answer.getResponse().getContentAsString()).isEqualTo("Hello alice");
            assertThat(heldBy(answer.getRequest().getSession(false))).isNull();
            answer(
                    context,
                    post("/auth/revoke")
                            .contentType(MediaType.APPLICATION_JSON)
                            .content("{\"token\":\"" + token + "\"}"));
            assertThat(statusOf(context, inTheSessionOf(answer, get("/hello")))).isEqualTo(401);
        });
    }

    @ParameterizedTest
    @EnumSource
    void keyOfAPlugin_isInNoSession(Rule rule) {
        ruledBy(rule).run(context -> {
            MvcResult answer = answer(context, get("/hello").header("X-Key", "good"));
            assertThat(answer.getResponse().getContentAsString()).isEqualTo("Hello robot");
            assertThat(heldBy(answer.getRequest().getSession(false))).isNull();
            key.revoke();
            assertThat(statusOf(context, inTheSessionOf(answer, get("/hello")))).isEqualTo(401);
        });
    }

    /** As services do for a page beside an API. */
    @Test
    void controllerThatWritesTheContext_keepsNoLoginOfOneRequest() {
        ruledBy(Rule.MAXIMUM).withBean(Keeper.class).run(context -> {
            MvcResult answer = answer(context, get("/keep").header("X-Key", "good"));
            assertThat(heldBy(answer.getRequest().getSession(false))).isNull();
            assertThat(statusOf(context, inTheSessionOf(answer, get("/hello")))).isEqualTo(401);
        });
    }

    /** As by a thread that ends after the request. */
    @Test
    void contextThatIsWrittenLater_logsInNobody() {
        ruledBy(Rule.MAXIMUM).withBean(Keeper.class).run(context -> {
            MvcResult answer = answer(context, get("/keep").header("X-Key", "good"));
            MockHttpSession session = (MockHttpSession) answer.getRequest().getSession(false);
            session.setAttribute("cart", "book");
            session.setAttribute(CONTEXT, context.getBean(Keeper.class).last);
            assertThat(statusOf(context, get("/hello").session(session))).isEqualTo(401);
            assertThat(heldBy(session)).isNull();
            assertThat(session.getAttribute("cart")).isEqualTo("book");
        });
    }

    @ParameterizedTest
    @EnumSource
    void session_staysItsOwners_whenARequestBringsAToken(Rule rule) {
        ruledBy(rule).run(context -> {
            MvcResult form = answer(context, form());
            MockHttpServletRequestBuilder both =
                    inTheSessionOf(form, get("/hello").header("X-Key", "good"));
            assertThat(answer(context, both).getResponse().getContentAsString()).isEqualTo("Hello robot");
            assertThat(answer(context, inTheSessionOf(form, get("/hello")))
                            .getResponse()
                            .getContentAsString())
                    .isEqualTo("Hello alice");
        });
    }

    @Test
    void tokens_takeNoPlaceAmongTheSessionsOfTheirOwner() {
        ruledBy(Rule.MAXIMUM).run(context -> {
            MvcResult form = answer(context, form());
            String token =
                    Services.tokenFrom(answer(context, login()).getResponse().getContentAsString());
            for (int i = 0; i < 3; i++) {
                MvcResult answer = answer(context, withToken(token));
                assertThat(answer.getRequest().getSession(false)).isNull();
            }
            assertThat(statusOf(context, inTheSessionOf(form, get("/hello")))).isEqualTo(200);
        });
    }

    @Test
    void secondSession_stillEndsTheFirst() {
        ruledBy(Rule.MAXIMUM).run(context -> {
            MvcResult first = answer(context, form());
            MvcResult second = answer(context, form());
            assertThat(answer(context, inTheSessionOf(first, get("/hello")))
                            .getResponse()
                            .getContentAsString())
                    .contains("expired");
            assertThat(statusOf(context, inTheSessionOf(second, get("/hello")))).isEqualTo(200);
        });
    }

    private WebApplicationContextRunner ruledBy(Rule rule) {
        return service.withPropertyValues("rule=" + rule);
    }

    private static @Nullable Object heldBy(@Nullable HttpSession session) {
        return session == null ? null : session.getAttribute(CONTEXT);
    }

    private static MockHttpServletRequestBuilder inTheSessionOf(
            MvcResult before, MockHttpServletRequestBuilder request) {
        MockHttpSession session = (MockHttpSession) before.getRequest().getSession(false);
        return session == null ? request : request.session(session);
    }

    private static int statusOf(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        return answer(context, request).getResponse().getStatus();
    }

    private static MvcResult answer(ApplicationContext context, MockHttpServletRequestBuilder request)
            throws Exception {
        return Services.mvc(context).perform(request).andReturn();
    }

    private static MockHttpServletRequestBuilder withToken(String token) {
        return get("/hello").header("Authorization", "Bearer " + token);
    }

    private static MockHttpServletRequestBuilder login() {
        return post("/auth/token").contentType(MediaType.APPLICATION_JSON).content(Services.LOGIN);
    }

    private static MockHttpServletRequestBuilder form() {
        return post("/login").param("username", "alice").param("password", Services.PASSWORD);
    }

    @RestController
    static class Keeper {

        private SecurityContext last = SecurityContextHolder.createEmptyContext();

        @GetMapping("/keep")
        void keep(HttpServletRequest request) {
            last = SecurityContextHolder.getContext();
            request.getSession().setAttribute(CONTEXT, last);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http, Environment environment) throws Exception {
            Rule rule = environment.getRequiredProperty("rule", Rule.class);
            if (rule == Rule.LATCHKEY_FIRST) {
                http.with(latchkey(), withDefaults());
            }
            http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults());
            switch (rule) {
                case MAXIMUM, LATCHKEY_FIRST -> http.sessionManagement(sessions -> sessions.maximumSessions(1));
                case MAXIMUM_AND_ALWAYS ->
                    http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.ALWAYS)
                            .maximumSessions(1));
                case IMPLICIT_STRATEGY ->
                    http.sessionManagement(sessions -> sessions.requireExplicitAuthenticationStrategy(false));
                case IMPLICIT_SAVE -> http.securityContext(contexts -> contexts.requireExplicitSave(false));
                case IMPLICIT_SAVE_AND_ALWAYS ->
                    http.securityContext(contexts -> contexts.requireExplicitSave(false))
                            .sessionManagement(
                                    sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.ALWAYS));
            }
            return (rule == Rule.LATCHKEY_FIRST ? http : http.with(latchkey(), withDefaults())).build();
        }
    }
}
