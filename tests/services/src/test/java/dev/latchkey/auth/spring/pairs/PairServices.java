package dev.latchkey.auth.spring.pairs;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.LatchkeyPermissions;
import dev.latchkey.auth.spring.access.RecentProof;
import dev.latchkey.auth.spring.issuer.TrustedIssuer;
import dev.latchkey.auth.spring.issuer.TrustedIssuersPlugin;
import dev.latchkey.auth.spring.login.ActingRule;
import dev.latchkey.auth.spring.login.ActingTokens;
import dev.latchkey.auth.spring.plugin.DatedUserDetails;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.auth.spring.webflux.ReactiveTokensAfterLogin;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.plugins.apikeys.spring.ApiKeysAutoConfiguration;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.spring.OneTimeCodesAutoConfiguration;
import dev.latchkey.plugins.passkeys.spring.PasskeysAutoConfiguration;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.DefaultOneTimeToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginReactiveAuthenticationManager;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryReactiveClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.ott.OneTimeTokenAuthenticationFilter;
import org.springframework.security.web.authentication.rememberme.InMemoryTokenRepositoryImpl;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Services with every way in, on both stacks. */
final class PairServices {

    /** As many logins as an account may have. */
    static final int MOST_LOGINS = 3;

    /** Chooses the chain with remember-me cookies that have rows. */
    static final Map<String, String> WITH_ROWS = Map.of("X-Remember", "rows");

    private static final String RESOURCE_SERVER = "pairs.resource-server";

    private PairServices() {}

    static WebApplicationContextRunner servlet(World world, List<? extends AuthPlugin> plugins) {
        return with(world, plugins, Services.web().withUserConfiguration(Servlets.class));
    }

    static ReactiveWebApplicationContextRunner webFlux(World world, List<? extends AuthPlugin> plugins) {
        return with(world, plugins, ReactiveServices.web().withUserConfiguration(WebFlux.class));
    }

    /** The same without plugins, and with Spring's resource server in the chain. */
    static WebApplicationContextRunner servletResourceServer(World world) {
        return with(world, List.of(), Services.resourceServer().withUserConfiguration(Servlets.class))
                .withPropertyValues(RESOURCE_SERVER + "=true");
    }

    /** The same on WebFlux. */
    static ReactiveWebApplicationContextRunner webFluxResourceServer(World world) {
        return with(world, List.of(), ReactiveServices.resourceServer().withUserConfiguration(WebFlux.class))
                .withPropertyValues(RESOURCE_SERVER + "=true");
    }

