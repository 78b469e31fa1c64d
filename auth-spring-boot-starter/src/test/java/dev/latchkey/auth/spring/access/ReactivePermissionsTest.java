package dev.latchkey.auth.spring.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.parameters.P;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Permissions in a WebFlux service: by rules of its chain, and by {@code hasPermission}. */
@Tag("long")
class ReactivePermissionsTest {

    private static final String CONFIG = "/namespaces/public/config";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Clerk clerk = new Clerk();
    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withUserConfiguration(Rules.class)
            .withPropertyValues("spring.security.user.name=alice", "spring.security.user.password={noop}x")
            .withBean("clerk", AuthPlugin.class, () -> clerk);
    private final ReactiveWebApplicationContextRunner methods = service.withUserConfiguration(Methods.class);

    @Test
    void grantedPermission_letsTheRequestPass_andNoEventLoopAsks() {
        clerk.granting("ns:public:");
        service.run(context -> {
            assertThat(ask(context, CONFIG, "Bearer alice")).isEqualTo("200 config of public");
            assertThat(clerk.asked).containsExactly("alice r ns:public:config");
            assertThat(clerk.thread).startsWith("latchkey-wait");
        });
    }

    @Test
    void deniedOrUndecidedRequest_isForbidden() {
        service.run(context -> {
            assertThat(ask(context, CONFIG, "Bearer alice")).startsWith("403");
            clerk.answer = (subject, permission) -> Access.DENIED;
            assertThat(ask(context, CONFIG, "Bearer alice")).startsWith("403");
        });
    }

    @Test
    void callerThatHasNotLoggedIn_isChallengedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        service.run(context -> {
            assertThat(ask(context, CONFIG, "")).startsWith("401");
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void loginThatIsNotLatchkeys_isTheSubjectOfItsName() {
        clerk.granting("ns:public:");
        service.run(context -> {
            assertThat(ask(context, CONFIG, ReactiveServices.basic("alice", "x")))
                    .startsWith("200");
            assertThat(clerk.asked).containsExactly("alice r ns:public:config");
        });
    }

    @Test
    void valueThatHasASeparator_isDeniedAndNoPluginIsAsked() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        service.run(context -> {
            assertThat(ask(context, "/namespaces/public:config/config", "Bearer alice"))
                    .startsWith("403");
            assertThat(ask(context, "/namespaces/public%3Aconfig/config", "Bearer alice"))
                    .startsWith("403");
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void outage_is503_throttlingIs429_andABrokenPluginIs500_withAndWithoutTheGuard() {
        for (var each : new ReactiveWebApplicationContextRunner[] {
            service, service.withPropertyValues("latchkey.guard.enabled=false")
        }) {
            each.run(context -> {
                clerk.failing(AuthUnavailableException.outage("the policy store is down"));
                assertThat(ask(context, CONFIG, "Bearer alice"))
                        .startsWith("503")
                        .contains("\"status\":503");
                clerk.failing(AuthUnavailableException.throttled("slow down", Duration.ofSeconds(30)));
                assertThat(ask(context, CONFIG, "Bearer alice")).startsWith("429");
                clerk.failing(new IllegalStateException("s3cret"));
                assertThat(ask(context, CONFIG, "Bearer alice"))
                        .startsWith("500")
                        .contains("\"status\":500")
                        .doesNotContain("s3cret", "config of");
                clerk.failing(new AccessDeniedException("s3cret"));
                assertThat(ask(context, CONFIG, "Bearer alice")).startsWith("500");
            });
        }
    }

    @Test
    void methodsPermission_isAskedWhereAThreadMayWait() {
        clerk.granting("order:17");
        methods.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(as("bob", orders.order(17L))).isEqualTo("order 17");
            assertThat(clerk.asked).containsExactly("bob read order:17");
            assertThat(clerk.thread).startsWith("latchkey-wait");
            assertThatThrownBy(() -> as("bob", orders.order(18L))).isInstanceOf(AccessDeniedException.class);
        });
    }

    @Test
    void permissionOfWhatIsReturned_isAsked() {
        clerk.granting("ns:public");
        methods.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(as("bob", orders.found("ns:public"))).isEqualTo("ns:public");
            assertThatThrownBy(() -> as("bob", orders.found("ns:secret"))).isInstanceOf(AccessDeniedException.class);
            assertThat(clerk.thread).startsWith("latchkey-wait");
        });
    }

    @Test
    void filter_asksAboutTheElementThatPasses_andOnNoEventLoop() {
        clerk.granting("ns:public");
        methods.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Flux<String> names = Flux.just("ns:public:a", "ns:secret", "ns:public:b");
            assertThat(as(
                            "bob",
                            orders.all(names.publishOn(Schedulers.boundedElastic()))
                                    .collectList()))
                    .containsExactly("ns:public:a", "ns:public:b");
            assertThatThrownBy(() -> as(
                            "bob",
                            orders.all(names.publishOn(Schedulers.parallel())).collectList()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("publishOn");
        });
    }

