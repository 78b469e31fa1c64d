package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.multipart.MultipartFile;

/**
 * A login with a hash passes the service once, on one thread, with all of the service's state: a tenant in a thread-local, a
 * one-time code, a body.
 */
class OnePassTest {

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(Service.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        Service.LOOKUPS.set(0);
        Service.CODES.set(0);
        Service.MIXED.clear();
    }

    @Test
    void storedHashThatDiffersAtEachLookUp_isLookedUpOnce() throws Exception {
        assertThat(server.get("/hello", "fresh", "right").statusCode()).isEqualTo(200);
        assertThat(Service.LOOKUPS).hasValue(1);
    }

    @Test
    void tenantsOfParallelRequests_areNeverMixed() {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String tenant = "tenant" + i;
            answers.add(server.later(server.request("/hello")
                    .header("Authorization", GuardServer.basic(tenant + "-" + UUID.randomUUID(), "right"))
                    .header("Tenant", tenant)));
        }
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isIn(200, 503));
        assertThat(answers)
                .anySatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
        assertThat(Service.MIXED).isEmpty();
    }

    @Test
    void providerInFrontOfThePasswords_isAskedOnce() throws Exception {
        assertThat(server.get("/hello", "once", "right").statusCode()).isEqualTo(200);
        assertThat(Service.CODES).hasValue(1);
        assertThat(server.get("/hello", "coded", "123456").statusCode()).isEqualTo(200);
        assertThat(Service.CODES).hasValue(2);
        assertThat(server.get("/hello", "coded", "123456").statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upgrade: x\r\n"})
    void upload_arrivesWhole_whateverIsUpgradedTo(String upgrade) throws Exception {
        String part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
                + "d".repeat(50_000) + "\r\n--b--\r\n";
        String head = "POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + upgrade
                + "Authorization: " + GuardServer.basic("uploader" + upgrade.length(), "right") + "\r\n"
                + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + part.length() + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write((head + part).getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200")
                    .contains("50000");
        }
        assertThat(Service.LOOKUPS).hasValue(1);
    }

    @Test
    void encoderSeesWhatTheRequestHasBoundToItsThread() throws Exception {
        assertThat(server.send(server.request("/hello")
                                .header("Authorization", GuardServer.basic("acme-bound", "right"))
                                .header("Tenant", "acme"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(Service.SEEN).contains("acme acme GET /hello");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final AtomicInteger LOOKUPS = new AtomicInteger();
        static final AtomicInteger CODES = new AtomicInteger();
        static final Queue<String> MIXED = new ConcurrentLinkedQueue<>();
        static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        @Bean
        ServletListenerRegistrationBean<ServletRequestListener> tenants() {
            return new ServletListenerRegistrationBean<>(new ServletRequestListener() {
                @Override
                public void requestInitialized(ServletRequestEvent event) {
                    String tenant = ((HttpServletRequest) event.getServletRequest()).getHeader("Tenant");
                    TENANT.set(tenant);
                    MDC.put("tenant", tenant);
                }

                @Override
                public void requestDestroyed(ServletRequestEvent event) {
                    TENANT.remove();
                    MDC.remove("tenant");
                }
            });
        }

        /** Its hashes have the tenant in them, as a pepper for each would. */
        @Bean
        PasswordEncoder encoder() {
            HashingProbe probe = new HashingProbe();
            return new PasswordEncoder() {
                @Override
                public String encode(CharSequence rawPassword) {
                    return probe.encode(rawPassword);
                }

                @Override
                public boolean matches(CharSequence rawPassword, String encodedPassword) {
                    String salt = encodedPassword.split("\\$", -1)[1];
                    if (TENANT.get() != null && !salt.startsWith(TENANT.get() + "-")) {
                        MIXED.add("encoder: " + salt + " in " + TENANT.get());
                    }
                    SEEN.add(TENANT.get() + " " + MDC.get("tenant") + " " + request());
                    return probe.matches(rawPassword, encodedPassword);
                }
            };
        }

        private static String request() {
            return RequestContextHolder.getRequestAttributes()
                            instanceof org.springframework.web.context.request.ServletRequestAttributes attributes
                    ? attributes.getRequest().getMethod() + " "
                            + attributes.getRequest().getRequestURI()
                    : "no request";
        }

        private static UserDetailsService users() {
            return name -> {
                LOOKUPS.incrementAndGet();
                if (TENANT.get() != null && !name.startsWith(TENANT.get() + "-")) {
                    MIXED.add("look-up: " + name + " in " + TENANT.get());
                }
                return User.withUsername(name)
                        .password(HashingProbe.stored(name + "-" + UUID.randomUUID(), "right"))
                        .roles("USER")
                        .build();
            };
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http, PasswordEncoder encoder) throws Exception {
            DaoAuthenticationProvider passwords = new DaoAuthenticationProvider(users());
            passwords.setPasswordEncoder(encoder);
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .authenticationProvider(new Codes())
                    .authenticationProvider(passwords)
                    .httpBasic(basic -> {})
                    .build();
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    /** Accepts each code once. */
    private static final class Codes implements AuthenticationProvider {

        private final Set<String> used = ConcurrentHashMap.newKeySet();

        @Override
        public Authentication authenticate(Authentication request) {
            Service.CODES.incrementAndGet();
            String code = String.valueOf(request.getCredentials());
            if (!code.equals("123456")) {
                return null;
            }
            if (!used.add(code)) {
                throw new org.springframework.security.authentication.LockedException("used already");
            }
            return UsernamePasswordAuthenticationToken.authenticated(
                    request.getName(), null, AuthorityUtils.createAuthorityList("ROLE_USER"));
        }

        @Override
        public boolean supports(Class<?> authentication) {
            return authentication == UsernamePasswordAuthenticationToken.class;
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping("/hello")
        String hello(java.security.Principal principal) {
            return "Hello " + principal.getName();
        }

        @PostMapping("/upload")
        String upload(@RequestParam("file") MultipartFile file) {
            return String.valueOf(file.getSize());
        }
    }
}
