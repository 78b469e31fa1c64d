package dev.latchkey.auth.spring.pairs;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.LatchkeyPermissions;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.plugins.apikeys.spring.ApiKeysAutoConfiguration;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.spring.OneTimeCodesAutoConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Services with every way in, on both stacks. */
final class PairServices {

    /** As many logins as an account may have. */
    static final int MOST_LOGINS = 3;

    private PairServices() {}

    static WebApplicationContextRunner servlet(World world, List<? extends AuthPlugin> plugins) {
        return with(world, plugins, Services.web().withUserConfiguration(Servlets.class));
    }

    static ReactiveWebApplicationContextRunner webFlux(World world, List<? extends AuthPlugin> plugins) {
        return with(world, plugins, ReactiveServices.web().withUserConfiguration(WebFlux.class));
    }

    private static <S extends AbstractApplicationContextRunner<S, ?, ?>> S with(
            World world, List<? extends AuthPlugin> plugins, S runner) {
        S service = runner.withBean("latchkeyClock", World.class, () -> world)
                .withBean(LoginStore.class, () -> world.logins)
                .withBean(RevocationStore.class, () -> world.revocations)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true",
                        "latchkey.login.logins.enabled=true",
                        "latchkey.login.max-per-account=" + MOST_LOGINS,
                        "latchkey.login.when-full=refuse",
                        "latchkey.guard.refusals.delay=0s",
                        "latchkey.plugins=" + namesOf(plugins));
        for (AuthPlugin plugin : plugins) {
            service = service.withBean("plugin-" + plugin.name(), AuthPlugin.class, () -> plugin);
        }
        return service;
    }

    private static String namesOf(List<? extends AuthPlugin> plugins) {
        return Stream.concat(Stream.of("users", "jwt"), plugins.stream().map(AuthPlugin::name))
                .collect(Collectors.joining(","));
    }

    /** The same with these plugins, whose rows are the world's. */
    static <S extends AbstractApplicationContextRunner<S, ?, ?>> S withIssuers(
            World world, Path key, S service, String names) {
        return service.withConfiguration(
                        AutoConfigurations.of(ApiKeysAutoConfiguration.class, OneTimeCodesAutoConfiguration.class))
                .withBean(CodeStore.class, () -> world.codes)
                .withBean(ApiKeyStore.class, () -> world.keys)
                .withPropertyValues(
                        "latchkey.plugin.api-keys.key-file=" + key,
                        "latchkey.plugin.one-time-codes.key-file=" + key,
                        "latchkey.plugin.one-time-codes.issuer=shop",
                        "latchkey.plugin.one-time-codes.remember-devices=true",
                        "latchkey.plugins=" + names);
    }

    private static UserDetails user(World world, String name) {
        World.Row row = world.find(World.USERS, name).orElseThrow(() -> new UsernameNotFoundException(name));
        return User.withUsername(name)
                .password(row.hash())
                .disabled(!row.isEnabled())
                .authorities("ROLE_USER")
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    static class Servlets {

        @Bean
        PasswordEncoder passwordEncoder() {
            return World.ENCODER;
        }

        @Bean
        UserDetailsService accounts(World world) {
            return name -> user(world, name);
        }

        @Bean
        OwnLogin ownLogin(AuthenticationConfiguration configuration) {
            return new OwnLogin(configuration);
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http, LatchkeyPermissions permissions, UserDetailsService accounts)
                throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/own-login")
                            .permitAll()
                            .requestMatchers("/denied")
                            .access(permissions.permission("thing", "r"))
                            .anyRequest()
                            .authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .rememberMe(remember -> remember.key("remember-me-key").userDetailsService(accounts))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @RestController
    record OwnLogin(AuthenticationConfiguration configuration) {

        @GetMapping("/hello")
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }

        @PostMapping("/own-login")
        ResponseEntity<String> login(
                @RequestParam("username") String username, @RequestParam("password") String password) throws Exception {
            try {
                return ResponseEntity.ok(configuration
                        .getAuthenticationManager()
                        .authenticate(UsernamePasswordAuthenticationToken.unauthenticated(username, password))
                        .getName());
            } catch (AuthenticationException e) {
                return ResponseEntity.status(401).body("");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WebFlux {

        @Bean
        PasswordEncoder passwordEncoder() {
            return World.ENCODER;
        }

        @Bean
        ReactiveUserDetailsService accounts(World world) {
            return name -> Mono.fromCallable(() -> user(world, name));
        }

        @Bean
        ReactiveOwnLogin ownLogin(LatchkeyWebFlux latchkey) {
            return new ReactiveOwnLogin(latchkey);
        }

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/own-login")
                            .permitAll()
                            .pathMatchers("/denied")
                            .access(latchkey.permission("thing", "r"))
                            .anyExchange()
                            .authenticated())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .build();
        }
    }

    @RestController
    record ReactiveOwnLogin(LatchkeyWebFlux latchkey) {

        @GetMapping("/hello")
        Mono<String> hello(Authentication authentication) {
            return Mono.just("Hello " + authentication.getName());
        }

        @PostMapping("/own-login")
        Mono<ResponseEntity<String>> login(ServerWebExchange exchange) {
            return exchange.getFormData()
                    .flatMap(form -> latchkey.passwords()
                            .authenticate(UsernamePasswordAuthenticationToken.unauthenticated(
                                    form.getFirst("username"), form.getFirst("password"))))
                    .map(login -> ResponseEntity.ok(login.getName()))
                    .onErrorReturn(
                            AuthenticationException.class,
                            ResponseEntity.status(401).body(""));
        }
    }
}
