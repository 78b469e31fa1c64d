package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Services as the README has them: the starter, both plugins, a database and two accounts. */
final class Services {

    static final String PASSWORD = "correct-horse-battery";

    private Services() {}

    static String[] properties() {
        Path key = keyFile();
        return new String[] {
            "spring.application.name=Example",
            "spring.datasource.generate-unique-name=true",
            "spring.sql.init.schema-locations=classpath:dev/latchkey/plugins/passkeys/schema-h2.sql,"
                    + "classpath:dev/latchkey/plugins/codes/schema-h2.sql",
            "latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
            "latchkey.login.enabled=true",
            "latchkey.login.refresh.enabled=true",
            "latchkey.guard.max-wait=60s",
            "latchkey.guard.refusals.delay=0s",
            "latchkey.plugin.one-time-codes.key-file=" + key,
            "latchkey.plugin.one-time-codes.endpoints-enabled=true",
            "latchkey.plugin.passkeys.key-file=" + key,
            "latchkey.plugin.passkeys.rp-id=example.com",
            "latchkey.plugin.passkeys.endpoints-enabled=true"
        };
    }

    static void servlet(Consumer<ApplicationContext> test) {
        new WebApplicationContextRunner()
                .withUserConfiguration(ServletService.class)
                .withPropertyValues(properties())
                .run(test::accept);
    }

    static void webFlux(Consumer<ApplicationContext> test) {
        new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(WebFluxService.class)
                .withPropertyValues(properties())
                .run(test::accept);
    }

    private static Path keyFile() {
        try {
            Path file = Files.writeString(Files.createTempFile("passkeys", ".key"), "0f".repeat(32));
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UserDetails user(String name, PasswordEncoder encoder) {
        return User.withUsername(name)
                .password(encoder.encode(PASSWORD))
                .authorities("ROLE_USER")
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
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/auth/passkeys/challenge")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
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
    }
}