    /** Without plugins there is no trusted issuer either. */
    private static <S extends AbstractApplicationContextRunner<S, ?, ?>> S with(
            World world, List<? extends AuthPlugin> plugins, S runner) {
        S service = runner.withBean("latchkeyClock", World.class, () -> world)
                .withBean(LoginStore.class, () -> world.logins)
                .withBean(RevocationStore.class, () -> world.revocations)
                .withBean(ActingRule.class, () -> (actor, account) -> actor.id().startsWith("supporter-of-"))
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true",
                        "latchkey.login.logins.enabled=true",
                        "latchkey.login.max-per-account=" + MOST_LOGINS,
                        "latchkey.login.when-full=refuse",
                        "latchkey.login.clients.app.secret=0123456789abcdefghijkl",
                        "latchkey.login.introspection=true",
                        "latchkey.jwt.old-tokens.look-up-accounts=true",
                        "latchkey.jwt.old-tokens.accounts-kept-for=0s",
                        "latchkey.permissions.features=true",
                        "latchkey.guard.refusals.delay=0s",
                        "latchkey.plugins=" + namesOf(plugins));
        if (!plugins.isEmpty()) {
            service = service.withBean(TrustedIssuer.class, world.partner::trusted);
        }
        for (AuthPlugin plugin : plugins) {
            service = service.withBean("plugin-" + plugin.name(), AuthPlugin.class, () -> plugin);
        }
        return service;
    }

    private static String namesOf(List<? extends AuthPlugin> plugins) {
        Stream<String> ofTheStarter = plugins.isEmpty()
                ? Stream.of("users", "jwt", "features")
                : Stream.of("users", TrustedIssuersPlugin.NAME, "jwt", "features");
        return Stream.concat(ofTheStarter, plugins.stream().map(AuthPlugin::name))
                .collect(Collectors.joining(","));
    }

    /** The same with these plugins, over the rows of the world. */
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

    /** The same with passkeys, and with the endpoints for management of the own account. */
    static <S extends AbstractApplicationContextRunner<S, ?, ?>> S withManagement(World world, Path key, S service) {
        return withIssuers(world, key, service, "users,jwt,features,api-keys,one-time-codes,passkeys")
                .withConfiguration(AutoConfigurations.of(PasskeysAutoConfiguration.class))
                .withBean(PasskeyStore.class, () -> world.passkeys)
                .withPropertyValues(
                        "latchkey.plugin.api-keys.endpoints-enabled=true",
                        "latchkey.plugin.one-time-codes.endpoints-enabled=true",
                        "latchkey.plugin.passkeys.endpoints-enabled=true",
                        "latchkey.plugin.passkeys.key-file=" + key,
                        "latchkey.plugin.passkeys.rp-id=example.com",
                        "latchkey.plugin.passkeys.rp-name=shop");
    }

    /** A supporter's request; without a token it is forbidden. */
    private static Map<String, String> tokenOf(ActingTokens acting, @Nullable String bearer, @Nullable String account) {
        return acting.actAs(
                        String.valueOf(bearer).substring("Bearer ".length()),
                        String.valueOf(account),
                        Duration.ofHours(1))
                .map(token -> Map.of("access_token", token.value()))
                .orElseThrow(() -> new AccessDeniedException("no such account"));
    }

    private static UserDetails user(World world, String name) {
        World.Row row = world.find(World.USERS, name).orElseThrow(() -> new UsernameNotFoundException(name));
        return new DatedUser(name, row);
    }

    private static final class DatedUser extends User implements DatedUserDetails {

        private static final long serialVersionUID = 1;

        private final Instant created;

        DatedUser(String name, World.Row row) {
            super(name, row.hash(), row.isEnabled(), true, true, true, AuthorityUtils.createAuthorityList("ROLE_USER"));
            this.created = row.created();
        }

        @Override
        public Instant created() {
            return created;
        }
    }

    /** A link that the service sent, {@code name:secret}. */
    private static @Nullable OneTimeToken linkOf(World world, OneTimeTokenAuthenticationToken link) {
        String text = String.valueOf(link.getTokenValue());
        String name = text.substring(0, text.indexOf(':'));
        return world.find(World.USERS, name)
                .filter(row -> row.secret().equals(text.substring(name.length() + 1)))
                .map(row -> new DefaultOneTimeToken(text, name, Instant.MAX))
                .orElse(null);
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
        OwnLogin ownLogin(AuthenticationConfiguration configuration, ActingTokens acting) {
            return new OwnLogin(configuration, acting);
        }

        @Bean
        OneTimeTokenService links(World world) {
            return new OneTimeTokenService() {
                @Override
                public OneTimeToken generate(GenerateOneTimeTokenRequest request) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public @Nullable OneTimeToken consume(OneTimeTokenAuthenticationToken link) {
                    return linkOf(world, link);
                }
            };
        }

        @Bean
        PersistentTokenRepository rows() {
            return new InMemoryTokenRepositoryImpl();
        }

        /** A chain of its own, because a chain has remember-me cookies of one kind. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityFilterChain withRows(HttpSecurity http, PersistentTokenRepository rows, UserDetailsService accounts)
                throws Exception {
            return http.securityMatcher(
                            request -> WITH_ROWS.keySet().stream().allMatch(name -> request.getHeader(name) != null))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .rememberMe(remember ->
                            remember.key("key-of-rows").tokenRepository(rows).userDetailsService(accounts))
                    .with(latchkey(), withDefaults())
                    .build();
        }

        /** A chain of its own, since this login has requests without a login redirected. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityFilterChain hub(HttpSecurity http, World world) throws Exception {
            Hub hub = new Hub(world);
            return http.securityMatcher(request -> request.getRequestURI().contains("/oauth2/"))
                    .oauth2Login(login -> login.clientRegistrationRepository(
                                    new InMemoryClientRegistrationRepository(Hub.REGISTRATION))
                            .tokenEndpoint(tokens -> tokens.accessTokenResponseClient(hub::tokens))
                            .userInfoEndpoint(users -> users.userService(hub::user)))
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityFilterChain idp(HttpSecurity http, World world) throws Exception {
            return http.securityMatcher(request -> request.getRequestURI().contains("/saml2/"))
                    .csrf(AbstractHttpConfigurer::disable)
                    .addFilterBefore(new Idp(world).filter(), UsernamePasswordAuthenticationFilter.class)
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        SecurityFilterChain api(
                HttpSecurity http,
                LatchkeyPermissions permissions,
                RecentProof proof,
                UserDetailsService accounts,
                Environment service)
                throws Exception {
            if (service.containsProperty(RESOURCE_SERVER)) {
                http.oauth2ResourceServer(server -> server.jwt(withDefaults()));
            }
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/own-login")
                            .permitAll()
                            .requestMatchers("/denied")
                            .access(permissions.permission("thing", "r"))
                            .requestMatchers("/comments")
                            .access(permissions.permission("feature:comments", "use"))
                            .requestMatchers("/fresh")
                            .access(proof.within(Duration.ofMinutes(5)))
                            .anyRequest()
                            .authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .rememberMe(remember -> remember.key("remember-me-key").userDetailsService(accounts))
                    .oneTimeTokenLogin(login -> login.tokenGenerationSuccessHandler((request, response, token) -> {}))
                    .with(latchkey(), latchkey -> latchkey.issueAfter(OneTimeTokenAuthenticationFilter.class))
                    .build();
        }
    }

    @RestController
    record OwnLogin(AuthenticationConfiguration configuration, ActingTokens acting) {

        @GetMapping({"/hello", "/comments", "/fresh"})
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }

        @PostMapping("/act")
        Map<String, String> act(HttpServletRequest request, @RequestParam("as") String account) {
            return tokenOf(acting, request.getHeader("Authorization"), account);
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
        ReactiveOwnLogin ownLogin(LatchkeyWebFlux latchkey, ActingTokens acting) {
            return new ReactiveOwnLogin(latchkey, acting);
        }

        @Bean
        ReactiveOneTimeTokenService linksOfTheService(World world) {
            return new ReactiveOneTimeTokenService() {
                @Override
                public Mono<OneTimeToken> generate(GenerateOneTimeTokenRequest request) {
                    return Mono.error(new UnsupportedOperationException());
                }

                @Override
                public Mono<OneTimeToken> consume(OneTimeTokenAuthenticationToken link) {
                    return Mono.fromCallable(() -> linkOf(world, link));
                }
            };
        }

        /** A chain of its own, since this login has requests without a login redirected. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityWebFilterChain hub(ServerHttpSecurity http, LatchkeyWebFlux latchkey, World world) {
            Hub hub = new Hub(world);
            return latchkey.addTo(http)
                    .securityMatcher(ServerWebExchangeMatchers.pathMatchers("/oauth2/**", "/login/oauth2/**"))
                    .oauth2Login(login -> login.clientRegistrationRepository(
                                    new InMemoryReactiveClientRegistrationRepository(Hub.REGISTRATION))
                            .authenticationManager(new OAuth2LoginReactiveAuthenticationManager(
                                    request -> Mono.fromCallable(() -> hub.tokens(request)),
                                    request -> Mono.fromCallable(() -> hub.user(request)))))
                    .build();
        }

        @Bean
        SecurityWebFilterChain api(
                ServerHttpSecurity http, LatchkeyWebFlux latchkey, RecentProof proof, Environment service) {
            boolean isResourceServer = service.containsProperty(RESOURCE_SERVER);
            return (isResourceServer
                            ? latchkey.addToResourceServer(
                                    http.oauth2ResourceServer(server -> server.jwt(withDefaults())))
                            : latchkey.addTo(http))
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/own-login")
                            .permitAll()
                            .pathMatchers("/denied")
                            .access(latchkey.permission("thing", "r"))
                            .pathMatchers("/comments")
                            .access(latchkey.permission("feature:comments", "use"))
                            .pathMatchers("/fresh")
                            .access(proof.onWebFlux(Duration.ofMinutes(5)))
                            .anyExchange()
                            .authenticated())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .build();
        }

        /** A chain of its own, since this login has requests without a login redirected. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        SecurityWebFilterChain links(
                ServerHttpSecurity http, LatchkeyWebFlux latchkey, ReactiveTokensAfterLogin tokens) {
            return latchkey.addTo(http)
                    .securityMatcher(ServerWebExchangeMatchers.pathMatchers("/login/ott"))
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .oneTimeTokenLogin(login -> login.authenticationSuccessHandler(tokens)
                            .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                            .tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
                    .build();
        }
    }

    @RestController
    record ReactiveOwnLogin(LatchkeyWebFlux latchkey, ActingTokens acting) {

        @GetMapping({"/hello", "/comments", "/fresh"})
        Mono<String> hello(Authentication authentication) {
            return Mono.just("Hello " + authentication.getName());
        }

        @PostMapping("/act")
        Mono<Map<String, String>> act(ServerWebExchange exchange) {
            return exchange.getFormData()
                    .publishOn(Schedulers.boundedElastic())
                    .map(form -> tokenOf(
                            acting, exchange.getRequest().getHeaders().getFirst("Authorization"), form.getFirst("as")));
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
