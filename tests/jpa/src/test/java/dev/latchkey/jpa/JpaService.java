package dev.latchkey.jpa;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.login.TokenIssuer;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewFilter;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
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
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/login")
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
        return started -> accounts.save(new Account("ann", encoder.encode("password"), Set.of("ROLE_USER")));
    }

    @Bean
    Barrier barrier() {
        return new CyclicBarrier(JpaAccountsTest.CONNECTIONS)::await;
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

        private final AuthenticationManager logins;
        private final TokenIssuer tokens;
        private final Barrier others;

        Pages(AuthenticationConfiguration logins, TokenIssuer tokens, Barrier others) {
            this.logins = logins.getAuthenticationManager();
            this.tokens = tokens;
            this.others = others;
        }

        @GetMapping("/hello")
        String hello() {
            return "hello";
        }

        /** The login has read the account, so the request holds a connection until its end. */
        @PostMapping("/login")
        String login() throws Exception {
            Authentication login =
                    logins.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("ann", "password"));
            others.await();
            return String.valueOf(tokens.issue(login).isPresent());
        }
    }

    /** As many requests as there are connections. */
    interface Barrier {

        void await() throws Exception;
    }
}
