package dev.latchkey.lines;

import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** WebFlux services, for {@link ReactiveStarterIT}. */
final class ReactiveServices {

    static final String PASSWORD = "correct-horse-battery";

    private ReactiveServices() {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class Service {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class ResourceServer {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addToResourceServer(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class TokensAlone {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class OwnAccounts {

        final CountingEncoder encoder = new CountingEncoder();

        @Bean
        PasswordEncoder encoder() {
            return encoder;
        }

        @Bean
        ReactiveUserDetailsService users() {
            String hash = new BCryptPasswordEncoder(4).encode(PASSWORD);
            return name -> name.equals("alice")
                    ? Mono.just(User.withUsername(name).password(hash).build())
                    : Mono.empty();
        }
    }

    /** BCrypt that wants every hash made anew. */
    static final class CountingEncoder implements PasswordEncoder {

        private final PasswordEncoder bcrypt = new BCryptPasswordEncoder(4);
        final List<String> threads = new ArrayList<>();
        final AtomicInteger encoded = new AtomicInteger();

        @Override
        public String encode(CharSequence raw) {
            if (PASSWORD.contentEquals(raw)) {
                encoded.incrementAndGet();
            }
            return bcrypt.encode(raw);
        }

        @Override
        public synchronized boolean matches(CharSequence raw, String stored) {
            threads.add(Thread.currentThread().getName());
            return bcrypt.matches(raw, stored);
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return true;
        }
    }

    @RestController
    public static class Hello {

        @GetMapping("/hello")
        Mono<String> hello(Authentication authentication) {
            return Mono.just("Hello " + authentication.getName());
        }

        @GetMapping("/thread")
        Mono<String> thread() {
            return Mono.fromCallable(() -> Thread.currentThread().getName());
        }
    }
}
