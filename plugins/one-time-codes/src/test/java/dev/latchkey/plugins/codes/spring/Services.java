package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import dev.latchkey.plugins.codes.SetClock;
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
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Services as the README has them: the starter, the plugin, a database and two accounts. */
final class Services {

    static final String PASSWORD = "correct-horse-battery";

    static final String SCHEMA = "dev/latchkey/plugins/codes/schema-h2.sql";

    private static final String[] PROPERTIES = {
        "spring.application.name=Example",
        "spring.datasource.generate-unique-name=true",
        "spring.sql.init.schema-locations=classpath:" + SCHEMA,
        "latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
        "latchkey.login.enabled=true",
        "latchkey.guard.max-wait=60s",
        "latchkey.guard.trusted-proxies=192.0.2.1",
        "latchkey.guard.refusals.delay=0s"
    };

    private Services() {}

    static WebApplicationContextRunner servlet() {
        return new WebApplicationContextRunner()
                .withUserConfiguration(ServletService.class)
                .withPropertyValues(PROPERTIES);
    }

    static ReactiveWebApplicationContextRunner webFlux() {
        return new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(WebFluxService.class)
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
            Path folder = Files.createTempDirectory("codes");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String keyFile(Path folder) {
        try {
            Path file = Files.writeString(folder.resolve("codes.key"), "0f".repeat(32));
            file.toFile().deleteOnExit();
            return "latchkey.plugin.one-time-codes.key-file=" + file;
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
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
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
    }
}
