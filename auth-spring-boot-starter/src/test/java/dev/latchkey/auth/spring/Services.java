package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.access.LatchkeyAccessAutoConfiguration;
import dev.latchkey.auth.spring.encoding.LatchkeyPasswordAutoConfiguration;
import dev.latchkey.auth.spring.encoding.LatchkeyUpgradeAutoConfiguration;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.issuer.LatchkeyIssuersAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyGuardWebAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.operations.LatchkeyOperationsAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import jakarta.servlet.Filter;
import java.io.UnsupportedEncodingException;
import java.util.List;
import java.util.Map;
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
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
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

    /** A busy machine must not look like too many logins, and no answer waits for its delay. */
    static final String[] PATIENT = {"latchkey.guard.max-wait=60s", "latchkey.guard.refusals.delay=0s"};

    /** A hash of {@link #PASSWORD}, as cheap as bcrypt can be. */
    public static final String HASH = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(PASSWORD);

    private static final int ORDER_OF_SECURITY = -100;
    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

    private static final List<Class<?>> OF_BOOT = List.of(
            WebMvcAutoConfiguration.class,
            DispatcherServletAutoConfiguration.class,
            SecurityAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class);

    private static final List<Class<?>> OF_THE_STARTER = List.of(
            LatchkeyOperationsAutoConfiguration.class,
            LatchkeyAccessAutoConfiguration.class,
            LatchkeyAutoConfiguration.class,
            LatchkeyEncodersAutoConfiguration.class,
            LatchkeyGuardAutoConfiguration.class,
            LatchkeyGuardWebAutoConfiguration.class,
            LatchkeyIssuersAutoConfiguration.class,
            LatchkeyJwtAutoConfiguration.class,
            LatchkeyLoginAutoConfiguration.class,
            LatchkeyLoginEndpointsAutoConfiguration.class,
            LatchkeyPasswordAutoConfiguration.class,
            LatchkeyUpgradeAutoConfiguration.class,
            LatchkeyWebAutoConfiguration.class);

    private static final List<Class<?>> OF_RESOURCE_SERVERS = List.of(
            OAuth2ResourceServerAutoConfiguration.class,
            LatchkeyResourceServerAutoConfiguration.class,
            LatchkeyJwtDecoderAutoConfiguration.class);

    private static final WebApplicationContextRunner BOOT = runner(List.of(OF_BOOT));
    private static final WebApplicationContextRunner WEB = runner(List.of(OF_BOOT, OF_THE_STARTER));
    private static final WebApplicationContextRunner RESOURCE_SERVER =
            runner(List.of(OF_BOOT, OF_THE_STARTER, OF_RESOURCE_SERVERS)).withBean(WhoAmI.class);

    private Services() {}

    /** Made once for all tests, because Boot reads each of these classes to know their order. */
    private static WebApplicationContextRunner runner(List<List<Class<?>>> autoConfigurations) {
        return new WebApplicationContextRunner()
                .withInitializer(new ClassFilesReadOnce())
                .withPropertyValues(PATIENT)
                .withPropertyValues("spring.application.name=shop")
                .withConfiguration(AutoConfigurations.of(
                        autoConfigurations.stream().flatMap(List::stream).toArray(Class[]::new)));
    }

    /** A service with Boot alone: what there is before the dependency is added. */
    static WebApplicationContextRunner boot() {
        return BOOT;
    }

    /** The same with the starter's auto-configurations. */
    public static WebApplicationContextRunner web() {
        return WEB;
    }

    /** The same with more of Boot's and the starter's: all that are known here are sorted once. */
    static WebApplicationContextRunner web(List<Class<?>> more) {
        return runner(List.of(OF_BOOT, OF_THE_STARTER, more));
    }

    /**
     * The same with Spring's resource server on the class path, a signing key, and a controller that shows the
     * caller.
     */
    public static WebApplicationContextRunner resourceServer() {
        return resourceServerWithoutAKey().withPropertyValues("latchkey.jwt.secret=" + KEY);
    }

    public static WebApplicationContextRunner resourceServerWithoutAKey() {
        return RESOURCE_SERVER;
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

    /** Without it, a service upgrades a cheap hash to an expensive one, and makes an expensive hash for an unknown name. */
    public static PasswordEncoder cheapEncoder() {
        return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(4)));
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
