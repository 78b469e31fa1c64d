package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.autoconfigure.security.servlet.EndpointRequest;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.context.WebApplicationContext;

/** The login is switched on: whether any chain has it, and gets its requests. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class LoginWithoutAChainTest {

    private static final String WARNING = "no filter chain has the login endpoints";

    private static final String UNREACHED = "no filter chain with the login endpoints gets";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void loginThatNoChainHas_isOneWarning_withTheLineToWrite(CapturedOutput log) {
        service.withUserConfiguration(Basic.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(WARNING, -1)).hasSize(2);
        assertThat(log).contains("WARN", "http.with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults())");
    }

    @Test
    void loginOfBootsChainOrOfOneAmongTwo_isNoWarning(CapturedOutput log) {
        service.run(context -> assertThat(context).hasNotFailed());
        service.withUserConfiguration(Basic.class, WithLogin.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(WARNING);
    }

    @Test
    void loginThatIsOff_isNoWarning(CapturedOutput log) {
        service.withUserConfiguration(Basic.class)
                .withPropertyValues("latchkey.login.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(WARNING);
    }

    @Test
    void loginOfAChainThatDoesNotMatchItsPath_isOneWarning_withThePath(CapturedOutput log) {
        service.withUserConfiguration(Actuator.class, LoginInApi.class, Basic.class)
                .withInitializer(LoginWithoutAChainTest::asAServerDoes)
                .withPropertyValues("latchkey.login.base-path=/login-here")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(UNREACHED, -1)).hasSize(2);
        assertThat(log).contains("WARN", "POST /login-here/token").doesNotContain(WARNING);
    }

    /** Boot's matchers find the service in the servlet context. */
    private static void asAServerDoes(ConfigurableApplicationContext context) {
        WebApplicationContext service = (WebApplicationContext) context;
        service.getServletContext().setAttribute(WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE, service);
    }

    @Test
    void loginBehindAnotherChainThatMatchesItsPath_isAWarning(CapturedOutput log) {
        service.withUserConfiguration(AllBefore.class, LoginInApi.class)
                .withPropertyValues("latchkey.login.base-path=/api/auth")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("POST /api/auth/token").contains(UNREACHED);
    }

    @Test
    void loginOfAChainThatMatchesItsPath_orMayMatchByMoreThanThePath_isNoWarning(CapturedOutput log) {
        service.withUserConfiguration(LoginInApi.class, All.class)
                .withPropertyValues("latchkey.login.base-path=/api/auth")
                .run(context -> assertThat(context).hasNotFailed());
        service.withUserConfiguration(LoginInApi.class, All.class)
                .withPropertyValues("latchkey.login.path=/api/login")
                .run(context -> assertThat(context).hasNotFailed());
        service.withUserConfiguration(LoginByHeader.class, All.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(UNREACHED).doesNotContain(WARNING);
    }

    @Configuration(proxyBeanMethods = false)
    static class Actuator {

        @Bean
        @Order(1)
        SecurityFilterChain actuatorChain(HttpSecurity http) throws Exception {
            return http.securityMatcher(EndpointRequest.toAnyEndpoint())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LoginInApi {

        @Bean
        @Order(2)
        SecurityFilterChain apiChain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/api/**")
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LoginByHeader {

        @Bean
        @Order(2)
        SecurityFilterChain chainOfAHeader(HttpSecurity http) throws Exception {
            return http.securityMatcher(request -> "yes".equals(request.getHeader("X-Api")))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AllBefore {

        @Bean
        @Order(1)
        SecurityFilterChain firstChain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/**").formLogin(withDefaults()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class All {

        @Bean
        @Order(3)
        SecurityFilterChain lastChain(HttpSecurity http) throws Exception {
            return http.formLogin(withDefaults()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Basic {

        @Bean
        SecurityFilterChain basicChain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/basic/**").httpBasic(withDefaults()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLogin {

        @Bean
        SecurityFilterChain loginChain(HttpSecurity http) throws Exception {
            return http.with(latchkey(), withDefaults()).build();
        }
    }
}
