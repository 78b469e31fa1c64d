package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** A service on a real server, asked the same without and with the guard: nothing that is not refused may differ. */
class GuardDropInTest {

    private static final Set<String> VARYING = Set.of("date", "keep-alive", "connection");

    @Test
    void everyAnswer_isTheSameWithAndWithoutTheGuard() throws Exception {
        List<String> without;
        try (GuardServer server = GuardServer.start(Service.class, "--latchkey.guard.enabled=false")) {
            without = answers(server);
        }
        try (GuardServer server = GuardServer.start(Service.class)) {
            assertThat(answers(server)).containsExactlyElementsOf(without);
            // As many as there are logins below, and the dummies of two providers.
            assertThat(server.bean(HashingPermits.class).stats().completed()).isGreaterThanOrEqualTo(13);
        }
    }

    private static List<String> answers(GuardServer server) throws Exception {
        Service.EVENTS.clear();
        Service.PROBE.forget();
        List<String> lines = new ArrayList<>();
        for (String path : List.of(
                "/hello", "/cached", "/private", "/empty", "/teapot", "/missing", "/later", "/asked", "/forbidden")) {
            // A name of its own, or it would be a hit.
            lines.add(path + " " + described(server.get(path, "ann" + path, "right")));
            lines.add(path + " " + described(server.get(path, "ann" + path, "right")));
        }
        lines.add(described(server.get("/hello", "ann", "wrong")));
        lines.add(described(server.get("/hello", "unknown", "right")));
        lines.add(described(server.get("/hello", "disabled", "right")));
        lines.add(described(server.send(server.request("/echo?a=1")
                .header("Authorization", GuardServer.basic("echo", "right"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("a body")))));
        lines.add(described(form(server, "carl", "wrong")));
        lines.add(described(form(server, "carl", "right")));
        lines.add(described(server.get("/form/hello")));
        lines.addAll(Service.EVENTS);
        return lines;
    }

    private static HttpResponse<String> form(GuardServer server, String user, String password) throws Exception {
        return server.send(server.request("/form/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("username=" + user + "&password=" + password)));
    }

    private static String described(HttpResponse<String> response) {
        return response.statusCode() + " "
                + response.headers().map().entrySet().stream()
                        .filter(field -> !VARYING.contains(field.getKey()))
                        .map(field -> field.getKey() + "="
                                + field.getValue()
                                        .toString()
                                        .replaceAll("JSESSIONID=\\w+", "JSESSIONID")
                                        .replaceAll(":\\d+/", ":port/"))
                        .sorted()
                        .toList()
                + " " + response.body().replaceAll("\"timestamp\":\"[^\"]*\"", "");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final HashingProbe PROBE = new HashingProbe();
        static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        @Bean
        PasswordEncoder encoder() {
            return PROBE;
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                if (name.equals("unknown")) {
                    throw new UsernameNotFoundException(name);
                }
                return User.withUsername(name)
                        .password(HashingProbe.stored(name, "right"))
                        .disabled(name.equals("disabled"))
                        .roles("USER")
                        .build();
            };
        }

        @Bean
        SecurityFilterChain forms(HttpSecurity http) throws Exception {
            return http.securityMatcher("/form/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .formLogin(form -> form.loginProcessingUrl("/form/login").defaultSuccessUrl("/form/hello"))
                    .build();
        }

        /** Lets asynchronous dispatches pass, as services with asynchronous controllers do. */
        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC)
                            .permitAll()
                            .requestMatchers("/forbidden")
                            .hasRole("ADMIN")
                            .anyRequest()
                            .authenticated())
                    .csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        /** Behind the filter chains, and only there for first dispatches by its own rule. */
        @Bean
        OncePerRequestFilter counting() {
            return new OncePerRequestFilter() {
                @Override
                protected void doFilterInternal(
                        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                        throws ServletException, IOException {
                    response.addHeader("Counted", request.getDispatcherType().name());
                    chain.doFilter(request, response);
                }
            };
        }

        @EventListener
        void on(AbstractAuthenticationEvent event) {
            EVENTS.add(event.getClass().getSimpleName() + " of "
                    + event.getAuthentication().getName());
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping({"/hello", "/form/hello", "/forbidden"})
        String hello(Principal principal) {
            return "Hello " + principal.getName();
        }

        @GetMapping("/cached")
        ResponseEntity<String> cached() {
            return ResponseEntity.ok()
                    .cacheControl(CacheControl.maxAge(Duration.ofHours(1)))
                    .body("for an hour");
        }

        @GetMapping("/private")
        String setsItself(HttpServletResponse response) {
            response.setHeader("Cache-Control", "private");
            return "for you";
        }

        @GetMapping("/empty")
        ResponseEntity<Void> empty() {
            return ResponseEntity.noContent().build();
        }

        @GetMapping("/teapot")
        void teapot(HttpServletResponse response) throws IOException {
            response.sendError(418, "short and stout");
        }

        @GetMapping("/later")
        Callable<String> later(Principal principal) {
            return () -> "Later " + principal.getName();
        }

        @GetMapping("/asked")
        String asked(HttpServletRequest request) {
            return request.getDispatcherType() + " " + request.getRequestURI() + " " + request.getServletPath() + " "
                    + request.getQueryString() + " " + request.getAuthType() + " " + request.isUserInRole("USER");
        }

        @PostMapping("/echo")
        String echo(@RequestBody String body, HttpServletRequest request) {
            return body + request.getParameter("a");
        }
    }
}
