package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * A service on a Tomcat of two threads. The service writes bodies in every possible way, behind the throttles of the
 * properties.
 */
final class ThrottledService implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ServletWebServerApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LONG).build();

    private ThrottledService(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    static ThrottledService start(String... properties) {
        return start(List.of(App.class), properties);
    }

    static ThrottledService start(Class<?> more, String... properties) {
        return start(List.of(App.class, more), properties);
    }

    static ThrottledService startWithRedis(String... properties) {
        return start(List.of(App.class, WithRedis.class), properties);
    }

    /** A service with patience: a busy machine hears Redis's answer in time. */
    static ThrottledService startPatiently(String... properties) {
        return start(List.of(App.class, PatientStores.class), properties);
    }

    private static ThrottledService start(List<Class<?>> sources, String... properties) {
        SpringApplicationBuilder service = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .properties("server.port=0", "server.tomcat.threads.max=2", "spring.main.banner-mode=off")
                .properties(properties);
        return new ThrottledService((ServletWebServerApplicationContext) service.run());
    }

    CompletableFuture<HttpResponse<byte[]>> get(String path) {
        return get(path, "192.0.2.1");
    }

    CompletableFuture<HttpResponse<byte[]>> get(String path, String source) {
        return get(path, "X-Forwarded-For", source);
    }

    /** As this user. The password is the name. */
    CompletableFuture<HttpResponse<byte[]>> getAs(String user, String path) {
        return get(
                path,
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8)));
    }

    private CompletableFuture<HttpResponse<byte[]>> get(String path, String header, String value) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
                .timeout(LONG)
                .header(header, value)
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    int port() {
        return context.getWebServer().getPort();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** As the meter says. */
    boolean hasLostItsStore() {
        return context.getBean(MeterRegistry.class)
                        .get("latchkey.throttle.store.lost")
                        .gauge()
                        .value()
                == 1;
    }

    ThrottleControls controls() {
        return context.getBean(ThrottleControls.class);
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

    /** The body of this length: each position differs from the neighbours. */
    static byte[] body(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + (i * 31L + i / 997) % 26);
        }
        return bytes;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.requestMatchers("/own/**")
                            .authenticated()
                            .anyRequest()
                            .permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name).password("{noop}" + name).build();
        }

        @Bean
        TrustedProxies proxies() {
            return TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("127.0.0.0/8", "::1"));
        }

        @Bean
        Bodies bodies() {
            return new Bodies();
        }

        @Bean
        ServletRegistrationBean<HttpServlet> listening() {
            return new ServletRegistrationBean<>(new AsyncServlets.Listening(), "/bodies/listening");
        }

        @Bean
        ServletRegistrationBean<HttpServlet> onItsOwnThread() {
            return new ServletRegistrationBean<>(new AsyncServlets.OnItsOwnThread(), "/bodies/own-thread/*");
        }
    }

    @RestController
    static class Bodies {

        @GetMapping("/plain")
        String plain() {
            return "plain";
        }

        @GetMapping("/counted")
        String counted() {
            return "counted";
        }

        @GetMapping({"/bodies/bytes/{length}", "/hasty/{length}"})
        byte[] bytes(@PathVariable int length) {
            return body(length);
        }

        @GetMapping("/own/{any}")
        String own(Principal caller) {
            return caller.getName();
        }

        @GetMapping("/bodies/writer/{length}")
        void writer(@PathVariable int length, HttpServletResponse response) throws IOException {
            response.setCharacterEncoding("UTF-8");
            response.getWriter().print("ä" + new String(body(length), StandardCharsets.US_ASCII));
        }

        @GetMapping("/bodies/one-by-one/{length}")
        void oneByOne(@PathVariable int length, HttpServletResponse response) throws IOException {
            for (byte each : body(length)) {
                response.getOutputStream().write(each);
            }
            response.flushBuffer();
        }

        @GetMapping("/bodies/streaming/{length}")
        StreamingResponseBody streaming(@PathVariable int length) {
            return out -> out.write(body(length));
        }

        @GetMapping("/bodies/deferred/{length}")
        CompletableFuture<byte[]> deferred(@PathVariable int length) {
            return CompletableFuture.supplyAsync(() -> body(length));
        }

        @GetMapping("/bodies/forward/{length}")
        void forward(@PathVariable int length, HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            response.getWriter().print("dropped");
            request.getRequestDispatcher("/bodies/bytes/" + length).forward(request, response);
            response.getOutputStream().print("dropped");
        }

        @GetMapping("/bodies/forward-to-text/{length}")
        void forwardToText(@PathVariable int length, HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            response.getWriter().print("dropped");
            request.getRequestDispatcher("/bodies/writer/" + length).forward(request, response);
            response.getWriter().print("dropped");
        }

        @GetMapping("/bodies/error/{length}")
        ResponseEntity<byte[]> error(@PathVariable int length, HttpServletResponse response) throws IOException {
            response.getOutputStream().write(body(length));
            response.sendError(418);
            return ResponseEntity.ok(new byte[0]);
        }
    }
}
