package dev.latchkey.examples.nodes;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The service's filter chain and accounts. No line is about several nodes. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain api(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .with(latchkey(), withDefaults())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder();
    }

    /** The same hashes on each node, as with a database: a new hash would count as a new password. */
    @Bean
    UserDetailsService accounts() {
        return new InMemoryUserDetailsManager(
                account("alice", "$2a$10$OG9Mcdm0BUsgsy1jHtJxwuF3U3hq1tLkG2wu013ZW1oHEZpZ9G/.S"),
                account("bob", "$2a$10$GgMnRG6HBvaTnhhdmCTgh.nX7tiSkRi/hzrNZ8rMqETtFinKRu9km"));
    }

    private static UserDetails account(String name, String hash) {
        return User.withUsername(name).password(hash).roles("USER").build();
    }
}
