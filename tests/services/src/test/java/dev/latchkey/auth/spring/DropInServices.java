package dev.latchkey.auth.spring;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.TestingAuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Servlet services of each make, for {@link DropInTest}, and encoders that {@link ReactiveDropInTest} has too. */
final class DropInServices {

    /** The cheapest bcrypt, so tests are quick; the services here upgrade no hash. */
    private static final String BCRYPT = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(Services.PASSWORD);

    private DropInServices() {}

    private static UserDetailsService accounts() {
        UserDetails alice =
                User.withUsername("alice").password(BCRYPT).roles("USER").build();
        return new InMemoryUserDetailsManager(
                alice,
                // With another hash: newer Spring Security also checks the password of a disabled account. With a
                // common hash,
                // some lines would have a hit here and other lines none.
                User.withUserDetails(alice)
                        .username("disabled")
                        .password("{bcrypt}" + new BCryptPasswordEncoder(4).encode(Services.PASSWORD))
                        .disabled(true)
                        .build(),
                User.withUserDetails(alice)
                        .username("unprefixed")
                        .password(BCRYPT.substring("{bcrypt}".length()))
                        .build());
    }

    /**
     * Spring Security's own provider with a cheap encoder. The default encoder makes an expensive hash for each unknown name,
     * as {@link PrefixedHashes} and {@link OwnProviderBean} show.
     */
    private static DaoAuthenticationProvider cheapProvider(UserDetailsService accounts) {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(accounts);
        provider.setPasswordEncoder(cheapEncoder());
        return provider;
    }

    private static DelegatingPasswordEncoder cheapEncoder() {
        return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(4)));
    }

    @Configuration(proxyBeanMethods = false)
    static class PrefixedHashes {

        @Bean
        UserDetailsService users() {
            UserDetailsService store = accounts();
            return name -> store.loadUserByUsername(name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EncoderByInterface {

        @Bean
        PasswordEncoder encoder() {
            return cheapEncoder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EncoderByClass {

        @Bean
        DelegatingPasswordEncoder encoder() {
            return cheapEncoder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnProviderBean {

        @Bean
        DaoAuthenticationProvider provider() {
            return new DaoAuthenticationProvider(accounts());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SeveralProviders {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(basic -> {})
                    .authenticationProvider(new TestingAuthenticationProvider())
                    .authenticationProvider(cheapProvider(new InMemoryUserDetailsManager()))
                    .authenticationProvider(cheapProvider(accounts()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManager {

        @Bean
        AuthenticationManager manager() {
            return new ProviderManager(cheapProvider(accounts()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProviderOfTheChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(basic -> {})
                    .authenticationProvider(cheapProvider(accounts()))
                    .build();
        }
    }
}
