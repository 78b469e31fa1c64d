package dev.latchkey.auth.spring.limits;

import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.LatchkeyPasswords;
import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.security.Principal;
import java.util.function.Function;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Services that let Spring Security decide passwords, each in a way of its own. */
final class StepServices {

    private StepServices() {}

    private static UserDetails user(String name) {
        return User.withUsername(name).password(Services.HASH).roles("USER").build();
    }

    static DaoAuthenticationProvider accountsOf() {
        DaoAuthenticationProvider provider =
                new DaoAuthenticationProvider(new InMemoryUserDetailsManager(user("alice"), user("bob")));
        provider.setPasswordEncoder(Services.cheapEncoder());
        return provider;
    }

    private static HttpSecurity rules(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .csrf(AbstractHttpConfigurer::disable)
                .httpBasic(withDefaults())
                .formLogin(withDefaults());
    }

    /** Answers as this does of the account that Spring Security has found. */
    private static AuthenticationProvider answering(Function<Authentication, Authentication> answer) {
        DaoAuthenticationProvider accounts = accountsOf();
        return new AuthenticationProvider() {
            @Override
            public Authentication authenticate(Authentication request) {
                return answer.apply(accounts.authenticate(request));
            }

            @Override
            public boolean supports(Class<?> kind) {
                return accounts.supports(kind);
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        PasswordEncoder encoder() {
            return Services.cheapEncoder();
        }

        /** No store that Spring Security could write a dearer hash to. */
        @Bean
        UserDetailsService users() {
            UserDetailsService store = new InMemoryUserDetailsManager(user("alice"), user("bob"));
            return name -> store.loadUserByUsername(name);
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http, UserDetailsService users) throws Exception {
            return rules(http)
                    .with(LatchkeyHttpConfigurer.latchkey(), withDefaults())
                    .rememberMe(remembered ->
                            remembered.key("key").alwaysRemember(true).userDetailsService(users))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnProvider extends Chain {

        @Bean
        DaoAuthenticationProvider provider() {
            return accountsOf();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManagerByInterface extends Chain {

        @Bean
        AuthenticationManager manager() {
            return new ProviderManager(accountsOf());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManagerByClass extends Chain {

        @Bean
        ProviderManager manager() {
            return new ProviderManager(accountsOf());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerThatIsNoBean {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return rules(http.authenticationManager(new ProviderManager(accountsOf())))
                    .build();
        }
    }

    /** The principal is an object of the service's, which has another name than the one to log in with. */
    @Configuration(proxyBeanMethods = false)
    static class PersonsByMail {

        record Person(String mail) implements Principal {

            @Override
            public String getName() {
                return mail;
            }
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return rules(http.authenticationProvider(
                            answering(found -> UsernamePasswordAuthenticationToken.authenticated(
                                    new Person(found.getName() + "@example.org"), null, found.getAuthorities()))))
                    .build();
        }
    }

    /** Asks for a code itself, and says so in what it answers. */
    @Configuration(proxyBeanMethods = false)
    static class CodesOfItsOwn {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return rules(http.authenticationProvider(
                            answering(found -> UsernamePasswordAuthenticationToken.authenticated(
                                    found.getName(), null, AuthorityUtils.createAuthorityList("FACTOR_OTT")))))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TokensOfItsOwn {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return rules(http.authenticationProvider(answering(found -> new TestingAuthenticationToken(
                            found.getName(), null, AuthorityUtils.createAuthorityList("ROLE_USER")))))
                    .build();
        }
    }

    /** Where the plugins want a step, Spring Security's manager asks the next provider, which is content with the password. */
    @Configuration(proxyBeanMethods = false)
    static class PluginsAndAProvider {

        @Bean
        SecurityFilterChain api(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return rules(http.authenticationProvider(passwords.provider()).authenticationProvider(accountsOf()))
                    .build();
        }
    }
}
