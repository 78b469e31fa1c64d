package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.switchuser.SwitchUserFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A revocation of a subject ends the HTTP sessions of its earlier logins. */
class RevokedSessionsTest {

    private Instant now = Instant.parse("2026-11-24T10:00:00Z");
    private boolean isDown;
    private Runnable beforeTheStoreAnswers = () -> {};

    private final WebApplicationContextRunner withoutAKey = Services.web()
            .withUserConfiguration(Chain.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> now);

    private final WebApplicationContextRunner service = withoutAKey
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
            .withBean(
                    RevocationStore.class,
                    () -> Unreliable.around(
                            RevocationStore.class,
                            new InMemoryRevocationStore(Duration.ofHours(1), () -> now),
                            method -> {
                                beforeTheStoreAnswers.run();
                                return isDown;
                            }));

    @Test
    void revocation_endsTheSessionsOfBefore_andNoSessionOfAnotherAccount() {
        service.run(context -> {
            MockHttpSession alice = login(context, new MockHttpSession(), "alice");
            MockHttpSession bob = login(context, new MockHttpSession(), "bob");
            revoke(context, "alice");
            assertThat(hello(context, alice)).startsWith("302");
            assertThat(alice.isInvalid()).isTrue();
            assertThat(hello(context, bob)).isEqualTo("200 Hello bob");
        });
    }

    @Test
    void revocation_endsSessions_alsoWithoutThePluginOfTokens_andWithoutAKey() {
        for (WebApplicationContextRunner each :
                List.of(service.withPropertyValues("latchkey.plugins=users"), withoutAKey)) {
            each.run(context -> {
                MockHttpSession alice = login(context, new MockHttpSession(), "alice");
                revoke(context, "alice");
                assertThat(hello(context, alice)).startsWith("302");
            });
        }
    }

    @Test
    void loginAfterTheRevocation_isGood_inASessionOfBeforeToo() {
        service.run(context -> {
            MockHttpSession anonymous = new MockHttpSession();
            anonymous.setAttribute("cart", "book");
            revoke(context, "alice");
            MockHttpSession session = login(context, anonymous, "alice");
            assertThat(session.getAttribute("cart")).isEqualTo("book");
            assertThat(hello(context, session)).isEqualTo("200 Hello alice");
            revoke(context, "alice");
            assertThat(hello(context, session)).startsWith("302");
        });
    }

    @Test
    void sessionThatAParallelRequestEnds_isAnEndedSession() {
        for (boolean isRevoked : new boolean[] {true, false}) {
            service.run(context -> {
                MockHttpSession session = login(context, new MockHttpSession(), "alice");
                if (isRevoked) {
                    revoke(context, "alice");
                }
                beforeTheStoreAnswers = () -> {
                    if (!session.isInvalid()) {
                        session.invalidate();
                    }
                };
                assertThat(hello(context, session)).startsWith("302");
                beforeTheStoreAnswers = () -> {};
            });
        }
    }

    @Test
    void sessionThatAParallelRequestEnds_afterTheLogin_keepsNoTime() {
        service.run(context -> {
            MockHttpSession session = new MockHttpSession() {
                @Override
                public void setAttribute(String name, Object value) {
                    if (name.equals(SessionRevocations.attributeOf("alice"))) {
                        invalidate();
                    }
                    super.setAttribute(name, value);
                }
            };
            assertThat(answer(
                            context,
                            post("/login")
                                    .session(session)
                                    .param("username", "alice")
                                    .param("password", Services.PASSWORD)))
                    .startsWith("302");
            assertThat(session.isInvalid()).isTrue();
        });
    }

    @Test
    void loginOfTheSameSecond_isRevoked() {
        service.run(context -> {
            context.getBean(AuthChain.class).revokeAll("alice", now);
            MockHttpSession session = login(context, new MockHttpSession(), "alice");
            assertThat(hello(context, session)).startsWith("302");
        });
    }

    @Test
    void sessionWithoutATime_countsFromItsCreation() {
        service.run(context -> {
            MockHttpSession session = login(context, new MockHttpSession(), "alice");
            session.removeAttribute(SessionRevocations.attributeOf("alice"));
            now = Instant.ofEpochMilli(session.getCreationTime()).minusSeconds(60);
            revoke(context, "alice");
            assertThat(hello(context, session)).startsWith("200");
            now = Instant.ofEpochMilli(session.getCreationTime()).plusSeconds(60);
            revoke(context, "alice");
            assertThat(hello(context, session)).startsWith("302");
        });
    }

    @Test
    void passwordOfAnotherAccount_doesNotRenewTheSession() {
        service.run(context -> {
            MockHttpSession session = login(context, new MockHttpSession(), "alice");
            revoke(context, "alice");
            String basic = ReactiveServices.basic("bob", Services.PASSWORD);
            assertThat(answer(context, get("/hello").session(session).header("Authorization", basic)))
                    .isEqualTo("200 Hello bob");
            assertThat(session.isInvalid()).isTrue();
        });
    }

