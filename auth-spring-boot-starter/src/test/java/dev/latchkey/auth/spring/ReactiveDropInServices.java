package dev.latchkey.auth.spring;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Map;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.authentication.event.LogoutSuccessEvent;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import reactor.core.publisher.Mono;

/** WebFlux services of each make, for {@link ReactiveDropInTest}. */
public final class ReactiveDropInServices {

    /** Cheap, so tests are quick; in a service with stored upgrades, the first login makes an expensive hash. */
    static final String BCRYPT = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(Services.PASSWORD);

    private ReactiveDropInServices() {}

    private static MapReactiveUserDetailsService accounts() {
        UserDetails alice =
                User.withUsername("alice").password(BCRYPT).roles("USER").build();
        return new MapReactiveUserDetailsService(
                alice,
                User.withUserDetails(alice).username("disabled").disabled(true).build(),
                User.withUserDetails(alice)
                        .username("unprefixed")
                        .password(BCRYPT.substring("{bcrypt}".length()))
                        .build());
    }

    @Configuration(proxyBeanMethods = false)
    static class MapOfAccounts {

        @Bean
        MapReactiveUserDetailsService users() {
            return accounts();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnAccounts {

        @Bean
        ReactiveUserDetailsService users() {
            MapReactiveUserDetailsService accounts = accounts();
            return name -> name.equals("failing")
                    ? Mono.error(new IllegalStateException("The store is down"))
                    : accounts.findByUsername(name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChain extends OwnAccounts {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class OwnManagerByInterface {

        @Bean
        ReactiveAuthenticationManager manager() {
            return new UserDetailsRepositoryReactiveAuthenticationManager(accounts());
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class OwnManagerByClass {

        @Bean
        UserDetailsRepositoryReactiveAuthenticationManager manager() {
            return new UserDetailsRepositoryReactiveAuthenticationManager(accounts());
        }
    }

    /** A manager with more than its parent: names in capitals are rejected. */
    @Configuration(proxyBeanMethods = false)
    public static class OwnManagerThatDecides {

        @Bean
        UserDetailsRepositoryReactiveAuthenticationManager manager() {
            return new UserDetailsRepositoryReactiveAuthenticationManager(accounts()) {
                @Override
                public Mono<Authentication> authenticate(Authentication authentication) {
                    return authentication.getName().equals("ALICE")
                            ? Mono.error(new BadCredentialsException("Not so loud"))
                            : super.authenticate(authentication);
                }
            };
        }
    }

    /** Made of the service's beans, as the starter makes its own where there is none. */
    @Configuration(proxyBeanMethods = false)
    static class OwnManagerOfTheBeans {

        @Bean
        PasswordEncoder encoder() {
            return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(4)));
        }

        @Bean
        ReactiveAuthenticationManager manager(PasswordEncoder encoder) {
            UserDetailsRepositoryReactiveAuthenticationManager manager =
                    new UserDetailsRepositoryReactiveAuthenticationManager(accounts());
            manager.setPasswordEncoder(encoder);
            return manager;
        }
    }

    /** In a service's way: at the ends of its own manager and of its logout. */
    @Configuration(proxyBeanMethods = false)
    public static class EventsOfItsOwn {

        @Bean
        ReactiveAuthenticationManager manager() {
            return new UserDetailsRepositoryReactiveAuthenticationManager(accounts());
        }

        @Bean
        SecurityWebFilterChain api(
                ServerHttpSecurity http, ReactiveAuthenticationManager manager, ApplicationEventPublisher publisher) {
            DefaultAuthenticationEventPublisher events = new DefaultAuthenticationEventPublisher(publisher);
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .authenticationManager(login -> manager.authenticate(login)
                            .doOnNext(events::publishAuthenticationSuccess)
                            .doOnError(
                                    AuthenticationException.class,
                                    failure -> events.publishAuthenticationFailure(failure, login)))
                    .logout(logout -> logout.requiresLogout(
                                    new PathPatternParserServerWebExchangeMatcher("/logout-now", HttpMethod.GET))
                            .logoutHandler((exchange, login) ->
                                    Mono.fromRunnable(() -> publisher.publishEvent(new LogoutSuccessEvent(login)))))
                    .build();
        }
    }
}
