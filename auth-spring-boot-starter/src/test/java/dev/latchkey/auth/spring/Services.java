package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.access.LatchkeyAccessAutoConfiguration;
import dev.latchkey.auth.spring.encoding.LatchkeyPasswordAutoConfiguration;
import dev.latchkey.auth.spring.encoding.LatchkeyUpgradeAutoConfiguration;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyGuardWebAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.operations.LatchkeyOperationsAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyCacheAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyUsersAutoConfiguration;
import dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import jakarta.servlet.Filter;
import java.io.UnsupportedEncodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** Small services to put the starter into: a controller, an account, and Boot's own auto-configurations. */
public final class Services {

    public static final String PASSWORD = "correct-horse-battery";
    public static final String LOGIN = "{\"username\":\"alice\",\"password\":\"" + PASSWORD + "\"}";
    public static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

    /** A machine that is busy with other things must not look like one that has too many logins. */
    static final String PATIENT = "latchkey.guard.max-wait=60s";

    private static final int ORDER_OF_SECURITY = -100;
    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

    private Services() {}

    /** A service with Boot alone: what there is before the dependency is added. */
    static WebApplicationContextRunner boot() {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        WebMvcAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        SecurityAutoConfiguration.class,
                        SecurityFilterAutoConfiguration.class,
                        UserDetailsServiceAutoConfiguration.class));
    }

    /** The same with the starter's auto-configurations. */
    public static WebApplicationContextRunner web() {
        return withStarter(boot());
    }

    /** The same with Spring's resource server on the class path, a signing key, and a controller that tells who asks. */
    public static WebApplicationContextRunner resourceServer() {
        return resourceServerWithoutAKey().withPropertyValues("latchkey.jwt.secret=" + KEY);
    }

    public static WebApplicationContextRunner resourceServerWithoutAKey() {
        return web().withConfiguration(AutoConfigurations.of(
                        OAuth2ResourceServerAutoConfiguration.class,
                        LatchkeyResourceServerAutoConfiguration.class,
                        LatchkeyJwtDecoderAutoConfiguration.class))
                .withBean(WhoAmI.class);
    }

    static WebApplicationContextRunner withStarter(WebApplicationContextRunner service) {
        return service.withPropertyValues(PATIENT)
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyOperationsAutoConfiguration.class,
                        LatchkeyAccessAutoConfiguration.class,
                        LatchkeyAutoConfiguration.class,
                        LatchkeyCacheAutoConfiguration.class,
                        LatchkeyEncodersAutoConfiguration.class,
                        LatchkeyGuardAutoConfiguration.class,
                        LatchkeyGuardWebAutoConfiguration.class,
                        LatchkeyJwtAutoConfiguration.class,
                        LatchkeyLoginAutoConfiguration.class,
                        LatchkeyLoginEndpointsAutoConfiguration.class,
                        LatchkeyPasswordAutoConfiguration.class,
                        LatchkeyUpgradeAutoConfiguration.class,
                        LatchkeyUsersAutoConfiguration.class,
                        LatchkeyWebAutoConfiguration.class));
    }

    /** A client at 192.0.2.1, and the filters that a server has in front of Spring Security's. */
    public static MockMvc mvc(ApplicationContext context) {
        Filter[] inFront = context.getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .filter(registration -> registration.getOrder() < ORDER_OF_SECURITY)
                .map(registration -> registration.getFilter())
                .toArray(Filter[]::new);
        return MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                .addFilters(inFront)
                .defaultRequest(MockMvcRequestBuilders.get("/").with(request -> {
                    request.setRemoteAddr("192.0.2.1");
                    return request;
                }))
                .apply(SecurityMockMvcConfigurers.springSecurity())
                .build();
    }

    public static String tokenFrom(ResultActions login) throws UnsupportedEncodingException {
        return tokenFrom(login.andReturn().getResponse().getContentAsString());
    }

    /** The access token in the body of what a login was answered with. */
    public static String tokenFrom(String body) {
        Matcher token = ACCESS_TOKEN.matcher(body);
        if (!token.find()) {
            throw new AssertionError("No token in " + body);
        }
        return token.group(1);
    }

    @Configuration(proxyBeanMethods = false)
    public static class Accounts {

        /** Cost 4, so that tests are quick. */
        @Bean
        BCryptPasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        InMemoryUserDetailsManager accounts(PasswordEncoder encoder) {
            return new InMemoryUserDetailsManager(User.withUsername("alice")
                    .password(encoder.encode(PASSWORD))
                    .authorities("ROLE_USER")
                    .build());
        }

        @Bean
        Hello hello() {
            return new Hello();
        }
    }

    @RestController
    public static class Hello {

        @GetMapping("/hello")
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }
    }

    @RestController
    static class WhoAmI {

        @GetMapping("/whoami")
        String whoAmI(@AuthenticationPrincipal Jwt principal, Authentication login) {
            return principal.getSubject() + " "
                    + login.getAuthorities().stream()
                            .map(Object::toString)
                            .filter(authority -> !authority.contains("FACTOR_"))
                            .sorted()
                            .toList();
        }
    }
}
