package dev.latchkey.auth.test;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.login.TokenCustomizer;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The library's accounts and rules on servlets. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public class LibrarySecurity {

    static final String PASSWORD = "analytical-engine";

    @Bean
    SecurityFilterChain rules(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/shelves")
                        .hasRole("LIBRARIAN")
                        .anyRequest()
                        .authenticated())
                .httpBasic(withDefaults())
                .csrf(csrf -> csrf.disable())
                .with(latchkey(), withDefaults())
                .build();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder(4);
    }

    @Bean
    UserDetailsService accounts(PasswordEncoder encoder) {
        return new InMemoryUserDetailsManager(User.withUsername("ada")
                .password(encoder.encode(PASSWORD))
                .roles("READER")
                .build());
    }

    @Bean
    TokenCustomizer branch() {
        return (login, options) -> options.withClaim("branch", "north");
    }

    /** Only the service itself sets an actor, so the claim has no effect. */
    @Bean
    TokenCustomizer guests() {
        return (login, options) -> login.subject().authorities().contains("ROLE_GUEST")
                ? options.withLifetime(Duration.ofMinutes(5))
                        .withAudience("guests")
                        .withClaim("act", "root")
                : options;
    }

    /** More than {@code latchkey.jwt.max-lifetime}. */
    @Bean
    TokenCustomizer forever() {
        return (login, options) -> login.subject().authorities().contains("ROLE_FOREVER")
                ? options.withLifetime(Duration.ofDays(400))
                : options;
    }
}
