package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleSnapshot;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/** A service on a Netty of one event loop that writes bodies in every way there is, behind the throttles of its properties. */
final class ReactiveThrottledService implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BUFFER = 1_000;

    private final ReactiveWebServerApplicationContext context;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LONG)
            .build();

    private ReactiveThrottledService(ReactiveWebServerApplicationContext context) {
        this.context = context;
    }

    static ReactiveThrottledService start(String... properties) {
        return start(List.of(App.class), properties);
    }

    /** One that is never too busy to hear Redis's answer in time. */
    static ReactiveThrottledService startPatiently(String... properties) {
        return start(List.of(App.class, PatientStores.class), properties);
    }

    private static ReactiveThrottledService start(List<Class<?>> sources, String... properties) {
        SpringApplicationBuilder service = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.REACTIVE)
                .properties("server.port=0", "spring.main.banner-mode=off")
                .properties(properties);
        return new ReactiveThrottledService((ReactiveWebServerApplicationContext) service.run());
    }

    CompletableFuture<HttpResponse<byte[]>> get(String path, String source) {
        return send("GET", path, source);
    }

    /** As this user. The password is the name. */
    CompletableFuture<HttpResponse<byte[]>> getAs(String user, String path) {
        return send(
                "GET",
                path,
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8)));
    }

    CompletableFuture<HttpResponse<byte[]>> send(String method, String path, String source) {
        return send(method, path, "X-Forwarded-For", source);
    }

    private CompletableFuture<HttpResponse<byte[]>> send(String method, String path, String header, String value) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(LONG)
                .header(header, value)
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    int port() {
        return context.getWebServer().getPort();
    }

    /** With {@code management.server.port=0}. */
    int managementPort() {
        return context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    }

    ThrottleControls controls() {
        return context.getBean(ThrottleControls.class);
    }

    Bodies bodies() {
        return context.getBean(Bodies.class);
    }

    /** Polls until the throttle is as expected. Polling changes nothing. */
    void await(String throttle, Predicate<ThrottleSnapshot> expected) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!expected.test(controls().snapshot(throttle))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Still " + controls().snapshot(throttle));
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.pathMatchers("/own/**")
                            .authenticated()
                            .anyExchange()
                            .permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        ReactiveUserDetailsService users() {
            return name ->
                    Mono.just(User.withUsername(name).password("{noop}" + name).build());
        }

        @Bean
        TrustedProxies proxies() {
            return TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("127.0.0.0/8", "::1"));
        }

        @Bean
        ReactorResourceFactory oneEventLoop() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setLoopResourcesSupplier(() -> LoopResources.create("one-loop", 1, true));
            return resources;
        }

        /** By name: a Tomcat is there too. */
        @Bean
        NettyReactiveWebServerFactory netty(ReactorResourceFactory oneEventLoop) {
            NettyReactiveWebServerFactory netty = new NettyReactiveWebServerFactory();
            netty.setResourceFactory(oneEventLoop);
            return netty;
        }

        @Bean
        Bodies bodies() {
            return new Bodies();
        }
    }

    @RestController
    static class Bodies {

        /** The buffers of the latest body taken by the server so far. */
        final AtomicInteger taken = new AtomicInteger();

        @GetMapping("/plain")
        String plain() {
            return "plain";
        }

        @GetMapping("/counted")
        Mono<String> counted() {
            return Mono.just("counted");
        }

        @GetMapping("/own/{any}")
        Mono<String> own(Principal caller) {
            return Mono.just(caller.getName());
        }

        @GetMapping("/paid/{length}")
        byte[] paid(@PathVariable int length) {
            return ThrottledService.body(length);
        }

        @GetMapping({"/bodies/bytes/{length}", "/hasty/{length}"})
        ResponseEntity<byte[]> bytes(@PathVariable int length) {
            return ResponseEntity.ok().eTag("whole").body(ThrottledService.body(length));
        }

        @GetMapping("/hasty/fields/{length}")
        ResponseEntity<byte[]> fields(@PathVariable int length, ServerHttpResponse response) {
            response.addCookie(ResponseCookie.from("SESSION", "1").build());
            response.getHeaders().add("Set-Cookie", "remember-me=new");
            response.getHeaders().add("Access-Control-Allow-Origin", "https://shop.example");
            response.getHeaders().add("Vary", "Origin");
            response.getHeaders().add("vary", "Accept-Language");
            response.getHeaders().set("Cache-Control", "max-age=3600");
            response.getHeaders().set("Content-Disposition", "attachment");
            response.getHeaders().set("Content-Security-Policy", "default-src 'self'");
            return ResponseEntity.ok().eTag("whole").body(ThrottledService.body(length));
        }

        @GetMapping("/bodies/flowing/{length}")
        Mono<Void> flowing(@PathVariable int length, ServerHttpResponse response) {
            return response.writeWith(buffers(length, response));
        }

        @GetMapping({"/bodies/flushing/{length}", "/hasty/flushing/{length}"})
        Mono<Void> flushing(@PathVariable int length, ServerHttpResponse response) {
            return response.writeAndFlushWith(buffers(length, response).map(Mono::just));
        }

        @GetMapping("/bodies/unpooled/{length}")
        Mono<Void> unpooled(@PathVariable int length, ServerHttpResponse response) {
            return response.writeWith(
                    Mono.just(DefaultDataBufferFactory.sharedInstance.wrap(ThrottledService.body(length))));
        }

        @GetMapping(path = "/bodies/events/{length}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events(@PathVariable int length) {
            return Flux.range(0, length / 10).map(i -> "ten bytes!");
        }

        @GetMapping("/bodies/endless")
        Mono<Void> endless(ServerHttpResponse response) {
            taken.set(0);
            response.getHeaders().set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_OCTET_STREAM_VALUE);
            return response.writeWith(Flux.generate(sink -> {
                taken.incrementAndGet();
                sink.next(response.bufferFactory().wrap(new byte[BUFFER]));
            }));
        }

        private static Flux<DataBuffer> buffers(int length, ServerHttpResponse response) {
            byte[] body = ThrottledService.body(length);
            return Flux.range(0, (length + BUFFER - 1) / BUFFER).map(i -> {
                byte[] part = Arrays.copyOfRange(body, i * BUFFER, Math.min(length, (i + 1) * BUFFER));
                return response.bufferFactory().allocateBuffer(part.length).write(part);
            });
        }
    }
}
