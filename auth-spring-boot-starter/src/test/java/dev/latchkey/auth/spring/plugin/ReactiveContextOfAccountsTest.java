package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.ReactiveWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A WebFlux service keeps its tenant in the Reactor context. Each look-up of an account has the context of its request. */
class ReactiveContextOfAccountsTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withBean(TenantFilter.class)
            .withBean(
                    ReactiveUserDetailsService.class,
                    () -> name -> Mono.deferContextual(context -> {
                        String tenant = context.getOrDefault("tenant", "none");
                        asked.add(tenant);
                        return Mono.just(account(name, tenant));
                    }))
            .withPropertyValues(
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.jwt.secret=" + Services.KEY);

    private static final class TenantFilter implements WebFilter, Ordered {

        @Override
        public int getOrder() {
            return -1000;
        }

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            String tenant = exchange.getRequest().getHeaders().getFirst("X-Tenant");
            return tenant == null
                    ? chain.filter(exchange)
                    : chain.filter(exchange).contextWrite(context -> context.put("tenant", tenant));
        }
    }

    private static UserDetails account(String name, String tenant) {
        return User.withUsername(name)
                .password("{noop}of-" + tenant)
                .roles("USER")
                .build();
    }

    @Test
    void loginEndpoint_andRefresh_askTheTenantOfTheRequest() {
        service.run(context -> {
            for (String tenant : List.of("a", "b")) {
                EntityExchangeResult<String> login =
                        token(context, tenant, Map.of("username", "dave", "password", "of-" + tenant));
                assertThat(login.getStatus()).isEqualTo(HttpStatus.OK);
                assertThat(token(context, tenant, Map.of("username", "dave", "password", "of-none"))
                                .getStatus())
                        .isEqualTo(HttpStatus.UNAUTHORIZED);
                asked.clear();
                String refreshToken =
                        login.getResponseBody().replaceAll("(?s).*\"refresh_token\":\"([^\"]+)\".*", "$1");
                assertThat(token(context, tenant, Map.of("grant_type", "refresh_token", "refresh_token", refreshToken))
                                .getStatus())
                        .isEqualTo(HttpStatus.OK);
                assertThat(asked).isNotEmpty().containsOnly(tenant);
            }
        });
    }

    @Test
    void secondStep_asksTheTenantOfTheRequest() {
        service.withBean("codes", LoginStep.class, AnyCode::new).run(context -> {
            for (String tenant : List.of("a", "b")) {
                EntityExchangeResult<String> first =
                        token(context, tenant, Map.of("username", "dave", "password", "of-" + tenant));
                assertThat(first.getStatus()).isEqualTo(HttpStatus.UNAUTHORIZED);
                asked.clear();
                String continuation = first.getResponseBody().replaceAll("(?s).*\"continuation\":\"([^\"]+)\".*", "$1");
                assertThat(token(context, tenant, Map.of("continuation", continuation, "code", "1"))
                                .getStatus())
                        .isEqualTo(HttpStatus.OK);
                assertThat(asked).isNotEmpty().containsOnly(tenant);
            }
        });
    }

    /** A second step, which every response passes. */
    private static final class AnyCode implements LoginStep {

        @Override
        public String name() {
            return "codes";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }

    @Test
    void basicOfAServiceWithAnotherPlugin_asksTheTenantOfTheRequest() {
        service.withBean("directory", AuthPlugin.class, Directory::new).run(context -> {
            for (String tenant : List.of("a", "b")) {
                assertThat(hello(context, tenant, "of-" + tenant)).isEqualTo(HttpStatus.OK);
                assertThat(hello(context, tenant, "of-none")).isEqualTo(HttpStatus.UNAUTHORIZED);
            }
            assertThat(asked).doesNotContain("none");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ask", "/ask-by-work"})
    void controllerThatAsksTheChain_asksTheTenantOfTheRequest(String path) {
        service.withBean(Asking.class).run(context -> {
            for (String tenant : List.of("a", "b")) {
                assertThat(asked(context, path, tenant, "of-" + tenant)).isEqualTo("Authenticated");
                assertThat(asked(context, path, tenant, "of-none")).isEqualTo("Rejected");
            }
            assertThat(asked).doesNotContain("none");
        });
    }

    private static String asked(ApplicationContext context, String path, String tenant, String password) {
        return ReactiveServices.client(context)
                .get()
                .uri(path + "?password=" + password)
                .header("X-Tenant", tenant)
                .headers(headers -> headers.setBasicAuth("dave", "of-" + tenant))
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
    }

    /** Asks as the pages for services and for plugins say. */
    @RestController
    record Asking(AuthChain chain, ReactiveWork work) {

        private Verdict verdict(String password) {
            return chain.authenticate(new PasswordCredentials("dave", Secret.of(password)));
        }

        @GetMapping("/ask-by-work")
        Mono<String> askByWork(@RequestParam("password") String password) {
            return work.run(() -> verdict(password).getClass().getSimpleName());
        }

        @GetMapping("/ask")
        Mono<String> ask(@RequestParam("password") String password) {
            return Mono.deferContextual(context -> {
                        CurrentLogin request = context.<CurrentLogin>getOrEmpty(CurrentLogin.class)
                                .orElse(CurrentLogin.NONE);
                        return Mono.fromCallable(() ->
                                request.call(() -> verdict(password).getClass().getSimpleName()));
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }

    private static HttpStatus hello(ApplicationContext context, String tenant, String password) {
        return (HttpStatus) ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .header("X-Tenant", tenant)
                .headers(headers -> headers.setBasicAuth("dave", password))
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus();
    }

    private static EntityExchangeResult<@Nullable String> token(
            ApplicationContext context, String tenant, Map<String, String> fields) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        fields.forEach(form::add);
        return ReactiveServices.client(context)
                .post()
                .uri("/auth/token")
                .header("X-Tenant", tenant)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .body(BodyInserters.fromFormData(form))
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }
}
