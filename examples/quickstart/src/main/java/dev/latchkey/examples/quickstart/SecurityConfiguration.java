package dev.latchkey.examples.quickstart;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.jwt.HmacKey;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.JdbcUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** What nearly every service with HTTP Basic has, and one line more: {@code with(latchkey(), …)}. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain api(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/admin/**")
                        .hasRole("ADMIN")
                        .anyRequest()
                        .authenticated())
                .httpBasic(withDefaults())
                .with(latchkey(), withDefaults())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder();
    }

    @Bean
    JdbcUserDetailsManager accounts(DataSource database) {
        return new JdbcUserDetailsManager(database);
    }

    /** A key of this example's own, so that it runs at once; a real service sets {@code latchkey.jwt.secret-file}. */
    @Bean
    @ConditionalOnProperty(name = "latchkey.jwt.secret-file", havingValue = "false", matchIfMissing = true)
    HmacKey signingKey(@Value("${quickstart.signing-key}") Path file) {
        return SigningKeyFile.readOrCreate(file);
    }
}