    @Test
    void loginOfOneRequest_doesNotRenewTheLoginInTheSession() {
        service.withUserConfiguration(Api.class).run(context -> {
            MockHttpSession stolen = login(context, new MockHttpSession(), "alice");
            revoke(context, "alice");
            String basic = ReactiveServices.basic("alice", Services.PASSWORD);
            assertThat(answer(context, get("/api/hello").session(stolen).header("Authorization", basic)))
                    .isEqualTo("200 Hello alice");
            assertThat(hello(context, stolen)).startsWith("302");
        });
    }

    @Test
    void errorPageAlone_isNoPageOfTheRevokedUser() {
        service.run(context -> {
            MockHttpSession session = login(context, new MockHttpSession(), "alice");
            MockHttpServletRequestBuilder error = get("/hello")
                    .session(session)
                    .requestAttr(RequestDispatcher.ERROR_REQUEST_URI, "//hello;x")
                    .with(request -> {
                        request.setDispatcherType(DispatcherType.ERROR);
                        return request;
                    });
            assertThat(answer(context, error)).isEqualTo("200 Hello alice");
            revoke(context, "alice");
            assertThat(answer(context, error)).startsWith("302");
        });
    }

    @Test
    void switchedUser_isALoginOfBothAccounts_andTheWayBackIsNoNewLogin() {
        WebApplicationContextRunner switching = service.withUserConfiguration(Switch.class);
        switching.run(context -> {
            MockHttpSession session = switched(context);
            revoke(context, "alice");
            assertThat(hello(context, session)).startsWith("302");
        });
        switching.run(context -> {
            MockHttpSession session = switched(context);
            revoke(context, "bob");
            assertThat(hello(context, session)).startsWith("302");
        });
        switching.run(context -> {
            Instant loggedIn = now;
            MockHttpSession session = switched(context);
            now = now.plusSeconds(2);
            assertThat(answer(context, post("/logout/impersonate").session(session)))
                    .startsWith("302");
            assertThat(hello(context, session)).isEqualTo("200 Hello alice");
            context.getBean(AuthChain.class).revokeAll("alice", loggedIn.plusSeconds(1));
            assertThat(hello(context, session)).startsWith("302");
        });
    }

    private MockHttpSession switched(ApplicationContext context) throws Exception {
        MockHttpSession session = login(context, new MockHttpSession(), "alice");
        now = now.plusSeconds(2);
        assertThat(answer(context, post("/login/impersonate").session(session).param("username", "bob")))
                .startsWith("302");
        assertThat(hello(context, session)).isEqualTo("200 Hello bob");
        return session;
    }

    @Test
    void storeThatDoesNotAnswer_isAnOutageForSessions() {
        service.run(context -> {
            MockHttpSession session = login(context, new MockHttpSession(), "alice");
            isDown = true;
            assertThat(hello(context, session)).startsWith("503");
            isDown = false;
            assertThat(hello(context, session)).startsWith("200");
        });
    }

    private void revoke(ApplicationContext context, String subject) {
        context.getBean(AuthChain.class).revokeAll(subject, now);
        now = now.plusSeconds(2);
    }

    private static MockHttpSession login(ApplicationContext context, MockHttpSession session, String name)
            throws Exception {
        return (MockHttpSession) Services.mvc(context)
                .perform(post("/login").session(session).param("username", name).param("password", Services.PASSWORD))
                .andReturn()
                .getRequest()
                .getSession(false);
    }

    private static String hello(ApplicationContext context, MockHttpSession session) throws Exception {
        return answer(context, get("/hello").session(session));
    }

    private static String answer(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        MockHttpServletResponse response =
                Services.mvc(context).perform(request).andReturn().getResponse();
        return response.getStatus() + " " + response.getContentAsString();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        UserDetailsService accounts() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password(Services.HASH).build(),
                    User.withUsername("bob").password(Services.HASH).build());
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http, ObjectProvider<SwitchUserFilter> switches) throws Exception {
            switches.ifAvailable(http::addFilter);
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .formLogin(withDefaults())
                    .httpBasic(withDefaults())
                    .exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(
                            (request, response, failure) -> response.sendRedirect("/login"), request -> true))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    /** Without logins in sessions. */
    @Configuration(proxyBeanMethods = false)
    static class Api {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.securityMatcher("/api/**")
                    .securityContext(context ->
                            context.securityContextRepository(new RequestAttributeSecurityContextRepository()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        ApiHello apiHello() {
            return new ApiHello();
        }
    }

    @RestController
    static class ApiHello {

        @GetMapping("/api/hello")
        String hello(Principal user) {
            return "Hello " + user.getName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Switch {

        @Bean
        SwitchUserFilter switchUserFilter(UserDetailsService accounts) {
            SwitchUserFilter filter = new SwitchUserFilter();
            filter.setUserDetailsService(accounts);
            filter.setTargetUrl("/hello");
            return filter;
        }
    }
}
