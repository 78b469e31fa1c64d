package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.MatcherSecurityWebFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.ServerHttpBasicAuthenticationConverter;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Managers of WebFlux filters that are no beans. */
class ReactiveManagersOfFiltersTest {

    enum Kind {
        OF_THE_CHAIN((http, manager) -> http.httpBasic(withDefaults()).authenticationManager(manager)),
        OF_HTTP_BASIC((http, manager) -> http.httpBasic(basic -> basic.authenticationManager(manager))),
        FILTER((http, manager) -> add(http, new AuthenticationWebFilter(manager))),
        RESOLVER((http, manager) ->
                add(http, new AuthenticationWebFilter((ServerWebExchange exchange) -> Mono.just(manager)))),
        OWN_FIELD((http, manager) -> add(http, new OwnFilter(manager)));

        @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
        private final BiConsumer<ServerHttpSecurity, ReactiveAuthenticationManager> addition;

        Kind(BiConsumer<ServerHttpSecurity, ReactiveAuthenticationManager> addition) {
            this.addition = addition;
        }

        private static void add(ServerHttpSecurity http, WebFilter filter) {
            http.addFilterAt(filter, SecurityWebFiltersOrder.HTTP_BASIC);
        }
    }

    private static final class OwnFilter implements WebFilter {

        private final ServerHttpBasicAuthenticationConverter converter = new ServerHttpBasicAuthenticationConverter();
        final ReactiveAuthenticationManager own;

        OwnFilter(ReactiveAuthenticationManager own) {
            this.own = own;
        }

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return converter
                    .convert(exchange)
                    .flatMap(own::authenticate)
                    .flatMap(login -> chain.filter(exchange)
                            .contextWrite(ReactiveSecurityContextHolder.withAuthentication(login)))
                    .onErrorResume(AuthenticationException.class, failure -> {
                        exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
                        return exchange.getResponse().setComplete();
                    });
        }
    }

    private static ReactiveWebApplicationContextRunner service(Kind kind) {
        return ReactiveServices.web()
                .withUserConfiguration(Chain.class)
                .withBean(ReactiveServices.Hello.class)
                .withPropertyValues("shop.kind=" + kind);
    }

    @ParameterizedTest
    @EnumSource
    void guesses_areLimited(Kind kind) {
        service(kind).run(context -> {
            for (int i = 0; i < 5; i++) {
                assertThat(status(context, "wrong" + i)).isEqualTo(401);
            }
            assertThat(status(context, "wrong5")).isEqualTo(429);
        });
    }

    @ParameterizedTest
    @EnumSource
    void secondStep_isWanted(Kind kind) {
        service(kind)
                .run(context -> assertThat(status(context, Services.PASSWORD)).isEqualTo(200));
        service(kind)
                .withBean("step", AuthPlugin.class, StepOfAlice::new)
                .run(context -> assertThat(status(context, Services.PASSWORD)).isEqualTo(401));
    }

    @Test
    void chainThatIsMadeOnAnEventLoop_isDecorated() {
        ReactiveAuthenticationManager decorated = Mono::just;
        OwnFilter filter = new OwnFilter(login -> Mono.empty());
        SecurityWebFilterChain chain =
                new MatcherSecurityWebFilterChain(exchange -> MatchResult.match(), List.of(filter));
        Mono.fromRunnable(() -> new ReactiveManagersOfFilters(manager -> decorated).decorate(chain, "shop"))
                .subscribeOn(Schedulers.parallel())
                .block(Duration.ofSeconds(30));
        assertThat(filter.own).isSameAs(decorated);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void blockingManager_isInTheLog(CapturedOutput log) {
        service(Kind.FILTER)
                .withBean("blocking", AuthenticationManager.class, () -> login -> login)
                .run(context -> assertThat(log)
                        .contains("hold for 'blocking' only behind a ReactiveAuthenticationManagerAdapter"));
    }

    /** Spring Security's own manager does not need the bound on parallel logins. */
    @Test
    void managerInsideOfObservations_isDecoratedOnce() {
        CountDownLatch asked = new CountDownLatch(2);
        Sinks.Empty<UserDetails> answer = Sinks.empty();
        ReactiveServices.web()
                .withUserConfiguration(OwnChain.class)
                .withBean(ReactiveServices.Hello.class)
                .withBean(ObservationRegistry.class, ReactiveManagersOfFiltersTest::observing)
                .withBean(WaitingThreads.class, () -> WaitingThreads.atMost(1))
                .withBean(ReactiveUserDetailsService.class, () -> name -> {
                    asked.countDown();
                    return answer.asMono().switchIfEmpty(Mono.just(user(name)));
                })
                .run(context -> {
                    ReactiveServices.client(context);
                    // The common pool may have a single thread.
                    Executor threads = task -> new Thread(task).start();
                    List<CompletableFuture<Integer>> logins = List.of(
                            CompletableFuture.supplyAsync(() -> status(context, "alice", Services.PASSWORD), threads),
                            CompletableFuture.supplyAsync(() -> status(context, "bob", Services.PASSWORD), threads));
                    assertThat(asked.await(10, TimeUnit.SECONDS))
                            .as("both are asked")
                            .isTrue();
                    answer.emitEmpty(Sinks.EmitFailureHandler.FAIL_FAST);
                    assertThat(logins)
                            .allSatisfy(login -> assertThat(login)
                                    .succeedsWithin(Duration.ofSeconds(30))
                                    .isEqualTo(200));
                });
    }

    private static ObservationRegistry observing() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(context -> true);
        return registry;
    }

    @Test
    void filterInTwoChains_isDecoratedOnce() {
        AtomicInteger decorations = new AtomicInteger();
        ReactiveManagersOfFilters managers = new ReactiveManagersOfFilters(manager -> {
            decorations.incrementAndGet();
            return manager;
        });
        AuthenticationWebFilter filter = new AuthenticationWebFilter((ReactiveAuthenticationManager) Mono::just);
        filter.setServerAuthenticationConverter(new ServerHttpBasicAuthenticationConverter());
        SecurityWebFilterChain chain =
                new MatcherSecurityWebFilterChain(exchange -> MatchResult.match(), List.of(filter));
        managers.decorate(chain, "shop");
        managers.decorate(chain, "office");
        for (int i = 0; i < 3; i++) {
            MockServerWebExchange exchange = MockServerWebExchange.from(
                    MockServerHttpRequest.get("/").header("Authorization", ReactiveServices.basic("alice", "x")));
            filter.filter(exchange, passed -> Mono.empty()).block(Duration.ofSeconds(30));
        }
        assertThat(decorations).hasValue(1);
    }

    private static UserDetails user(String name) {
        return User.withUsername(name)
                .password("{noop}" + Services.PASSWORD)
                .roles("USER")
                .build();
    }

    private static int status(ApplicationContext context, String password) {
        return status(context, "alice", password);
    }

    private static int status(ApplicationContext context, String name, String password) {
        return ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .header("Authorization", ReactiveServices.basic(name, password))
                .exchange()
                .returnResult(String.class)
                .getStatus()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChain {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        ReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(user("alice"));
        }

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http, ReactiveUserDetailsService users, Environment environment) {
            http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable);
            Kind.valueOf(environment.getProperty("shop.kind"))
                    .addition
                    .accept(http, new UserDetailsRepositoryReactiveAuthenticationManager(users));
            return http.build();
        }
    }
}
