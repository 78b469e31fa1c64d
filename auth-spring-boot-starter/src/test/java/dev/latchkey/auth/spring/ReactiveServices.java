package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.access.LatchkeyAccessAutoConfiguration;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.issuer.LatchkeyIssuersAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyReactiveAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import dev.latchkey.auth.spring.webflux.LatchkeyReactiveWebAutoConfiguration;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Small WebFlux services to put the starter into. */
public final class ReactiveServices {

    private static final List<Class<?>> WITH_THE_STARTER = List.of(
            HttpHandlerAutoConfiguration.class,
            WebFluxAutoConfiguration.class,
            ReactiveSecurityAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class,
            LatchkeyAccessAutoConfiguration.class,
            LatchkeyAutoConfiguration.class,
            LatchkeyEncodersAutoConfiguration.class,
            LatchkeyGuardAutoConfiguration.class,
            LatchkeyIssuersAutoConfiguration.class,
            LatchkeyJwtAutoConfiguration.class,
            LatchkeyLoginAutoConfiguration.class,
            LatchkeyLoginEndpointsAutoConfiguration.class,
            LatchkeyReactiveAutoConfiguration.class,
            LatchkeyReactiveWebAutoConfiguration.class);

    private static final List<Class<?>> OF_RESOURCE_SERVERS = List.of(
            ReactiveOAuth2ResourceServerAutoConfiguration.class,
            LatchkeyResourceServerAutoConfiguration.class,
            LatchkeyJwtDecoderAutoConfiguration.class);

    private static final String CLIENT = "clientOfTheTest";

    private static final ReactiveWebApplicationContextRunner WEB = runner(List.of(WITH_THE_STARTER));
    private static final ReactiveWebApplicationContextRunner RESOURCE_SERVER = runner(
                    List.of(WITH_THE_STARTER, OF_RESOURCE_SERVERS))
            .withBean(WhoAmI.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    private ReactiveServices() {}

    /** Made once for all tests, because Boot reads each of these classes to know their order. */
    private static ReactiveWebApplicationContextRunner runner(List<List<Class<?>>> autoConfigurations) {
        return new ReactiveWebApplicationContextRunner()
                .withInitializer(new ClassFilesReadOnce())
                .withPropertyValues(Services.PATIENT)
                .withConfiguration(AutoConfigurations.of(
                        autoConfigurations.stream().flatMap(List::stream).toArray(Class[]::new)));
    }

    public static ReactiveWebApplicationContextRunner web() {
        return WEB;
    }

    /** The same with more of Boot's and the starter's: all that are known here are sorted once. */
    static ReactiveWebApplicationContextRunner web(List<Class<?>> more) {
        return runner(List.of(WITH_THE_STARTER, more));
    }

    /**
     * The same with Spring's resource server on the class path, a signing key, and a controller that shows the
     * caller.
     */
    public static ReactiveWebApplicationContextRunner resourceServer() {
        return RESOURCE_SERVER;
    }

    /** The service's client at 192.0.2.1: without a server a request has no address of its own. */
    public static WebTestClient client(ApplicationContext context) {
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getAutowireCapableBeanFactory();
        // Made once for each service, because a client reads all its filters and codecs.
        if (!beans.containsSingleton(CLIENT)) {
            beans.registerSingleton(CLIENT, newClient(context));
        }
        return beans.getBean(CLIENT, WebTestClient.class);
    }

    private static WebTestClient newClient(ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context)
                .webFilter((exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.remoteAddress(new InetSocketAddress("192.0.2.1", 80)))
                        .build()))
                .configureClient()
                .responseTimeout(Duration.ofSeconds(30))
                .build();
    }

    public static String basic(String name, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @RestController
    public static final class Hello {

        @GetMapping("/hello")
        Mono<String> hello(Authentication authentication) {
            return Mono.just("Hello " + authentication.getName());
        }

        @GetMapping("/thread")
        Mono<String> thread() {
            return Mono.fromCallable(() -> Thread.currentThread().getName());
        }
    }

    @RestController
    static final class WhoAmI {

        @GetMapping("/whoami")
        Mono<String> whoAmI(@AuthenticationPrincipal Jwt principal, Authentication login) {
            return Mono.just(principal.getSubject() + " "
                    + login.getAuthorities().stream()
                            .map(Object::toString)
                            .filter(authority -> !authority.contains("FACTOR_"))
                            .sorted()
                            .toList());
        }

        @GetMapping("/thread")
        Mono<String> thread() {
            return Mono.fromCallable(() -> Thread.currentThread().getName());
        }
    }
}
