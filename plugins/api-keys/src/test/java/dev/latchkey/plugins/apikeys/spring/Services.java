package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.plugins.apikeys.SetClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** Services as the README has them: the starter, the plugin, a database and two accounts. CSRF protection is left on. */
final class Services {

    static final String PASSWORD = "correct-horse-battery";

    static final String SCHEMA = "dev/latchkey/plugins/apikeys/schema-h2.sql";

    private static final String[] PROPERTIES = {
        "spring.application.name=Example",
        "spring.datasource.generate-unique-name=true",
        "spring.sql.init.schema-locations=classpath:" + SCHEMA,
        "latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
        "latchkey.login.enabled=true",
        "latchkey.guard.max-wait=60s",
        "latchkey.guard.refusals.delay=0s",
        "latchkey.plugin.api-keys.endpoints-enabled=true",
        "latchkey.plugin.api-keys.scopes[orders.read]=ROLE_USER"
    };

    private Services() {}

    static WebApplicationContextRunner servlet() {
        return new WebApplicationContextRunner()
                .withUserConfiguration(ServletService.class)
                .withBean(KeyClient.Hello.class)
                .withPropertyValues(PROPERTIES);
    }

    static ReactiveWebApplicationContextRunner webFlux() {
        return new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(WebFluxService.class)
                .withBean(KeyClient.ReactiveHello.class)
                .withPropertyValues(PROPERTIES);
    }

    /** The same with a key, and with a clock and limits for tests. */
    static <S extends AbstractApplicationContextRunner<S, ?, ?>> S shared(S service, String... properties) {
        return service.withPropertyValues(keyFile(keyFolder()))
                .withPropertyValues(properties)
                .withBean("latchkeyClock", SetClock.class, () -> SharedService.CLOCK)
                .withBean(SkippingTime.class)
                .withBean(ReactorResourceFactory.class, Services::threadsOfItsOwn);
    }

    /** The first closed server would end the default threads of all servers of the JVM. */
    private static ReactorResourceFactory threadsOfItsOwn() {
        ReactorResourceFactory threads = new ReactorResourceFactory();
        threads.setUseGlobalResources(false);
        return threads;
    }

    private static Path keyFolder() {
        try {
            Path folder = Files.createTempDirectory("keys");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String keyFile(Path folder) {
        try {
            Path file = Files.writeString(folder.resolve("keys.key"), "0f".repeat(32));
            file.toFile().deleteOnExit();
            return "latchkey.plugin.api-keys.key-file=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static UserDetails user(String name, PasswordEncoder encoder) {
        return User.withUsername(name)
                .password(encoder.encode(PASSWORD))
                .authorities("ROLE_USER", "SCOPE_own")
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ServletService {

        @Bean
        PasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        InMemoryUserDetailsManager accounts(PasswordEncoder encoder) {
            return new InMemoryUserDetailsManager(user("ada", encoder), user("bob", encoder));
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/orders")
                            .hasAuthority("SCOPE_orders.read")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WebFluxService {

        @Bean
        PasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        MapReactiveUserDetailsService accounts(PasswordEncoder encoder) {
            return new MapReactiveUserDetailsService(user("ada", encoder), user("bob", encoder));
        }

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/orders")
                            .hasAuthority("SCOPE_orders.read")
                            .anyExchange()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }
}
