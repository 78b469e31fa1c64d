package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.Services;
import jakarta.servlet.http.Cookie;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.jdbc.config.annotation.web.http.EnableJdbcHttpSession;
import org.springframework.session.security.SpringSessionBackedSessionRegistry;
import org.springframework.session.web.http.SessionRepositoryFilter;

/** Spring Session keeps the HTTP sessions of plugins' accounts in a database. */
class StoredSessionsTest {

    private final WebApplicationContextRunner service = Services.web().withUserConfiguration(Chain.class);

    @Test
    void maximumSessions_boundsTheSessionsOfAPluginsAccount_alsoWithOtherAuthorities() {
        service.run(context -> {
            Cookie first = login(context, "alice");
            assertThat(hello(context, first)).isEqualTo("200 Hello alice");
            Cookie second = login(context, "alice");
            Cookie other = login(context, "bob");
            assertThat(hello(context, first)).doesNotContain("Hello");
            assertThat(hello(context, second)).isEqualTo("200 Hello alice");
            assertThat(hello(context, other)).isEqualTo("200 Hello bob");
        });
    }

    @Test
    void revocation_endsAStoredSession_andNoLaterOne() {
        service.run(context -> {
            Instant before = Instant.now().minusSeconds(1);
            Cookie earlier = login(context, "alice");
            context.getBean(AuthChain.class).revokeAll("alice", before);
            assertThat(hello(context, earlier)).startsWith("200");
            context.getBean(AuthChain.class).revokeAll("alice", Instant.now());
            assertThat(hello(context, earlier)).startsWith("302");
        });
    }

    private static Cookie login(ApplicationContext context, String name) throws Exception {
        Cookie session = Services.mvc(context)
                .perform(post("/login").param("username", name).param("password", Services.PASSWORD))
                .andReturn()
                .getResponse()
                .getCookie("SESSION");
        assertThat(session).isNotNull();
        return session;
    }

    private static String hello(ApplicationContext context, Cookie session) throws Exception {
        var response = Services.mvc(context)
                .perform(get("/hello").cookie(session))
                .andReturn()
                .getResponse();
        return response.getStatus() + " " + response.getContentAsString();
    }

    /** Each login of an account has other authorities. */
    static final class Directory implements LoginSource<PasswordCredentials> {

        private final AtomicInteger logins = new AtomicInteger();

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Authenticated.as(
                    Subject.of(credentials.username()).withAuthorities("ROLE_" + logins.incrementAndGet()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJdbcHttpSession
    static class Chain {

        @Bean(destroyMethod = "shutdown")
        DataSource sessions() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .addScript("org/springframework/session/jdbc/schema-h2.sql")
                    .build();
        }

        @Bean
        JdbcTransactionManager transactions(DataSource sessions) {
            return new JdbcTransactionManager(sessions);
        }

        @Bean
        FilterRegistrationBean<SessionRepositoryFilter<?>> filterOfSessions(SessionRepositoryFilter<?> filter) {
            FilterRegistrationBean<SessionRepositoryFilter<?>> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }

        @Bean
        Directory directory() {
            return new Directory();
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }

        @Bean
        <S extends Session> SecurityFilterChain chain(HttpSecurity http, FindByIndexNameSessionRepository<S> sessions)
                throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .formLogin(withDefaults())
                    .sessionManagement(management -> management
                            .maximumSessions(1)
                            .sessionRegistry(new SpringSessionBackedSessionRegistry<>(sessions)))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
