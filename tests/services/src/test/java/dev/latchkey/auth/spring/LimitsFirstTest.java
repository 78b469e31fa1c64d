package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The limits are asked before anything is compared, for every password, name, length and kind of hash. */
class LimitsFirstTest {

    private static final String OWNER = "198.51.100.1";
    private static final String ATTACKER = "198.51.100.66";

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                Service.class,
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER,
                // Five hundred of them follow one another.
                "--latchkey.guard.refusals.delay=1ms");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        Service.COMPARISONS.set(0);
    }

    @Test
    void exhaustedSource_hasNothingCompared_notEvenTheRightPasswordThatIsCached() throws Exception {
        assertThat(server.get("/hello", "victim", "right", OWNER).statusCode()).isEqualTo(200);
        assertThat(server.get("/hello", "victim", "right", OWNER).statusCode()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            assertThat(server.get("/hello", "victim", "guess" + i, ATTACKER).statusCode())
                    .isEqualTo(401);
        }
        CredentialCache cache = server.bean(CredentialCache.class);
        long lookups = cache.stats().hits() + cache.stats().misses();
        Service.COMPARISONS.set(0);
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            HttpResponse<String> answer = server.get("/hello", "victim", i == 250 ? "right" : "guess" + i, ATTACKER);
            Set<String> fields = new TreeSet<>(answer.headers().map().keySet());
            // Said with every hundredth answer of a connection, whatever it is.
            fields.remove("connection");
            answers.add(answer.statusCode() + " " + fields + answer.body());
        }
        assertThat(answers).singleElement().asString().startsWith("429 ");
        assertThat(Service.COMPARISONS).hasValue(0);
        assertThat(cache.stats().hits() + cache.stats().misses()).isEqualTo(lookups);
        assertThat(server.get("/hello", "victim", "right", OWNER).statusCode()).isEqualTo(200);
    }

    @Test
    void fastLegacyHash_isLimitedAsEveryOther() throws Exception {
        assertThat(server.get("/hello", "legacy", "right", OWNER).statusCode()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            assertThat(server.get("/hello", "legacy", "guess" + i, ATTACKER).statusCode())
                    .isEqualTo(401);
        }
        assertThat(server.get("/hello", "legacy", "right", ATTACKER).statusCode())
                .isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hello", "/auth/token"})
    void longNamesAndPasswords_areLimitedToo(String path) throws Exception {
        String from = "203.0.113." + path.length();
        String name = "n".repeat(300);
        String password = "p".repeat(1_100);
        for (int i = 0; i < 5; i++) {
            assertThat(login(path, name, password + i, from)).isEqualTo(401);
        }
        assertThat(login(path, name, password, from)).isEqualTo(429);
    }

    @Test
    void spellingsOfOneAccount_shareItsBudget() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(server.get("/hello", "folded-" + i, "guess" + i, "203.0.113.50")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(server.get("/hello", "folded-5", "right", "203.0.113.50").statusCode())
                .isEqualTo(429);
        assertThat(Service.COMPARISONS).hasValue(5);
    }

    /** A login with an error or an outage leaves no reservation behind. */
    @ParameterizedTest
    @ValueSource(strings = {"outage", "defect", "fatal"})
    void reservationEndsWithItsRequest_whateverHappened(String name) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(server.get("/hello", name, "right", "203.0.113.60").statusCode())
                    .isIn(401, 500);
        }
        until(() -> server.bean(LoginLimits.class).stats().contended() == 0);
        Service.HEALTHY.add(name);
        assertThat(server.get("/hello", name, "right", "203.0.113.60").statusCode())
                .isEqualTo(200);
    }

    private static int login(String path, String name, String password, String from) throws Exception {
        if (path.equals("/hello")) {
            return server.get(path, name, password, from).statusCode();
        }
        return server.send(server.request(path)
                        .header("X-Forwarded-For", from)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString(
                                "username=" + name + "&password=" + password)))
                .statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final AtomicInteger COMPARISONS = new AtomicInteger();
        static final Set<String> HEALTHY = java.util.concurrent.ConcurrentHashMap.newKeySet();

        @Bean
        @SuppressWarnings("deprecation") // The hash that must not be a way round the limits.
        PasswordEncoder encoder() {
            return new DelegatingPasswordEncoder(
                    "probe",
                    java.util.Map.of(
                            "probe", new Counting(new HashingProbe()), "noop", NoOpPasswordEncoder.getInstance()));
        }

        /** Long enough for a stored hash that identifies the account. */
        private static final String FOLDED = "folded-to-one-account-of-the-store";

        /** Maps all names beginning with folded to one account, as a database without accents does. */
        @Bean
        UserDetailsService users() {
            return name -> {
                fail(name);
                String account = name.toLowerCase(Locale.ROOT).startsWith("folded") ? FOLDED : name;
                return User.withUsername(account)
                        .password(
                                account.equals("legacy")
                                        ? "{noop}right"
                                        : "{probe}" + HashingProbe.stored(account, "right"))
                        .roles("USER")
                        .build();
            };
        }

        private static void fail(String name) {
            if (HEALTHY.contains(name)) {
                return;
            }
            switch (name) {
                case "outage" -> throw new IllegalStateException("the store is down");
                case "defect" ->
                    throw new org.springframework.security.authentication.InternalAuthenticationServiceException("x");
                case "fatal" -> throw new AssertionError("an error");
                default -> {}
            }
        }

        @Bean
        GuardServerTest.Endpoints endpoints() {
            return new GuardServerTest.Endpoints();
        }
    }

    private record Counting(PasswordEncoder delegate) implements PasswordEncoder {

        @Override
        public String encode(CharSequence rawPassword) {
            return delegate.encode(rawPassword);
        }

        @Override
        public boolean matches(CharSequence rawPassword, String encodedPassword) {
            Service.COMPARISONS.incrementAndGet();
            return delegate.matches(rawPassword, encodedPassword);
        }
    }
}