    @Test
    void methodsOfNobody_areDenied() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        methods.run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).order(17L).block(PATIENCE))
                    .isInstanceOf(AccessDeniedException.class);
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void methodsOutage_is503() {
        clerk.granting("ns:");
        methods.run(context -> {
            assertThat(ask(context, "/orders/public", "Bearer alice")).isEqualTo("200 orders of public");
            clerk.failing(AuthUnavailableException.outage("the policy store is down"));
            assertThat(ask(context, "/orders/public", "Bearer alice")).startsWith("503");
        });
    }

    @Test
    void expressionsThatAskForNothing_areEvaluatedAsEver() {
        methods.run(context -> {
            assertThat(as("bob", context.getBean(Orders.class).own("bob"))).isEqualTo("own bob");
            assertThatThrownBy(() -> as("bob", context.getBean(Orders.class).own("eve")))
                    .isInstanceOf(AccessDeniedException.class);
            assertThat(clerk.asked).isEmpty();
        });
    }

    @Test
    void expressionHandlerOfTheService_decidesAsItDid() {
        methods.withBean("own", MethodSecurityExpressionHandler.class, ReactivePermissionsTest::allowingAll)
                .run(context -> {
                    assertThat(as("bob", context.getBean(Orders.class).order(18L)))
                            .isEqualTo("order 18");
                    assertThat(clerk.asked).isEmpty();
                });
    }

    @Test
    void evaluatorOfTheService_isTheOneThatIsThere_andSwitchedOffThereIsNone() {
        clerk.answer = (subject, permission) -> Access.GRANTED;
        methods.withBean("own", PermissionEvaluator.class, AllowAll::new).run(context -> {
            assertThat(context).hasSingleBean(PermissionEvaluator.class);
            assertThatThrownBy(() -> as("bob", context.getBean(Orders.class).order(17L)))
                    .isInstanceOf(AccessDeniedException.class);
        });
        assertThat(clerk.asked).isEmpty();
    }

    private static <T> T as(String name, Mono<T> question) {
        return question.contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                        new TestingAuthenticationToken(name, "x", "ROLE_USER")))
                .block(PATIENCE);
    }

    private static String ask(ApplicationContext context, String path, String authorization) {
        WebTestClient.RequestHeadersSpec<?> request =
                ReactiveServices.client(context).get().uri(URI.create(path));
        if (!authorization.isEmpty()) {
            request = request.header("Authorization", authorization);
        }
        var answer = request.exchange().expectBody(String.class).returnResult();
        return answer.getStatus().value() + " " + answer.getResponseBody();
    }

    private static MethodSecurityExpressionHandler allowingAll() {
        DefaultMethodSecurityExpressionHandler own = new DefaultMethodSecurityExpressionHandler();
        own.setPermissionEvaluator(new AllowAll());
        return own;
    }

    @Configuration(proxyBeanMethods = false)
    static class Rules {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http.authorizeExchange(exchanges -> exchanges
                                    .pathMatchers("/namespaces/{ns}/config")
                                    .access(latchkey.permission("ns:{ns}:config", "r"))
                                    .pathMatchers("/orders/**")
                                    .authenticated()
                                    .anyExchange()
                                    .denyAll())
                            .httpBasic(withDefaults()))
                    .build();
        }

        @Bean
        Namespaces namespaces() {
            return new Namespaces();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveMethodSecurity
    static class Methods {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        OrdersOverHttp ordersOverHttp() {
            return new OrdersOverHttp();
        }
    }

    @RestController
    static class Namespaces {

        @GetMapping("/namespaces/{ns}/config")
        Mono<String> config(@PathVariable("ns") String namespace) {
            return Mono.just("config of " + namespace);
        }
    }

    @RestController
    static class OrdersOverHttp {

        @GetMapping("/orders/{ns}")
        @PreAuthorize("hasPermission(#ns, 'ns', 'r')")
        Mono<String> orders(@P("ns") @PathVariable("ns") String namespace) {
            return Mono.just("orders of " + namespace);
        }
    }

    static class Orders {

        @PreAuthorize("hasPermission(#id, 'order', 'read')")
        Mono<String> order(@P("id") Long id) {
            return Mono.just("order " + id);
        }

        @PostAuthorize("hasPermission(returnObject, 'r')")
        Mono<String> found(String name) {
            return Mono.just(name);
        }

        @PostFilter("hasPermission(filterObject, 'r')")
        Flux<String> all(Flux<String> names) {
            return names;
        }

        @PreAuthorize("#name == authentication.name")
        Mono<String> own(@P("name") String name) {
            return Mono.just("own " + name);
        }
    }

    private static final class AllowAll implements PermissionEvaluator {

        @Override
        public boolean hasPermission(Authentication login, Object target, Object permission) {
            return true;
        }

        @Override
        public boolean hasPermission(Authentication login, Serializable id, String type, Object permission) {
            return true;
        }
    }
}
