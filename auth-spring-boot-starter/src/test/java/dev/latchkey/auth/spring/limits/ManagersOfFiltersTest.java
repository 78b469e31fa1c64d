package dev.latchkey.auth.spring.limits;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationConverter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** Filters of a service with a manager that is no bean. */
class ManagersOfFiltersTest {

    enum Kind {
        FORM(manager -> {
            UsernamePasswordAuthenticationFilter filter = new UsernamePasswordAuthenticationFilter();
            filter.setAuthenticationManager(manager);
            return filter;
        }),
        BASIC(BasicAuthenticationFilter::new),
        CONVERTER(manager -> new AuthenticationFilter(manager, new BasicAuthenticationConverter())),
        OWN_FIELD(OwnFilter::new),
        BEHIND_A_PROXY(manager -> (Filter) new ProxyFactory(new OwnFilter(manager)).getProxy()),
        FIELD_OF_A_CLASS(manager -> new FilterWithAClass((ProviderManager) manager)),
        OWN_FIELD_OF_A_SUBCLASS(OwnForm::new);

        @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
        private final Function<AuthenticationManager, Filter> filter;

        Kind(Function<AuthenticationManager, Filter> filter) {
            this.filter = filter;
        }

        MockHttpServletRequestBuilder login(String password) {
            return this == FORM || this == OWN_FIELD_OF_A_SUBCLASS
                    ? post("/login").param("username", "alice").param("password", password)
                    : get("/hello").header("Authorization", ReactiveServices.basic("alice", password));
        }
    }

    private abstract static class AskingFilter extends OncePerRequestFilter {

        abstract AuthenticationManager manager();

        @Override
        protected final void doFilterInternal(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            try {
                SecurityContextHolder.setContext(new SecurityContextImpl(
                        manager().authenticate(new BasicAuthenticationConverter().convert(request))));
            } catch (AuthenticationException e) {
                response.sendError(401);
                return;
            }
            chain.doFilter(request, response);
        }
    }

    private static final class OwnFilter extends AskingFilter {

        private final AuthenticationManager own;

        OwnFilter(AuthenticationManager own) {
            this.own = own;
        }

        @Override
        AuthenticationManager manager() {
            return own;
        }
    }

    private static final class FilterWithAClass extends AskingFilter {

        private final ProviderManager own;

        FilterWithAClass(ProviderManager own) {
            this.own = own;
        }

        @Override
        AuthenticationManager manager() {
            return own;
        }
    }

    private static final class OwnForm extends UsernamePasswordAuthenticationFilter {

        private final AuthenticationManager own;

        OwnForm(AuthenticationManager own) {
            super(request -> {
                throw new AssertionError("The subclass asks its own manager");
            });
            this.own = own;
        }

        @Override
        public Authentication attemptAuthentication(HttpServletRequest request, HttpServletResponse response) {
            return own.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(
                    obtainUsername(request), obtainPassword(request)));
        }
    }

    private static WebApplicationContextRunner service(Kind kind) {
        return Services.web()
                .withUserConfiguration(Services.Accounts.class, Chain.class)
                .withPropertyValues("shop.kind=" + kind);
    }

    @ParameterizedTest
    @EnumSource
    void guesses_areLimited(Kind kind) {
        service(kind).run(context -> {
            for (int i = 0; i < 5; i++) {
                assertThat(status(context, kind.login("wrong" + i))).isEqualTo(401);
            }
            assertThat(status(context, kind.login("wrong5"))).isEqualTo(429);
        });
    }

    @ParameterizedTest
    @EnumSource
    void secondStep_isWanted(Kind kind) {
        service(kind)
                .run(context -> assertThat(status(context, kind.login(Services.PASSWORD)))
                        .isIn(200, 302));
        service(kind)
                .withBean("step", AuthPlugin.class, StepOfAlice::new)
                .run(context -> assertThat(status(context, kind.login(Services.PASSWORD)))
                        .isEqualTo(401));
    }

    @Test
    void loginOfARequest_isLimited_andNeedsASecondStep() {
        WebApplicationContextRunner service =
                Services.web().withUserConfiguration(Services.Accounts.class, ManagerOfAChain.class);
        service.run(
                context -> assertThat(requestLogin(context, Services.PASSWORD)).isEqualTo(200));
        service.run(context -> {
            for (int i = 0; i < 5; i++) {
                assertThat(requestLogin(context, "wrong" + i)).isEqualTo(401);
            }
            assertThat(requestLogin(context, Services.PASSWORD)).isEqualTo(429);
        });
        service.withBean("step", AuthPlugin.class, StepOfAlice::new)
                .run(context ->
                        assertThat(requestLogin(context, Services.PASSWORD)).isEqualTo(401));
    }

    private static int requestLogin(ApplicationContext context, String password) throws Exception {
        return status(context, post("/request-login").param("password", password));
    }

    /** A replaced manager would not have the fields of its class. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void fieldOfAClassOfTheService_isInTheLogAndKeepsItsManager(CapturedOutput log) {
        OwnManager own = new OwnManager();
        FilterWithAClassOfTheService filter = new FilterWithAClassOfTheService(own);
        new ManagersOfFilters(manager -> request -> request)
                .decorate(new DefaultSecurityFilterChain(request -> true, filter), "shop");
        assertThat(filter.own).isSameAs(own);
        assertThat(log)
                .contains("may not hold for " + FilterWithAClassOfTheService.class.getName()
                        + " in the filter chain 'shop': the field own");
    }

    private static final class OwnManager implements AuthenticationManager {

        @Override
        public Authentication authenticate(Authentication request) {
            return request;
        }
    }

    private static final class FilterWithAClassOfTheService extends AskingFilter {

        final OwnManager own;

        FilterWithAClassOfTheService(OwnManager own) {
            this.own = own;
        }

        @Override
        AuthenticationManager manager() {
            return own;
        }
    }

    private static int status(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse().getStatus();
    }

    @RestController
    static class RequestLogin {

        @PostMapping("/request-login")
        ResponseEntity<String> login(HttpServletRequest request, @RequestParam String password) {
            try {
                request.login("alice", password);
                return ResponseEntity.ok("in");
            } catch (ServletException e) {
                return ResponseEntity.status(401).build();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RequestLogin.class)
    static class ManagerOfAChain {

        @Bean
        SecurityFilterChain chain(HttpSecurity http, UserDetailsService users, PasswordEncoder encoder)
                throws Exception {
            DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
            provider.setPasswordEncoder(encoder);
            return http.csrf(AbstractHttpConfigurer::disable)
                    .authenticationManager(new ProviderManager(provider))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain chain(
                HttpSecurity http, UserDetailsService users, PasswordEncoder encoder, Environment environment)
                throws Exception {
            DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
            provider.setPasswordEncoder(encoder);
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .addFilterAt(
                            Kind.valueOf(environment.getProperty("shop.kind"))
                                    .filter
                                    .apply(new ProviderManager(provider)),
                            UsernamePasswordAuthenticationFilter.class)
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
