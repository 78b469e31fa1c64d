package dev.latchkey.auth.spring;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.Authentication;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Small WebFlux services to put the starter into. */
final class ReactiveServices {

    private ReactiveServices() {}

    static ReactiveWebApplicationContextRunner web() {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HttpHandlerAutoConfiguration.class,
                        WebFluxAutoConfiguration.class,
                        ReactiveSecurityAutoConfiguration.class,
                        ReactiveUserDetailsServiceAutoConfiguration.class,
                        LatchkeyAutoConfiguration.class,
                        LatchkeyCacheAutoConfiguration.class,
                        LatchkeyGuardAutoConfiguration.class,
                        LatchkeyJwtAutoConfiguration.class,
                        LatchkeyLoginAutoConfiguration.class,
                        LatchkeyLoginEndpointsAutoConfiguration.class,
                        LatchkeyReactiveAutoConfiguration.class,
                        LatchkeyReactiveUsersAutoConfiguration.class,
                        LatchkeyReactiveWebAutoConfiguration.class,
                        LatchkeyRefreshAutoConfiguration.class,
                        LatchkeyUsersAutoConfiguration.class));
    }

    /** A client at 192.0.2.1: without a server a request has no address of its own. */
    static WebTestClient client(ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context)
                .webFilter((exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.remoteAddress(new InetSocketAddress("192.0.2.1", 80)))
                        .build()))
                .configureClient()
                .responseTimeout(Duration.ofSeconds(30))
                .build();
    }

    static String basic(String name, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @RestController
    static final class Hello {

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
