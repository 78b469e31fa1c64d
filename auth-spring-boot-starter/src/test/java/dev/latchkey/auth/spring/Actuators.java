package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.metrics.LatchkeyMetricsAutoConfiguration;
import dev.latchkey.auth.spring.operations.LatchkeyOperationsAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.util.List;
import org.springframework.boot.actuate.autoconfigure.audit.AuditAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.reactive.ReactiveManagementContextAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.servlet.ServletManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** The service of {@link Services} with Boot's actuator. */
public final class Actuators {

    private static final WebApplicationContextRunner WEB = Services.web(List.of(
                    JacksonAutoConfiguration.class,
                    HttpMessageConvertersAutoConfiguration.class,
                    EndpointAutoConfiguration.class,
                    WebEndpointAutoConfiguration.class,
                    JacksonEndpointAutoConfiguration.class,
                    ManagementContextAutoConfiguration.class,
                    ServletManagementContextAutoConfiguration.class,
                    ManagementWebSecurityAutoConfiguration.class,
                    HealthContributorAutoConfiguration.class,
                    HealthEndpointAutoConfiguration.class,
                    AuditAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    LatchkeyOperationsAutoConfiguration.class,
                    LatchkeyAutoConfiguration.class,
                    LatchkeyMetricsAutoConfiguration.class))
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("management.endpoints.web.exposure.include=*");

    private static final ReactiveWebApplicationContextRunner REACTIVE = ReactiveServices.web(List.of(
                    JacksonAutoConfiguration.class,
                    CodecsAutoConfiguration.class,
                    EndpointAutoConfiguration.class,
                    WebEndpointAutoConfiguration.class,
                    JacksonEndpointAutoConfiguration.class,
                    ManagementContextAutoConfiguration.class,
                    ReactiveManagementContextAutoConfiguration.class,
                    LatchkeyOperationsAutoConfiguration.class))
            .withUserConfiguration(ReactiveAccounts.class)
            .withPropertyValues("management.endpoints.web.exposure.include=*");

    private Actuators() {}

    public static WebApplicationContextRunner web() {
        return WEB;
    }

    /** The service of {@link ReactiveServices} with as much of Boot's actuator as shows endpoints. */
    public static ReactiveWebApplicationContextRunner reactive() {
        return REACTIVE;
    }

    /** One account, and Basic for everything. */
    @Configuration(proxyBeanMethods = false)
    static class ReactiveAccounts {

        @Bean
        BCryptPasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        MapReactiveUserDetailsService accounts(PasswordEncoder encoder) {
            return new MapReactiveUserDetailsService(User.withUsername("alice")
                    .password(encoder.encode(Services.PASSWORD))
                    .authorities("ROLE_USER")
                    .build());
        }

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }
    }
}
