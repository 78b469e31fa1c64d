package dev.latchkey.jpa;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import java.util.Set;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewFilter;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service with its accounts in JPA and the default open-in-view. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
class JpaService {

    interface Accounts extends JpaRepository<Account, String> {}

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/change")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .csrf(csrf -> csrf.disable())
                .httpBasic(withDefaults())
                .with(latchkey(), withDefaults())
                .build();
    }

    @Bean
    PasswordEncoder encoder() {
        return new BCryptPasswordEncoder(4);
    }

    @Bean
    UserDetailsService users(Accounts accounts) {
        return name -> accounts.findById(name).orElseThrow(() -> new UsernameNotFoundException("No such account"));
    }

    @Bean
    ApplicationRunner ann(Accounts accounts, PasswordEncoder encoder) {
        return started -> accounts.save(new Account("ann", encoder.encode("old"), Set.of("ROLE_USER")));
    }

    /** In front of Spring Security. */
    @Bean
    @ConditionalOnProperty("open-in-filter")
    FilterRegistrationBean<OpenEntityManagerInViewFilter> openInFilter() {
        var registration = new FilterRegistrationBean<>(new OpenEntityManagerInViewFilter());
        registration.setOrder(-200);
        return registration;
    }

    @RestController
    static class Pages {

        private final Accounts accounts;
        private final AuthChain chain;
        private final PasswordEncoder encoder;
        private final JdbcTemplate otherProgram;

        Pages(Accounts accounts, AuthChain chain, PasswordEncoder encoder, JdbcTemplate otherProgram) {
            this.accounts = accounts;
            this.chain = chain;
            this.encoder = encoder;
            this.otherProgram = otherProgram;
        }

        @GetMapping("/hello")
        String hello() {
            return "hello";
        }

        /** Another program changes the password after the request has read the account. */
        @PostMapping("/change")
        String change() {
            Account read = accounts.findById("ann").orElseThrow();
            otherProgram.update("UPDATE account SET hash = ?", encoder.encode("new"));
            return isAccepted("old") + " " + isAccepted("new") + " " + read.getAuthorities();
        }

        private boolean isAccepted(String password) {
            return chain.authenticate(new PasswordCredentials("ann", Secret.of(password))) instanceof Authenticated;
        }
    }
}
