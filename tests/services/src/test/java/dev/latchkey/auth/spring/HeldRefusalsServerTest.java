package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.login.LoginLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/** Refused logins on real servers with eight request threads, which would be gone if each waited with its client. */
@ExtendWith(OutputCaptureExtension.class)
class HeldRefusalsServerTest {

    private static final int HELD = 12;

    /** Longer than the test takes: it lets them go itself. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void heldRefusals_occupyNoRequestThread_andAreTheSameAnswerLater() throws Exception {
        try (GuardServer server = GuardServer.start(ServiceThatHoldsTwelve.class)) {
            requireHeldWithoutAThread(server);
        }
    }

    @Test
    void webFluxHoldsThemToo() throws Exception {
        try (GuardServer server =
                GuardServer.start(WebApplicationType.REACTIVE, ReactiveServiceThatHoldsTwelve.class)) {
            requireHeldWithoutAThread(server);
        }
    }

    @Test
    void serviceThatHoldsNone_tellsAtOnce() throws Exception {
        try (GuardServer server = GuardServer.start(ServiceThatHoldsNone.class)) {
            fail(server);
            assertThat(server.get("/hello", "limited", "wrong").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void heldRefusal_passesTheServicesFiltersOnce() throws Exception {
        try (GuardServer server = GuardServer.start(CountedService.class)) {
            fail(server);
            Queue<DispatcherType> passes = server.bean(Passes.class).seen;
            passes.clear();
            assertThat(server.get("/hello", "limited", "wrong").statusCode()).isEqualTo(429);
            assertThat(passes).containsExactly(DispatcherType.REQUEST);
        }
    }

    /** Tomcat uses the request's objects for another request then. */
    @Test
    void requestThatItsClientCancels_isNotCompletedLater(CapturedOutput log) throws Exception {
        try (GuardServer server = GuardServer.start(ServiceThatCountsEnds.class, "--server.http2.enabled=true")) {
            HeldRefusals refusals = server.bean(HeldRefusals.class);
            Ends ends = server.bean(Ends.class);
            fail(server);
            HttpClient client = HttpClient.newHttpClient();
            client.send(server.request("/open").build(), BodyHandlers.ofString());
            CompletableFuture<HttpResponse<String>> held = client.sendAsync(
                    server.request("/hello")
                            .header("Authorization", GuardServer.basic("limited", "wrong"))
                            .build(),
                    BodyHandlers.ofString());
            until(() -> refusals.held() == 1);
            int before = ends.count.get();
            held.cancel(true);
            until(() -> ends.count.get() > before);
            refusals.close();
            assertThat(refusals.held()).isZero();
        }
        assertThat(log).doesNotContain("A refusal could not be sent");
    }

    private static void requireHeldWithoutAThread(GuardServer server) throws Exception {
        HeldRefusals refusals = server.bean(HeldRefusals.class);
        fail(server);
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        // One after the other: in parallel, some would wait for each other's tokens, and be refused for too many that
        // wait.
        for (int i = 1; i <= HELD; i++) {
            held.add(server.getLater("/hello", "limited", "wrong"));
            int all = i;
            until(() -> {
                assertThat(held).noneMatch(CompletableFuture::isDone);
                return refusals.held() >= all;
            });
        }
        assertThat(server.get("/open").body()).isEqualTo("open");
        assertThat(server.get("/hello", "somebody-else", "right").statusCode()).isEqualTo(200);
        // No login waits behind a finished login; the answer arrives a moment before the end of the request.
        until(() -> server.bean(LoginLimits.class).stats().contended() == 0);
        HttpResponse<String> aboveTheBound = server.get("/hello", "limited", "wrong");
        assertThat(aboveTheBound.statusCode()).isEqualTo(429);
        assertThat(held).noneMatch(CompletableFuture::isDone);

        refusals.close();
        for (CompletableFuture<HttpResponse<String>> answer : held) {
            assertThat(answer.join().statusCode()).isEqualTo(429);
            assertThat(answer.join().body()).isEqualTo(aboveTheBound.body());
            assertThat(answer.join().headers().map().keySet())
                    .isEqualTo(aboveTheBound.headers().map().keySet());
        }
        assertThat(refusals.held()).isZero();
    }

    /** As often as the limits allow. */
    private static void fail(GuardServer server) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(server.get("/hello", "limited", "wrong" + i).statusCode())
                    .isEqualTo(401);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @Import(GuardServerTest.Service.class)
    static class CountedService {

        @Bean
        Passes passes() {
            return new Passes();
        }

        @Bean
        FilterRegistrationBean<Passes> first(Passes passes) {
            FilterRegistrationBean<Passes> registration = new FilterRegistrationBean<>(passes);
            registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
    }

    /** How often a request comes. */
    static final class Passes implements Filter {

        private final Queue<DispatcherType> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            seen.add(request.getDispatcherType());
            chain.doFilter(request, response);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ReactiveService {

        @Bean
        PasswordEncoder encoder() {
            return new HashingProbe();
        }

        @Bean
        ReactiveUserDetailsService users() {
            return name -> Mono.just(User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .build());
        }

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(all ->
                            all.pathMatchers("/open").permitAll().anyExchange().authenticated())
                    .httpBasic(basic -> {})
                    .build();
        }

        @Bean
        GuardServerTest.Endpoints endpoints() {
            return new GuardServerTest.Endpoints();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(GuardServerTest.Service.class)
    static class ServiceThatHoldsTwelve {

        @Bean
        HeldRefusals refusals(GuardTime time) {
            return new HeldRefusals(MINUTE, HELD, time);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ServiceThatHoldsTwelve.class)
    static class ServiceThatCountsEnds {

        @Bean
        Ends ends() {
            return new Ends();
        }
    }

    /** Counts the requests that the container has ended. */
    static final class Ends implements ServletRequestListener {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void requestDestroyed(ServletRequestEvent end) {
            count.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ReactiveService.class)
    static class ReactiveServiceThatHoldsTwelve {

        @Bean
        HeldRefusals refusals(GuardTime time) {
            return new HeldRefusals(MINUTE, HELD, time);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(GuardServerTest.Service.class)
    static class ServiceThatHoldsNone {

        @Bean
        HeldRefusals refusals(GuardTime time) {
            return new HeldRefusals(MINUTE, 0, time);
        }
    }
}
